// SPDX-License-Identifier: MIT
// The entry points for Fortran under Open MPI.
#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "shim/abi/constants.hpp"
#include "shim/abi/openmpi/fortran.hpp"
#include "shim/entry/intercept.hpp"
#include "shim/entry/looking.hpp"

namespace mpigraft::entry {
namespace {

using Handle = std::uintptr_t;

Handle comm_of(const int* comm) { return abi::c_handle<'c'>(comm); }
int fortran_comm(Handle comm) {
  static constinit abi::Function function;
  static void* const convert = function.bound("MPI_Comm_c2f", nullptr).function;
  return reinterpret_cast<int (*)(Handle)>(convert)(comm);
}
Handle type_of(const int* type) { return abi::c_handle<'t'>(type); }
Handle op_of(const int* op) { return abi::c_handle<'o'>(op); }

/// The addresses of a Fortran constant, one in each spelling.
using Places = std::array<const void*, 4>;
Places places_of(const Places& spellings) {
  Places places{};
  std::ranges::transform(spellings, places.begin(),
                         [](const void* name) { return dlsym(RTLD_DEFAULT, static_cast<const char*>(name)); });
  return places;
}

void* c_buffer(void* buffer) {
  static const Places in_place =
      places_of({"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
  static const Places bottom =
      places_of({"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"});
  if (!buffer) return buffer;
  if (std::ranges::find(in_place, buffer) != in_place.end()) return const_cast<void*>(abi::in_place);
  return std::ranges::find(bottom, buffer) != bottom.end() ? nullptr : buffer;
}

}  // namespace
}  // namespace mpigraft::entry

using mpigraft::abi::RawParts;
using mpigraft::entry::c_buffer;
using mpigraft::entry::comm_of;
using mpigraft::entry::fortran_comm;
using mpigraft::entry::Handle;
using mpigraft::entry::intercepted;
using mpigraft::entry::op_of;
using mpigraft::entry::type_of;

// TAKES declares the parameters of a signature, GIVES passes them on; PARTS and FILLS make a RawCall of them.
#define TAKES_send_recv_op void *send, void *recv, int *count, int *type, int *op, int *comm
#define GIVES_send_recv_op send, recv, count, type, op, comm
#define PARTS_send_recv_op
#define FILLS_send_recv_op c_buffer(send), c_buffer(recv), *count, type_of(type), op_of(op), 0, comm_of(comm)
#define TAKES_send_recv_op_root void *send, void *recv, int *count, int *type, int *op, int *root, int *comm
#define GIVES_send_recv_op_root send, recv, count, type, op, root, comm
#define PARTS_send_recv_op_root
#define FILLS_send_recv_op_root c_buffer(send), c_buffer(recv), *count, type_of(type), op_of(op), *root, comm_of(comm)
#define TAKES_send_recv_counts_op void *send, void *recv, int *counts, int *type, int *op, int *comm
#define GIVES_send_recv_counts_op send, recv, counts, type, op, comm
#define PARTS_send_recv_counts_op \
  const RawParts parts { .counts = counts }
#define FILLS_send_recv_counts_op c_buffer(send), c_buffer(recv), 0, type_of(type), op_of(op), 0, comm_of(comm), &parts
#define TAKES_send_recv void *send, int *send_count, int *send_type, void *recv, int *count, int *type, int *comm
#define GIVES_send_recv send, send_count, send_type, recv, count, type, comm
#define PARTS_send_recv \
  const RawParts parts { *send_count, type_of(send_type) }
#define FILLS_send_recv c_buffer(send), c_buffer(recv), *count, type_of(type), 0, 0, comm_of(comm), &parts
#define TAKES_send_recv_counts \
  void *send, int *send_count, int *send_type, void *recv, int *counts, int *displs, int *type, int *comm
#define GIVES_send_recv_counts send, send_count, send_type, recv, counts, displs, type, comm
#define PARTS_send_recv_counts \
  const RawParts parts { *send_count, type_of(send_type), counts, displs }
#define FILLS_send_recv_counts c_buffer(send), c_buffer(recv), 0, type_of(type), 0, 0, comm_of(comm), &parts
#define TAKES_buffer_root void *buffer, int *count, int *type, int *root, int *comm
#define GIVES_buffer_root buffer, count, type, root, comm
#define PARTS_buffer_root
#define FILLS_buffer_root nullptr, c_buffer(buffer), *count, type_of(type), 0, *root, comm_of(comm)
#define TAKES_comm_only int* comm
#define GIVES_comm_only comm
#define PARTS_comm_only
#define FILLS_comm_only nullptr, nullptr, 0, 0, 0, 0, comm_of(comm)

// Another MPI, or a serial stand-in for one, may have a function of the same spelling.
#define GOES_ELSEWHERE(name, ...)                           \
  static constinit mpigraft::abi::Function its;             \
  const void* const caller = __builtin_return_address(0);   \
  if (void* const elsewhere = its.elsewhere(#name, caller)) \
  return reinterpret_cast<decltype(&name)>(elsewhere)(__VA_ARGS__ __VA_OPT__(, ) error)
#define SPELLED(name, collective, equal, signature)                                            \
  extern "C" __attribute__((visibility("default"))) void name(TAKES_##signature, int* error) { \
    GOES_ELSEWHERE(name, GIVES_##signature);                                                   \
    PARTS_##signature;                                                                         \
    const int result = intercepted({collective, false, equal, FILLS_##signature}, caller);     \
    if (error) *error = result;                                                                \
  }
#define X(name, function, signature, ...) \
  MPIGRAFT_IN_SPELLINGS(SPELLED, function, mpigraft::Collective::name, false, signature)
MPIGRAFT_COLLECTIVES(X)
#undef X
#define X(name, function, signature) \
  MPIGRAFT_IN_SPELLINGS(SPELLED, function, mpigraft::Collective::name, true, signature)
MPIGRAFT_EQUAL_PARTS(X)

// The end of a communicator, and of MPI, by the C functions of this library.
extern "C" {
int MPI_Comm_free(Handle comm);
int MPI_Comm_disconnect(Handle comm);
int MPI_Finalize();
}
#define FREES(name, c_function)                                                        \
  extern "C" __attribute__((visibility("default"))) void name(int* comm, int* error) { \
    GOES_ELSEWHERE(name, comm);                                                        \
    Handle handle = comm_of(comm);                                                     \
    const int result = c_function(reinterpret_cast<Handle>(&handle));                  \
    if (result == mpigraft::abi::success) *comm = fortran_comm(handle);                \
    if (error) *error = result;                                                        \
  }
#define FINALIZES(name, ...)                                                \
  extern "C" __attribute__((visibility("default"))) void name(int* error) { \
    GOES_ELSEWHERE(name);                                                   \
    const int result = MPI_Finalize();                                      \
    if (error) *error = result;                                             \
  }
MPIGRAFT_IN_SPELLINGS(FREES, Comm_free, MPI_Comm_free)
MPIGRAFT_IN_SPELLINGS(FREES, Comm_disconnect, MPI_Comm_disconnect)
MPIGRAFT_IN_SPELLINGS(FINALIZES, Finalize)

// Functions that look. Those of `use mpi_f08` call PMPI, or a Fortran function by the name with which programs ask for
// MPI's own.
#define LOOKING_ENTRY(name, lower, upper, ...)                                       \
  static_assert(mpigraft::abi::is_lower_case_of(#lower, #upper));                    \
  MPIGRAFT_NAMED(MPIGRAFT_LOOKING_ENTRY_OF_FORTRAN, name, lower, upper, __VA_ARGS__) \
  MPIGRAFT_LOOKING_ENTRY_OF_FORTRAN(mpi_##lower##_f08_, __VA_ARGS__)
MPIGRAFT_LOOKING(LOOKING_ENTRY)
