// SPDX-License-Identifier: MIT
// The functions of MPI that the shim calls for its own sake. One that has the name of a function of MPI calls that
// function. An int that is returned is MPI's error code, unless the name says otherwise. Functions that return no error
// code can fail only in ways that have no remedy.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// The outcome of a request: the library's own MPI_Status, and an error code.
struct Status {
  alignas(8) unsigned char of_library[32];
  int error;
};

/// Makes a communicator of this rank alone, whose errors are returned. Not possible in MPI_Finalize. On it handles are
/// tried out, and elements packed and copied. Until it exists, nothing is asked.
void make_own_comm();
/// That communicator; null: there is none, for lack of a context id.
Comm own_comm();

int tag_of(const Status& status);
/// Elements of `type` in a message that was received; `undefined` if its bytes are no whole number of elements.
int count_of(const Status& status, Type type);

int isend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request);
/// As isend, but the request is complete only once its receive has begun (MPI-4.0, 3.4).
int issend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request);
int irecv(void* into, int count, Type type, int from, int tag, Comm comm, Request& request);
/// True if the request is over. It is complete, and now null, or has failed: then status.error is the error code.
bool test(Request& request, Status& status);
void wait(Request& request, Status& status);
/// True if wait() would not wait.
bool request_get_status(Request request);
/// Makes the persistent request of the receive of an empty message.
int recv_init(int from, int tag, Comm comm, Request& request);
int request_free(Request& request);
/// Copies exactly the bytes that the type describes, by a message from this rank to itself on own_comm(). Several
/// threads may do so at once.
int copy(const void* from, void* to, int count, Type type);
/// Drives MPI's progress: looks for a message to this rank from itself, with a tag that programs hardly use.
void progress();

// With a place for a request these are the nonblocking forms.
int bcast(void* buffer, int count, Type type, int root, Comm comm, Request* request = nullptr);
int allreduce(const void* from, void* to, int count, Type type, Op op, Comm comm, Request* request = nullptr);
/// Each rank contributes `bytes` bytes at `mine`.
int allgather(const void* mine, void* all, std::size_t bytes, Comm comm, Request* request = nullptr);
/// The minimum over all ranks of each of a few numbers. Collective.
template <std::size_t n>
std::array<int, n> least(const std::array<int, n>& mine, Comm comm) {
  std::array<int, n> all{};
  allreduce(mine.data(), all.data(), static_cast<int>(n), type_int, op_min, comm);
  return all;
}
/// True if `mine` is true on all ranks. Collective.
inline bool true_on_all(bool mine, Comm comm) { return least<1>({mine}, comm)[0] != 0; }

int comm_rank(Comm comm);
int comm_size(Comm comm);
bool comm_is_inter(Comm comm);
/// Sets `there` to the ranks in MPI_COMM_WORLD of `n` ranks of a communicator; `undefined` where there is none.
void comm_world_ranks(Comm comm, int n, const int* ranks, int* there);
/// True if another job has spawned this one.
bool was_spawned();
/// Makes another communicator of the same ranks, whose errors are returned; null if no context id is left. MPI_Comm_dup
/// would run the program's attribute callbacks, and MPI_Comm_create aborts when context ids are used up. `name` must be
/// unique in the job; null in MPI_Finalize, where all ranks get a communicator or none does.
Comm comm_copy(Comm comm, const char* name);
void comm_free(Comm& comm);
/// What becomes of errors on a communicator.
enum class Errors { end_the_program, are_returned, are_handled };
Errors errors_of(Comm comm);
void comm_call_errhandler(Comm comm, int error);

struct AttributeFunctions {
  /// Called when the communicator is freed or another attribute takes its place.
  void (*at_delete)(Comm comm, void* attribute);
  /// Gets the attribute of a communicator that the program duplicates. Returns that of the duplicate; null: none.
  void* (*at_copy)(void* attribute) = [](void*) -> void* { return nullptr; };
};
/// `functions` must live as long as MPI.
Keyval comm_create_keyval(const AttributeFunctions& functions);
void comm_free_keyval(Keyval& key);
void comm_set_attr(Comm comm, Keyval key, void* attribute);
void comm_delete_attr(Comm comm, Keyval key);
/// Set if MPI refused the communicator: the code that MPI returned after it called the error handler. MPICH 5 returns
/// MPI_SUCCESS if that handler is the program's own.
using Refused = std::optional<int>;
struct Attribute {
  Refused refused;
  bool found = false;
  void* value = nullptr;
};
Attribute comm_get_attr(Comm comm, Keyval key);

