// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::abi {

/// True if this thread is inside a function of the MPI library, which has called back: in MPI_Finalize, a copy or
/// delete function of an attribute, an error handler, an operator, or a function of a generalized request. There MPI
/// may hold locks, so that some calls would wait for themselves. Takes some microseconds. False while MPI is unknown.
bool called_from_mpi();

}  // namespace mpigraft::abi
