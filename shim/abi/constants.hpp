// SPDX-License-Identifier: MIT
// The constants of mpi.h. Values on which all libraries agree are constants here; handles are set once the library is
// known.
#pragma once

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

inline constexpr int success = 0;
extern const void* const in_place;
extern const int any_source, any_tag, undefined;

extern const int err_intern, err_no_mem, err_other, err_truncate;

/// True if the class of a collective's error code says that MPI rejected the arguments before it sent anything.
bool is_of_arguments(int error);

extern Comm comm_self, comm_world;
extern Errhandler errors_are_fatal, errors_return;
extern Keyval tag_ub;

extern Type type_byte, type_int, type_int64, type_double;
extern Op op_max, op_min, op_sum;

}  // namespace mpigraft::abi
