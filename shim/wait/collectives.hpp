// SPDX-License-Identifier: MIT
// MPI's collectives for our own ends, from wherever an operation runs: beside the program they go back to it.
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::wait {

int bcast(void* buffer, int count, abi::Type type, int root, abi::Comm comm);
int allreduce(const void* from, void* to, int count, abi::Type type, abi::Op op, abi::Comm comm);
int allgather(const void* own, void* all, std::size_t bytes, abi::Comm comm);
/// Whether all ranks say so.
bool true_on_all(bool mine, abi::Comm comm);
/// The program's call, to MPI.
int forward(const abi::RawCall& call);

}  // namespace mpigraft::wait
