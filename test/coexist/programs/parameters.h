// SPDX-License-Identifier: MIT
// Types of the collectives' parameters; `form` is large_ in functions with MPI_Count.
#define TYPE_sendbuf(form) const void*
#define TYPE_sendcount(form) form##int
#define TYPE_sendtype(form) MPI_Datatype
#define TYPE_recvbuf(form) void*
#define TYPE_count(form) form##int
#define TYPE_counts(form) const form##int*
#define TYPE_displs(form) const form##int*
#define TYPE_datatype(form) MPI_Datatype
#define TYPE_op(form) MPI_Op
#define TYPE_root(form) int
#define TYPE_comm(form) MPI_Comm
