// SPDX-License-Identifier: MIT
// The MPI library underneath, found at run time: the preloaded library links no MPI, so it is inert in
// programs without one and can follow MPI into a dlopen(RTLD_LOCAL) scope.
#pragma once

#include <mpi.h>

#include <array>

#include "algorithms/collective.hpp"

namespace mpigraft {

// Every PMPI function that mpigraft calls for its own sake; all are in MPI-4.
// clang-format off
#define MPIGRAFT_PMPI(X) \
  X(Allgather) X(Allreduce) X(Bcast) X(Comm_call_errhandler) X(Comm_create) X(Comm_create_from_group) \
  X(Comm_create_keyval) X(Comm_free) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_get_errhandler) X(Comm_get_parent) \
  X(Comm_group) X(Comm_rank) X(Comm_set_attr) X(Comm_set_errhandler) X(Comm_size) X(Comm_test_inter) \
  X(Errhandler_free) X(Error_class) X(Finalized) X(Get_count) X(Get_library_version) \
  X(Group_free) X(Group_translate_ranks) X(Initialized) X(Iprobe) X(Irecv) X(Isend) X(Issend) X(Op_commutative) \
  X(Pack_c) X(Reduce_local) X(Sendrecv) X(Test) X(Type_commit) \
  X(Type_create_hindexed_block) X(Type_create_hvector) X(Type_free) X(Type_get_contents_c) X(Type_get_envelope_c) \
  X(Type_get_extent) X(Type_get_name) X(Type_get_true_extent) X(Type_size_x) X(Unpack_c) X(Wait)
// clang-format on

struct Pmpi {
#define X(name) decltype(&PMPI_##name) name = nullptr;
  MPIGRAFT_PMPI(X)
#undef X
};

/// Valid from the first intercepted call on; every function is set where `graftable()`.
extern Pmpi pmpi;

/// The PMPI functions of a collective.
struct NativeForms {
  void* narrow = nullptr;
  void* large = nullptr;  // the _c form
};
/// By Collective; set as `pmpi` is.
extern std::array<NativeForms, collective_count> native_forms;

/// Finds the MPI library, once: in the global scope, else behind `caller`, the address of the intercepted call.
/// True where it is an MPICH whose handles and constants are those that this file was compiled with.
bool graftable(const void* caller);

/// Why `graftable()` is false.
const char* not_graftable_because();

/// The class of an error code; MPI_SUCCESS stays.
int error_class(int code);

}  // namespace mpigraft
