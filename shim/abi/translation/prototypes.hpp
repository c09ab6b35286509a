// SPDX-License-Identifier: MIT
// MPI's functions that mpigraft calls for its own sake, where no mpi.h declares them: in terms of the handles, integers
// and status of the interface that includes this.
#pragma once

using MPI_Comm_copy_attr_function = int(MPI_Comm, int, void*, void*, void*, int*);
using MPI_Comm_delete_attr_function = int(MPI_Comm, int, void*, void*);
using MPI_Grequest_query_function = int(void*, MPI_Status*);
using MPI_Grequest_free_function = int(void*);
using MPI_Grequest_cancel_function = int(void*, int);
using MPIX_Grequest_poll_function = int(void*, MPI_Status*);
using MPIX_Grequest_wait_function = int(int, void**, double, MPI_Status*);

extern "C" {
int PMPI_Allgather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
int PMPI_Allreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
int PMPI_Bcast(void*, int, MPI_Datatype, int, MPI_Comm);
int PMPI_Comm_call_errhandler(MPI_Comm, int);
int PMPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm*);
int PMPI_Comm_create_from_group(MPI_Group, const char*, MPI_Info, MPI_Errhandler, MPI_Comm*);
int PMPI_Comm_create_group(MPI_Comm, MPI_Group, int, MPI_Comm*);
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int*, void*);
int PMPI_Comm_free(MPI_Comm*);
int PMPI_Comm_free_keyval(int*);
int PMPI_Comm_get_attr(MPI_Comm, int, void*, int*);
int PMPI_Comm_get_errhandler(MPI_Comm, MPI_Errhandler*);
int PMPI_Comm_get_parent(MPI_Comm*);
int PMPI_Comm_group(MPI_Comm, MPI_Group*);
int PMPI_Comm_rank(MPI_Comm, int*);
int PMPI_Comm_set_attr(MPI_Comm, int, void*);
int PMPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int PMPI_Comm_size(MPI_Comm, int*);
int PMPI_Comm_test_inter(MPI_Comm, int*);
int PMPI_Errhandler_free(MPI_Errhandler*);
int PMPI_Error_class(int, int*);
int PMPI_Finalized(int*);
int PMPI_Get_count(const MPI_Status*, MPI_Datatype, int*);
int PMPI_Get_library_version(char*, int*);
int PMPI_Grequest_complete(MPI_Request);
int PMPI_Group_free(MPI_Group*);
int PMPI_Group_translate_ranks(MPI_Group, int, const int*, MPI_Group, int*);
int PMPI_Iallgather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*);
int PMPI_Iallreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);
int PMPI_Ibcast(void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*);
int PMPI_Initialized(int*);
int PMPI_Iprobe(int, int, MPI_Comm, int*, MPI_Status*);
int PMPI_Irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int PMPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int PMPI_Issend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int PMPI_Op_commutative(MPI_Op, int*);
int PMPI_Pack(const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm);
int PMPI_Pack_c(const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Count*, MPI_Comm);
int PMPI_Query_thread(int*);
int PMPI_Reduce_local(const void*, void*, int, MPI_Datatype, MPI_Op);
int PMPI_Sendrecv(const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
int PMPI_Status_set_cancelled(MPI_Status*, int);
int PMPI_Status_set_elements(MPI_Status*, MPI_Datatype, int);
int PMPI_Test(MPI_Request*, int*, MPI_Status*);
int PMPI_Type_commit(MPI_Datatype*);
int PMPI_Type_create_hindexed_block(int, int, const MPI_Aint*, MPI_Datatype, MPI_Datatype*);
int PMPI_Type_create_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype*);
int PMPI_Type_free(MPI_Datatype*);
int PMPI_Type_get_contents(MPI_Datatype, int, int, int, int*, MPI_Aint*, MPI_Datatype*);
int PMPI_Type_get_contents_c(MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int*, MPI_Aint*, MPI_Count*,
                             MPI_Datatype*);
int PMPI_Type_get_envelope(MPI_Datatype, int*, int*, int*, int*);
int PMPI_Type_get_envelope_c(MPI_Datatype, MPI_Count*, MPI_Count*, MPI_Count*, MPI_Count*, int*);
int PMPI_Type_get_extent(MPI_Datatype, MPI_Aint*, MPI_Aint*);
int PMPI_Type_get_name(MPI_Datatype, char*, int*);
int PMPI_Type_get_true_extent(MPI_Datatype, MPI_Aint*, MPI_Aint*);
int PMPI_Type_size_x(MPI_Datatype, MPI_Count*);
int PMPI_Unpack(const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm);
int PMPI_Unpack_c(const void*, MPI_Count, MPI_Count*, void*, MPI_Count, MPI_Datatype, MPI_Comm);
int PMPI_Wait(MPI_Request*, MPI_Status*);
// MPICH's, which its library of the standard ABI has, too.
int PMPIX_Grequest_start(MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*,
                         MPIX_Grequest_poll_function*, MPIX_Grequest_wait_function*, void*, MPI_Request*);
}
