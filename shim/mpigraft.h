/* SPDX-License-Identifier: MIT */
/* A scan, and a call on its result, in one: the composition rules of Gorlatch and Lengauer, 1997. For programs that
 * link libmpigraft before their MPI: pkg-config --cflags --libs mpigraft. mpigraft.h(3) tells the rest. */
#ifndef MPIGRAFT_H
#define MPIGRAFT_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags: the rules want that `times` distributes over `plus`, a x (b + c) = (a x b) + (a x c), as + does over max. Of
 * predefined operators that is known. Of others the program says so, on all ranks; else the two calls are made. */
enum { MPIGRAFT_DISTRIBUTES = 1 };

/* MPI_Scan with `times`, and of its results MPI_Reduce with `plus`. The arguments, MPI_IN_PLACE and errors are those of
 * MPI_Reduce; the scan's own results are not kept. */
int MPIGRAFT_Scan_reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op times,
                         MPI_Op plus, int flags, int root, MPI_Comm comm);

/* The same with MPI_Allreduce. */
int MPIGRAFT_Scan_allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op times,
                            MPI_Op plus, int flags, MPI_Comm comm);

/* The same with a second MPI_Scan. */
int MPIGRAFT_Scan_scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op times,
                       MPI_Op plus, int flags, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
