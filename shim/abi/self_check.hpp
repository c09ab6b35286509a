// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::abi {

/// Checks what the translation relies on, by a handful of calls on MPI_COMM_SELF. Returns a text that says what failed;
/// empty if nothing failed or needs_self_check() is false. Only the first call checks. REQUIRES: graftable(), and MPI
/// is between MPI_Init and MPI_Finalize.
const char* self_check();

}  // namespace mpigraft::abi
