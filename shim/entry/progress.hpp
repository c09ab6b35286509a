// SPDX-License-Identifier: MIT
// The common part of the entry points that are not MPI's: functions through which a library drives all messages, from
// every call that blocks, in whatever language it was made.
#pragma once

namespace mpigraft::entry {

/// The library's function of this name; behind `caller` where dlopen(RTLD_LOCAL) hides it, null where it is nowhere.
/// For the first look, which is in MPI_Init: whether cores are short is what the launcher tells, before ranks have told
/// each other more.
void* begin_looks(const char* name, const void* caller);

/// Whether a look leaves something to do here: most calls find nothing, and a message of MPI's takes several looks.
bool more_to_do();

/// A look is over; `found`: it moved something.
void look_is_over(bool found);

}  // namespace mpigraft::entry
