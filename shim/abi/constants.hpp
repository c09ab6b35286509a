// SPDX-License-Identifier: MIT
// The constants of mpi.h. Those that libraries agree on are constants here; handles are set once the library is known.
#pragma once

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

inline constexpr int success = 0;
inline constexpr const void* bottom = nullptr;
extern const void* const in_place;
extern const int any_source, any_tag, undefined;

extern const int err_intern, err_no_mem, err_other, err_truncate;

/// Whether an error of a collective says that MPI has looked at its arguments and no further.
bool is_of_arguments(int error);

extern Comm comm_self, comm_world;
extern Errhandler errors_return;
extern Keyval tag_ub;

extern Type type_byte, type_int, type_int64, type_double;
extern Op op_max, op_min, op_sum;

}  // namespace mpigraft::abi
