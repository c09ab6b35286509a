// SPDX-License-Identifier: MIT
// The PMPI functions of the library. Those of the first list are in MPI-3, those of the second in MPI-4 only.
#pragma once

#include "shim/abi/library.hpp"
#include "shim/abi/translation/interface.hpp"

namespace mpigraft::abi {

// Every PMPI function that mpigraft calls for its own sake, in two lists.
// clang-format off
#define MPIGRAFT_PMPI(X) \
  X(Allgather) X(Allreduce) X(Bcast) X(Comm_call_errhandler) X(Comm_create) X(Comm_create_group) \
  X(Comm_create_keyval) X(Comm_delete_attr) X(Comm_free) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_get_errhandler) \
  X(Comm_get_parent) X(Comm_group) X(Comm_rank) X(Comm_set_attr) X(Comm_set_errhandler) X(Comm_size) X(Comm_test_inter) \
  X(Errhandler_free) X(Error_class) X(Finalized) X(Get_count) X(Get_library_version) X(Grequest_complete) \
  X(Group_free) X(Group_translate_ranks) X(Iallgather) X(Iallreduce) X(Ibcast) X(Initialized) X(Iprobe) \
  X(Irecv) X(Isend) X(Issend) X(Op_commutative) X(Op_create) \
  X(Pack) X(Query_thread) X(Reduce_local) X(Sendrecv) X(Status_set_cancelled) X(Status_set_elements) X(Test) \
  X(Type_commit) X(Type_contiguous) X(Type_create_hindexed_block) X(Type_create_hvector) X(Type_free) \
  X(Type_get_contents) \
  X(Type_get_envelope) X(Type_get_extent) X(Type_get_name) X(Type_get_true_extent) X(Type_size_x) X(Unpack) X(Wait)
// Libraries without MPI-4 lack these; there they are null.
#define MPIGRAFT_PMPI_OF_MPI_4(X) \
  X(Comm_create_from_group) X(Pack_c) X(Type_get_contents_c) X(Type_get_envelope_c) X(Unpack_c)
// clang-format on

struct Pmpi {
#define X(name) decltype(&PMPI_##name) name = nullptr;
  MPIGRAFT_PMPI(X)
  MPIGRAFT_PMPI_OF_MPI_4(X)
#undef X
  decltype(&PMPIX_Grequest_start) Grequest_start = nullptr;  // MPICH's extension; null if the library lacks it
};

/// Valid from the first intercepted call on. If graftable(), only functions of MPI-4 and MPICH's extension may be null.
extern Pmpi pmpi;

}  // namespace mpigraft::abi
