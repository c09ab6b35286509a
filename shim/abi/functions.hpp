// SPDX-License-Identifier: MIT
// The functions of MPI that the shim calls for its own sake. An int that is called no other is MPI's error code; where
// none is returned, an error has no remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shim/abi/constants.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// How a message ended.
struct Status {
  alignas(8) unsigned char of_library[32];
  int error;
};

int tag_of(const Status& status);
/// Elements of a message that was received; none that make it up: `undefined`.
int count_of(const Status& status, Type type);

int isend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request);
/// The same, over when its receive has begun.
int issend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request);
int irecv(void* into, int count, Type type, int from, int tag, Comm comm, Request& request);
/// True where the request is over: complete, which makes it null, or met by an error, which is in `status`.
bool test(Request& request, Status& status);
void wait(Request& request, Status& status);
/// A message of this rank, `self`, to itself.
int copy(const void* from, void* to, int count, Type type, int self, Comm comm);
/// Looks for any message, which drives all others on.
void probe(Comm comm);

int bcast(void* buffer, int count, Type type, int root, Comm comm);
int allreduce(const void* from, void* to, int count, Type type, Op op, Comm comm);
int allgather(const void* own, void* all, std::size_t bytes, Comm comm);
int ibcast(void* buffer, int count, Type type, int root, Comm comm, Request& request);
int iallreduce(const void* from, void* to, int count, Type type, Op op, Comm comm, Request& request);
int iallgather(const void* own, void* all, std::size_t bytes, Comm comm, Request& request);
/// Whether all ranks say so. Collective.
bool true_on_all(bool mine, Comm comm);

int comm_rank(Comm comm);
int comm_size(Comm comm);
bool comm_is_inter(Comm comm);
Group comm_group(Comm comm);
/// The one to those who spawned this job, or null.
Comm comm_get_parent();
Comm comm_create(Comm comm, Group group);
/// Another communicator of the same ranks, whose errors are returned, or null where there is no context id left. Not
/// MPI_Comm_dup, which runs the program's attribute callbacks, nor MPI_Comm_create, which aborts when context ids are
/// used up. `name` is unique in the job.
Comm comm_copy(Comm comm, const char* name);
void comm_free(Comm& comm);
Errhandler comm_get_errhandler(Comm comm);
void comm_set_errhandler(Comm comm, Errhandler handler);
void comm_call_errhandler(Comm comm, int error);
void errhandler_free(Errhandler& handler);
void group_translate_ranks(Group from, int n, const int* ranks, Group to, int* there);
void group_free(Group& group);

/// Called with an attribute whose communicator is freed, or which another one follows.
using AtDelete = void (*)(void* attribute);
Keyval comm_create_keyval(AtDelete at_delete);
void comm_free_keyval(Keyval& key);
void comm_set_attr(Comm comm, Keyval key, void* attribute);
/// The code that a call returns whose handle MPI has refused, which its error handler was told. MPICH 5 returns success
/// where the handler is the program's.
using Refused = std::optional<int>;
Refused comm_get_attr(Comm comm, Keyval key, void*& attribute, bool& found);

struct Extent {
  std::int64_t lower_bound = 0, length = 0;
};
std::int64_t type_size(Type type);
Extent type_extent(Type type);
Extent type_true_extent(Type type);
/// Empty where it has none.
std::string type_name(Type type);
/// The types that a type is built of; none of a predefined one. Those that are not predefined are to be freed.
std::vector<Type> type_parts(Type type);
bool type_is_predefined(Type type);
/// These are committed. The elements of `type`, so many bytes further on; null where MPI refuses.
Type type_shifted(Type type, std::ptrdiff_t bytes);
/// `layers` times the same `bytes`.
Type type_piled(int layers, int bytes);
void type_free(Type& type);
/// So many elements, one behind the other; committed.
Type type_repeated(int count, Type type);
/// Holds on to a type that is not predefined: its handle stays what it is until the result is freed.
Type type_held(Type type);

int pack(const void* from, std::int64_t count, Type type, char* packed, std::int64_t bytes, Comm comm);
int unpack(const char* packed, std::int64_t bytes, void* to, std::int64_t count, Type type, Comm comm);

/// An operation of ours behind a request of the program.
struct OwnOperation {
  virtual ~OwnOperation() = default;
  /// Looks whether it can come further.
  virtual void look() = 0;
  /// Returns when it is over.
  virtual void wait() = 0;
  /// It is over, and the request is gone.
  virtual void release() = 0;
  int error = success;  // what the program's wait returns
};
bool can_make_requests();
/// The request of a new operation. REQUIRES: can_make_requests().
int request_for(OwnOperation& operation, Request& request);
/// The operation is over.
void complete(Request request);

bool op_commutes(Op op);
/// An operator that need not commute. The function gets the lower operand, the upper one, which it changes, their
/// number of elements, and the place of their type's handle.
Op op_create(void (*function)(void* lower, void* upper, int* count, void* type));
int reduce_local(const void* lower, void* upper, int count, Type type, Op op);

/// The class of an error code; success stays.
int error_class(int code);
/// Between MPI_Init and MPI_Finalize.
bool is_up();
/// Whether one thread alone makes the program's calls, by what MPI has granted.
bool has_one_caller();

}  // namespace mpigraft::abi
