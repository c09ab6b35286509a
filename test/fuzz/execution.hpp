// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string>

#include "test/fuzz/case.hpp"

namespace mpigraft::fuzz {

/// Makes the call of a case on this rank and judges its result; "" or what is wrong. It chooses what each rank may
/// choose for itself: MPI_IN_PLACE, the _c form, null for buffers that are not significant.
std::string execute(Case c, MPI_Comm comm, int rank);

}  // namespace mpigraft::fuzz
