// SPDX-License-Identifier: MIT
// The binary interface that the translation is compiled for. Everything else in this folder is written in MPI's own
// names, so that one text serves all of them.
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
