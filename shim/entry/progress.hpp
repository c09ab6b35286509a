// SPDX-License-Identifier: MIT
// The common part of the entry points for progress functions: functions that are not MPI's, and by which a library
// drives all messages in every call that blocks, whatever language the program is written in.
#pragma once

namespace mpigraft::entry {

/// Called at the first look, which is in MPI_Init. Returns the library's function `name`, also if dlopen(RTLD_LOCAL)
/// hides it but the object of `caller` is linked to it; null: there is none. Learns whether the node is crowded from
/// the launcher, because the ranks have not exchanged facts yet.
void* begin_looks(const char* name, const void* caller);

/// True if look_is_over() has to be called after a look. It is a cheap test, because a message of MPI takes several
/// looks.
bool more_to_do();

/// Called after a look; `found`: it moved a message. Carries on jobs, and naps if it should.
void look_is_over(bool found);

}  // namespace mpigraft::entry
