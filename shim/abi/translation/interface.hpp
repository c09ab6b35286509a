// SPDX-License-Identifier: MIT
// The binary interface that the translation is compiled for. The other files of this folder use MPI's own names, so
// that they can be compiled for each interface.
#pragma once

#if defined MPIGRAFT_STANDARD_ABI
#include "shim/abi/standard/codes.hpp"
#include "shim/abi/standard/interface.hpp"
#elif defined MPIGRAFT_OPEN_MPI
#include "shim/abi/openmpi/codes.hpp"
#include "shim/abi/openmpi/interface.hpp"
#else
#include <mpi.h>

#include "shim/abi/mpich/codes.hpp"
#endif
