// SPDX-License-Identifier: MIT
// Messages, packing, operators and requests. These functions translate handles; those that do more say so.
#include <algorithm>
#include <atomic>
#include <climits>

#include "shim/abi/datatype.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/translation/handles.hpp"
#include "shim/abi/translation/pmpi.hpp"

namespace mpigraft::abi {
namespace {

static_assert(sizeof(MPI_Status) <= sizeof Status::of_library && alignof(MPI_Status) <= alignof(Status));

MPI_Status* native(Status& status) { return reinterpret_cast<MPI_Status*>(status.of_library); }
const MPI_Status* native(const Status& status) { return reinterpret_cast<const MPI_Status*>(status.of_library); }

/// Starts an operation by `function`. The request is null if that fails.
template <class Function, class... Arguments>
int start_by(Function function, Request& request, Arguments... arguments) {
  MPI_Request started = MPI_REQUEST_NULL;
  const int error = function(arguments..., &started);
  request = widen<Request>(started);
  return error;
}

/// The query function of a generalized request (MPI-4.0, 13.2): fills in an empty status and returns the error.
int tell_outcome(void* operation, MPI_Status* status) {
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  pmpi.Status_set_elements(status, MPI_BYTE, 0);
  pmpi.Status_set_cancelled(status, 0);
  return static_cast<const OwnOperation*>(operation)->error;
}

/// The free function of a generalized request.
int end(void* operation) {
  static_cast<OwnOperation*>(operation)->release();
  return MPI_SUCCESS;
}

/// The cancel function of a generalized request: a collective cannot be cancelled (MPI-4.0, 6.12).
int refuse_to_cancel(void*, int) { return MPI_ERR_REQUEST; }

/// MPICH's extension: MPI calls it repeatedly in all waits and tests but MPI_Waitall, and does not look for messages
/// meanwhile.
int poll(void* operation, MPI_Status*) {
  static_cast<OwnOperation*>(operation)->poll();
  return MPI_SUCCESS;
}

/// MPICH's extension: MPI calls it in MPI_Waitall. Without such a function MPI_Waitall ends the program if another
/// request is null.
int wait_for_each(int n, void** operations, double, MPI_Status*) {
  for (int i = 0; i < n; ++i) static_cast<OwnOperation*>(operations[i])->wait();
  return MPI_SUCCESS;
}

constexpr int largest_tag = 32767;  // of those that every MPI library has

/// Copies by a message of this rank, which is alone in `comm`, to itself. Each thread has a tag of its own.
int to_itself(auto sendrecv, const void* from, auto count, MPI_Datatype type, void* to, auto count_there,
              MPI_Datatype type_there, Comm comm) {
  static std::atomic<int> threads{0};
  [[gnu::tls_model("initial-exec")]] static constinit thread_local int tag = 0;
  if (tag == 0) tag = 1 + threads++ % largest_tag;
  return sendrecv(from, count, type, 0, tag, to, count_there, type_there, 0, tag, narrow(comm), MPI_STATUS_IGNORE);
}

/// Packs or unpacks without MPI-4's functions, as many elements at a time as have at most INT_MAX bytes. Calls
/// step(offset of the first element, offset of its packed bytes, number of elements, number of packed bytes); offsets
/// are in bytes.
template <class Step>
int in_steps(std::int64_t count, Type type, Step step) {
  const std::int64_t size = std::max<std::int64_t>(type_size(type), 1), extent = type_extent(type).length;
  if (size > INT_MAX) return MPI_ERR_COUNT;
  const std::int64_t most = INT_MAX / size;
  int error = MPI_SUCCESS;
  for (std::int64_t first = 0; first < count && error == MPI_SUCCESS; first += most) {
    const std::int64_t n = std::min(most, count - first);
    error = step(first * extent, first * size, static_cast<int>(n), static_cast<int>(n * size));
  }
  return error;
}

}  // namespace

bool can_make_requests() { return pmpi.Grequest_start_polled || pmpi.polls_for_requests; }

bool cannot_cancel_nothing() { return pmpi.Grequest_start_polled != nullptr; }

int request_for(OwnOperation& operation, Request& request) {
  if (!pmpi.Grequest_start_polled)
    return start_by(pmpi.Grequest_start, request, tell_outcome, end, refuse_to_cancel, &operation);
  return start_by(pmpi.Grequest_start_polled, request, tell_outcome, end, refuse_to_cancel, poll, wait_for_each,
                  &operation);
}

void complete(Request request) { pmpi.Grequest_complete(narrow(request)); }

int tag_of(const Status& status) { return native(status)->MPI_TAG; }

int count_of(const Status& status, Type type) { return result_of(pmpi.Get_count, 0, native(status), narrow(type)); }

int isend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request) {
  return start_by(pmpi.Isend, request, from, count, narrow(type), to, tag, narrow(comm));
}

