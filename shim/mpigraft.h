/* SPDX-License-Identifier: MIT */
/* Functions that make a scan and a collective on its result in one, by the composition rules of Gorlatch and Lengauer
 * (1997). A program that calls them links libmpigraft before its MPI: pkg-config --cflags --libs mpigraft. See
 * mpigraft.h(3). */
#ifndef MPIGRAFT_H
#define MPIGRAFT_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags. The rules need `times` to distribute over `plus`: a x (b + c) = (a x b) + (a x c), as + does over max. The
 * library knows which predefined operators distribute. For other operators that do, all ranks pass
 * MPIGRAFT_DISTRIBUTES; with 0 the function makes the two calls. */
enum { MPIGRAFT_DISTRIBUTES = 1 };

/* MPI_Scan with `times`, then MPI_Reduce with `plus` of the scan's results, which are not kept. `count` is in elements
 * of `datatype`; `recvbuf` matters at `root` only. `sendbuf` may be MPI_IN_PLACE where MPI_Reduce permits it.
 * Collective: all ranks of `comm` pass the same arguments except for the buffers. Returns MPI_SUCCESS or the error of
 * one of the two functions, after the communicator's error handler was called; MPI_ERR_OTHER under an MPI that mpigraft
 * does not know. */
int MPIGRAFT_Scan_reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op times,
                         MPI_Op plus, int flags, int root, MPI_Comm comm);

/* As MPIGRAFT_Scan_reduce, with MPI_Allreduce: `recvbuf` matters at every rank, which may pass MPI_IN_PLACE. */
int MPIGRAFT_Scan_allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op times,
                            MPI_Op plus, int flags, MPI_Comm comm);

/* As MPIGRAFT_Scan_reduce, with a second MPI_Scan: rank r gets the combination, with `plus`, of the first scan's
 * results at ranks 0 to r. `sendbuf` may be MPI_IN_PLACE as in MPI_Scan. */
int MPIGRAFT_Scan_scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op times,
                       MPI_Op plus, int flags, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
