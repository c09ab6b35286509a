// SPDX-License-Identifier: MIT
// The entry points, and nothing else. No <mpi.h>: handles arrive as wide as a register.
#include "shim/abi/call.hpp"

using mpigraft::Collective;
using mpigraft::intercepted;
using Handle = std::uintptr_t;
using Count = std::int64_t;  // MPI_Count

#define GRAFT extern "C" __attribute__((visibility("default"))) int
#define CALLER __builtin_return_address(0)

GRAFT MPI_Scan(const void* send, void* recv, int count, Handle type, Handle op, Handle comm) {
  return intercepted({Collective::scan, false, send, recv, count, type, op, 0, comm}, CALLER);
}
GRAFT MPI_Scan_c(const void* send, void* recv, Count count, Handle type, Handle op, Handle comm) {
  return intercepted({Collective::scan, true, send, recv, count, type, op, 0, comm}, CALLER);
}
GRAFT MPI_Exscan(const void* send, void* recv, int count, Handle type, Handle op, Handle comm) {
  return intercepted({Collective::exscan, false, send, recv, count, type, op, 0, comm}, CALLER);
}
GRAFT MPI_Exscan_c(const void* send, void* recv, Count count, Handle type, Handle op, Handle comm) {
  return intercepted({Collective::exscan, true, send, recv, count, type, op, 0, comm}, CALLER);
}
GRAFT MPI_Bcast(void* buffer, int count, Handle type, int root, Handle comm) {
  return intercepted({Collective::bcast, false, nullptr, buffer, count, type, 0, root, comm}, CALLER);
}
GRAFT MPI_Bcast_c(void* buffer, Count count, Handle type, int root, Handle comm) {
  return intercepted({Collective::bcast, true, nullptr, buffer, count, type, 0, root, comm}, CALLER);
}
GRAFT MPI_Reduce(const void* send, void* recv, int count, Handle type, Handle op, int root, Handle comm) {
  return intercepted({Collective::reduce, false, send, recv, count, type, op, root, comm}, CALLER);
}
GRAFT MPI_Reduce_c(const void* send, void* recv, Count count, Handle type, Handle op, int root, Handle comm) {
  return intercepted({Collective::reduce, true, send, recv, count, type, op, root, comm}, CALLER);
}
