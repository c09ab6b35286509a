// SPDX-License-Identifier: MIT
// Asks MPI whether a handle is valid, in a way that no error of it ends the program.
#pragma once

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// Makes a communicator of this rank alone, whose errors are returned. Not possible in MPI_Finalize. On it handles are
/// tried out; until it exists, no question is asked.
void make_own_comm();
/// That communicator; null: there is none, for lack of a context id.
Comm own_comm();

enum class Answer { no, unasked, yes };

/// Whether MPI accepts the type for communication, which it does not before the type is committed. REQUIRES:
/// is_datatype(type).
Answer accepts(Type type);

}  // namespace mpigraft::abi