int issend(const void* from, int count, Type type, int to, int tag, Comm comm, Request& request) {
  return start_by(pmpi.Issend, request, from, count, narrow(type), to, tag, narrow(comm));
}

int irecv(void* into, int count, Type type, int from, int tag, Comm comm, Request& request) {
  return start_by(pmpi.Irecv, request, into, count, narrow(type), from, tag, narrow(comm));
}

bool test(Request& request, Status& status) {
  MPI_Request tested = narrow(request);
  int done = 0;
  status.error = pmpi.Test(&tested, &done, native(status));
  request = widen<Request>(tested);
  return done || status.error != success;
}

void wait(Request& request, Status& status) {
  MPI_Request awaited = narrow(request);
  status.error = pmpi.Wait(&awaited, native(status));
  request = widen<Request>(awaited);
}

bool request_get_status(Request request) {
  int done = 0;
  return pmpi.Request_get_status(narrow(request), &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
}

int recv_init(int from, int tag, Comm comm, Request& request) {
  return start_by(pmpi.Recv_init, request, nullptr, 0, MPI_BYTE, from, tag, narrow(comm));
}

int copy(const void* from, void* to, int count, Type type) {
  return to_itself(pmpi.Sendrecv, from, count, narrow(type), to, count, narrow(type), own_comm());
}

void progress() {
  int found = 0;
  pmpi.Iprobe(comm_rank(comm_world), largest_tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

// A message of any type may be received as MPI_PACKED, and the reverse (MPI-4.0, 5.2).

int pack(const void* from, std::int64_t count, Type type, char* packed, std::int64_t bytes, Comm comm) {
  const MPI_Datatype its = narrow(type);
  if (!pmpi.Pack_c)
    return in_steps(count, type, [&](std::int64_t at, std::int64_t packed_at, int n, int size) {
      const void* const first = moved(from, at);
      char* const there = packed + packed_at;
      if (is_special(first)) return to_itself(pmpi.Sendrecv, first, n, its, there, size, MPI_PACKED, comm);
      int position = 0;
      return pmpi.Pack(first, n, its, there, size, &position, narrow(comm));
    });
  if (is_special(from)) return to_itself(pmpi.Sendrecv_c, from, count, its, packed, bytes, MPI_PACKED, comm);
  MPI_Count position = 0;
  return pmpi.Pack_c(from, count, its, packed, bytes, &position, narrow(comm));
}

int unpack(const char* packed, std::int64_t bytes, void* to, std::int64_t count, Type type, Comm comm) {
  const MPI_Datatype its = narrow(type);
  if (!pmpi.Unpack_c)
    return in_steps(count, type, [&](std::int64_t at, std::int64_t packed_at, int n, int size) {
      void* const first = moved(to, at);
      const char* const there = packed + packed_at;
      if (is_special(first)) return to_itself(pmpi.Sendrecv, there, size, MPI_PACKED, first, n, its, comm);
      int position = 0;
      return pmpi.Unpack(there, size, &position, first, n, its, narrow(comm));
    });
  if (is_special(to)) return to_itself(pmpi.Sendrecv_c, packed, bytes, MPI_PACKED, to, count, its, comm);
  MPI_Count position = 0;
  return pmpi.Unpack_c(packed, bytes, &position, to, count, its, narrow(comm));
}

bool op_commutes(Op op) { return result_of(pmpi.Op_commutative, 0, narrow(op)) != 0; }

Op op_create(void (*function)(void*, void*, int*, void*)) {
  return widen<Op>(result_of(pmpi.Op_create, MPI_OP_NULL, reinterpret_cast<MPI_User_function*>(function), 0));
}

int reduce_local(const void* lower, void* upper, int count, Type type, Op op) {
  return pmpi.Reduce_local(lower, upper, count, narrow(type), narrow(op));
}

int error_class(int code) { return code == success ? success : result_of(pmpi.Error_class, code, code); }
bool has_one_caller() { return result_of(pmpi.Query_thread, MPI_THREAD_MULTIPLE) < MPI_THREAD_SERIALIZED; }
bool is_up() { return result_of(pmpi.Initialized, 0) && !result_of(pmpi.Finalized, 1); }

}  // namespace mpigraft::abi
