// SPDX-License-Identifier: MIT
// The entry points for `use mpi_f08` under MPICH. Most of its functions call MPI's C functions, which are ours; these
// call PMPI. A handle of mpi_f08 is a structure with one integer, the C handle, and `error` is null where the program
// leaves it out.
#include <cstdint>

#include "shim/abi/binding.hpp"
#include "shim/entry/looking.hpp"

extern "C" {
using Word = std::uintptr_t;
int MPI_Barrier(Word comm);
int MPI_Ibarrier(Word comm, Word request);
int MPI_Barrier_init(Word comm, Word info, Word request);
int MPI_Comm_free(Word comm);
int MPI_Comm_disconnect(Word comm);
int MPI_Finalize();
}

namespace mpigraft::entry {
namespace {

Word value(const int* handle) { return static_cast<unsigned>(*handle); }
Word place(const int* handle) { return reinterpret_cast<Word>(handle); }

}  // namespace
}  // namespace mpigraft::entry

using mpigraft::entry::place;
using mpigraft::entry::value;

// Another MPI may have a Fortran function of the same name. `call` is the call of the C function of this library, which
// no tool sees, because it does not see MPICH's call either (the library is linked with -Bsymbolic-functions).
#define ENTRY_POINT(name, call, parameters, ...)                                                  \
  extern "C" __attribute__((visibility("default"))) void mpi_##name##_f08_ parameters {           \
    static constinit mpigraft::abi::Function its;                                                 \
    if (void* const elsewhere = its.elsewhere("mpi_" #name "_f08_", __builtin_return_address(0))) \
      return reinterpret_cast<decltype(&mpi_##name##_f08_)>(elsewhere)(__VA_ARGS__);              \
    const int result = call;                                                                      \
    if (error) *error = result;                                                                   \
  }
ENTRY_POINT(barrier, MPI_Barrier(value(comm)), (int* comm, int* error), comm, error)
ENTRY_POINT(ibarrier, MPI_Ibarrier(value(comm), place(request)), (int* comm, int* request, int* error), comm, request,
            error)
ENTRY_POINT(barrier_init, MPI_Barrier_init(value(comm), value(info), place(request)),
            (int* comm, int* info, int* request, int* error), comm, info, request, error)
ENTRY_POINT(comm_free, MPI_Comm_free(place(comm)), (int* comm, int* error), comm, error)
ENTRY_POINT(comm_disconnect, MPI_Comm_disconnect(place(comm)), (int* comm, int* error), comm, error)
ENTRY_POINT(finalize, MPI_Finalize(), (int* error), error)

// The functions that look call PMPI, too.
#define LOOKING_ENTRY(name, lower, upper, ...) MPIGRAFT_LOOKING_ENTRY_OF_FORTRAN(mpi_##lower##_f08_, __VA_ARGS__)
MPIGRAFT_LOOKING(LOOKING_ENTRY)