/// What `made` holds; while that is `none`, makes it. Holds no lock while it calls MPI: a thread that loses a race
/// frees its own.
template <class Handle, class Make, class Free>
Handle made_once(std::atomic<Handle>& made, Handle none, Make make, Free free) {
  Handle there = made;
  if (there != none) return there;
  Handle mine = make();
  if (made.compare_exchange_strong(there, mine)) return mine;
  if (mine != none) free(mine);
  return there;
}

/// A key that its first use makes.
class Key {
 public:
  constexpr explicit Key(const AttributeFunctions& functions) : functions_(functions) {}
  operator Keyval() {
    return made_once(
        made_, Keyval::null, [this] { return comm_create_keyval(functions_); }, comm_free_keyval);
  }

 private:
  const AttributeFunctions functions_;
  std::atomic<Keyval> made_{Keyval::null};
};

/// How often MPI may have given a handle of the program to another type or operator: those were freed before.
inline std::atomic<std::uint64_t> handles_freed{0};

struct Extent {
  std::int64_t lower_bound = 0, length = 0;
};
std::int64_t type_size(Type type);
Extent type_extent(Type type);
Extent type_true_extent(Type type);
/// Empty if the type has no name.
std::string type_name(Type type);
/// The types that a type is built of; none for a predefined type. The caller frees those that are not predefined.
std::vector<Type> type_parts(Type type);
bool type_is_predefined(Type type);
/// The type of which `type` is built if that has elements of one type, one after the other; otherwise null. The caller
/// frees it unless it is predefined.
Type type_repeats(Type type);
/// A committed type that describes the elements of `type`, moved by `bytes`; null if MPI refuses.
Type type_shifted(Type type, std::ptrdiff_t bytes);
/// A committed type that describes the same `bytes` bytes `layers` times.
Type type_piled(int layers, int bytes);
void type_free(Type& type);
/// A committed type of `count` elements of `type`, one after the other.
Type type_repeated(int count, Type type);
/// Lets `handles_freed` count the end of the type. Returns false if MPI refuses.
bool counts_end_of(Type type);
/// Makes a type that refers to `type`. Until it is freed, MPI gives the handle of `type` to no other type. REQUIRES:
/// `type` is not predefined.
Type type_held(Type type);

/// Pack into, or unpack from, exactly `bytes` bytes, also at MPI_BOTTOM. This rank is alone in `comm`.
int pack(const void* from, std::int64_t count, Type type, char* packed, std::int64_t bytes, Comm comm = own_comm());
int unpack(const char* packed, std::int64_t bytes, void* to, std::int64_t count, Type type, Comm comm = own_comm());

/// An operation of ours behind a request of the program (generalized requests; MPI-4.0, 13.2). This one is over at
/// once.
struct OwnOperation {
  virtual ~OwnOperation() = default;
  /// Carries the operation on as far as it can go now.
  virtual void poll() {}
  /// Returns when the operation is over.
  virtual void wait() {}
  /// Called when the operation is over and MPI has freed its request.
  virtual void release() {}
  int error = success;  // what the program's wait returns
};
bool can_make_requests();
/// True if the request of a call on no data refuses to be cancelled, as those of collectives should. Open MPI's does
/// not.
bool cannot_cancel_nothing();
/// Makes a request for a new operation. REQUIRES: can_make_requests().
int request_for(OwnOperation& operation, Request& request);
/// Tells MPI that the operation of the request is over.
void complete(Request request);

bool op_commutes(Op op);
/// Makes an operator that need not commute. `function` computes upper := lower (+) upper for *count elements; `type` is
/// the address of their type's handle.
Op op_create(void (*function)(void* lower, void* upper, int* count, void* type));
void op_free(Op op);
int reduce_local(const void* lower, void* upper, int count, Type type, Op op);

/// The class of an error code; `success` for `success`.
int error_class(int code);
/// True between MPI_Init and MPI_Finalize.
bool is_up();
/// True if only one thread makes MPI calls, by the level of thread support that MPI granted (MPI-4.0, 11.6).
bool has_one_caller();

}  // namespace mpigraft::abi
