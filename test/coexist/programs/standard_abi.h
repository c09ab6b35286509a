/* SPDX-License-Identifier: MIT
   What the standard ABI of MPI-5 says of the few calls here: handles are pointers, predefined ones small numbers. */
#include <stdint.h>

typedef struct comm* MPI_Comm;
typedef struct type* MPI_Datatype;
typedef struct op* MPI_Op;
typedef int64_t MPI_Count;

#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_SUM ((MPI_Op)0x21)
#define MPI_INT64_T ((MPI_Datatype)0x258)

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* twin);
int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Bcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Reduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
