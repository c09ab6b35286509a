// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::abi {

/// Empty where there is no need of it, or where the library does what the translation takes for granted, in a handful
/// of calls on MPI_COMM_SELF; else what it does not, in words. The calls are made once. REQUIRES: graftable(), between
/// MPI_Init and MPI_Finalize.
const char* self_check();

}  // namespace mpigraft::abi
