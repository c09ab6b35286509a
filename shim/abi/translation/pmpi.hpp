// SPDX-License-Identifier: MIT
// The PMPI functions of the library.
#pragma once

#include "shim/abi/library.hpp"
#include "shim/abi/translation/handles.hpp"

namespace mpigraft::abi {

// THE table of PMPI functions that mpigraft calls for its own sake, with the types of their parameters.
// clang-format off
#define MPIGRAFT_PMPI(X)                                                                                           \
  X(Comm_call_errhandler, MPI_Comm, int)                                                                           \
  X(Comm_create, MPI_Comm, MPI_Group, MPI_Comm*)                                                                   \
  X(Comm_create_group, MPI_Comm, MPI_Group, int, MPI_Comm*)                                                        \
  X(Comm_create_keyval, MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int*, void*)                 \
  X(Comm_delete_attr, MPI_Comm, int)                                                                               \
  X(Comm_free, MPI_Comm*)                                                                                          \
  X(Comm_free_keyval, int*)                                                                                        \
  X(Comm_get_attr, MPI_Comm, int, void*, int*)                                                                     \
  X(Comm_get_errhandler, MPI_Comm, MPI_Errhandler*)                                                                \
  X(Comm_get_parent, MPI_Comm*)                                                                                    \
  X(Comm_group, MPI_Comm, MPI_Group*)                                                                              \
  X(Comm_rank, MPI_Comm, int*)                                                                                     \
  X(Comm_set_attr, MPI_Comm, int, void*)                                                                           \
  X(Comm_set_errhandler, MPI_Comm, MPI_Errhandler)                                                                 \
  X(Comm_size, MPI_Comm, int*)                                                                                     \
  X(Comm_test_inter, MPI_Comm, int*)                                                                               \
  X(Errhandler_free, MPI_Errhandler*)                                                                              \
  X(Error_class, int, int*)                                                                                        \
  X(Finalized, int*)                                                                                               \
  X(Get_count, const MPI_Status*, MPI_Datatype, int*)                                                              \
  X(Grequest_complete, MPI_Request)                                                                                \
  X(Grequest_start, MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*,      \
    void*, MPI_Request*)                                                                                           \
  X(Group_free, MPI_Group*)                                                                                        \
  X(Group_translate_ranks, MPI_Group, int, const int*, MPI_Group, int*)                                            \
  X(Initialized, int*)                                                                                             \
  X(Iprobe, int, int, MPI_Comm, int*, MPI_Status*)                                                                 \
  X(Irecv, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)                                             \
  X(Isend, const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)                                       \
  X(Issend, const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)                                      \
  X(Op_commutative, MPI_Op, int*)                                                                                  \
  X(Op_create, MPI_User_function*, int, MPI_Op*)                                                                   \
  X(Op_free, MPI_Op*)                                                                                              \
  X(Pack, const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm)                                              \
  X(Query_thread, int*)                                                                                            \
  X(Recv_init, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)                                         \
  X(Reduce_local, const void*, void*, int, MPI_Datatype, MPI_Op)                                                   \
  X(Request_free, MPI_Request*)                                                                                    \
  X(Request_get_status, MPI_Request, int*, MPI_Status*)                                                            \
  X(Sendrecv, const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*) \
  X(Status_set_cancelled, MPI_Status*, int)                                                                        \
  X(Status_set_elements, MPI_Status*, MPI_Datatype, int)                                                           \
  X(Test, MPI_Request*, int*, MPI_Status*)                                                                         \
  X(Type_commit, MPI_Datatype*)                                                                                    \
  X(Type_contiguous, int, MPI_Datatype, MPI_Datatype*)                                                             \
  X(Type_create_hindexed_block, int, int, const MPI_Aint*, MPI_Datatype, MPI_Datatype*)                            \
  X(Type_create_hvector, int, int, MPI_Aint, MPI_Datatype, MPI_Datatype*)                                          \
  X(Type_create_keyval, MPI_Type_copy_attr_function*, MPI_Type_delete_attr_function*, int*, void*)                   \
  X(Type_free, MPI_Datatype*)                                                                                      \
  X(Type_free_keyval, int*)                                                                                          \
  X(Type_get_attr, MPI_Datatype, int, void*, int*)                                                                   \
  X(Type_get_contents, MPI_Datatype, int, int, int, int*, MPI_Aint*, MPI_Datatype*)                                \
  X(Type_get_envelope, MPI_Datatype, int*, int*, int*, int*)                                                       \
  X(Type_get_extent, MPI_Datatype, MPI_Aint*, MPI_Aint*)                                                           \
  X(Type_get_name, MPI_Datatype, char*, int*)                                                                      \
  X(Type_get_true_extent, MPI_Datatype, MPI_Aint*, MPI_Aint*)                                                      \
  X(Type_set_attr, MPI_Datatype, int, void*)                                                                         \
  X(Type_size_x, MPI_Datatype, MPI_Count*)                                                                         \
  X(Unpack, const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm)                                            \
  X(Wait, MPI_Request*, MPI_Status*)

// Libraries without MPI-4 lack these; there they are null.
#define MPIGRAFT_PMPI_OF_MPI_4(X)                                                                                  \
  X(Comm_create_from_group, MPI_Group, const char*, MPI_Info, MPI_Errhandler, MPI_Comm*)                           \
  X(Pack_c, const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Count*, MPI_Comm)                          \
  X(Sendrecv_c, const void*, MPI_Count, MPI_Datatype, int, int, void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, \
    MPI_Status*)                                                                                                   \
  X(Type_get_contents_c, MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int*, MPI_Aint*, MPI_Count*,    \
    MPI_Datatype*)                                                                                                 \
  X(Type_get_envelope_c, MPI_Datatype, MPI_Count*, MPI_Count*, MPI_Count*, MPI_Count*, int*)                       \
  X(Unpack_c, const void*, MPI_Count, MPI_Count*, void*, MPI_Count, MPI_Datatype, MPI_Comm)
// clang-format on

struct Pmpi {
#define X(name, ...) int (*name)(__VA_ARGS__) = nullptr;
  MPIGRAFT_PMPI(X)
  MPIGRAFT_PMPI_OF_MPI_4(X)
#undef X
  // MPICH's extension, which its library of the standard ABI has, too; null if the library lacks it.
  int (*Grequest_start_polled)(MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*,
                               MPIX_Grequest_poll_function*, MPIX_Grequest_wait_function*, void*,
                               MPI_Request*) = nullptr;
  // As Open MPI does: it polls for all messages while it waits for a generalized request, and so carries its operation
  // on.
  bool polls_for_requests = false;
};

/// Valid from the first intercepted call on. If graftable(), only functions of MPI-4 and MPICH's extension may be null.
inline Pmpi pmpi;

/// What a function of MPI sets its last argument to; `if_it_fails` if it leaves that alone.
template <class Result, class... Parameters, class... Arguments>
Result result_of(int (*function)(Parameters...), Result if_it_fails, Arguments... arguments) {
  function(arguments..., &if_it_fails);
  return if_it_fails;
}

}  // namespace mpigraft::abi
