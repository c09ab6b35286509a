// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::base {

/// From now on std::pmr::get_default_resource() is the heap, and 2 MiB that are set aside for when the heap has no
/// more. A rank without its schedule could not even send the messages by which the others learn that it failed.
void set_memory_aside();

/// True if some of it is in use.
bool memory_is_short();
bool is_set_aside(const void* memory);

}  // namespace mpigraft::base
