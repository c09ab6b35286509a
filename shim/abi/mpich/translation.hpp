// SPDX-License-Identifier: MIT
// The translation for MPICH's binary interface, which Intel MPI, Cray MPICH, MVAPICH and ParaStation MPI share.
#pragma once

#include <string_view>

#include "shim/abi/library.hpp"

namespace mpigraft::abi {

/// Looks for all functions; the name of one that is not there is left in `missing`.
void find_mpich_functions(void* scope, FunctionName& missing);

/// Whether a library that describes itself so has the handles and constants that the translation was compiled with.
bool is_mpich(std::string_view version);

}  // namespace mpigraft::abi
