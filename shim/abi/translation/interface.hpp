// SPDX-License-Identifier: MIT
// The binary interface that the translation is compiled for. The other files of this folder use MPI's own names, so
// that they can be compiled for each interface.
#pragma once

#if defined MPIGRAFT_STANDARD_ABI
#include "shim/abi/translation/standard.hpp"
#elif defined MPIGRAFT_OPEN_MPI
#include "shim/abi/translation/open_mpi.hpp"
#else
#include "shim/abi/translation/mpich.hpp"
#endif
