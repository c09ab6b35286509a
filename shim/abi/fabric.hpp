// SPDX-License-Identifier: MIT
// libfabric, by which MPICH's netmod ofi moves messages. MPI calls no function of that library to poll for them: it
// reads a completion queue by a table of functions in the queue itself (fi_cq(3)), in every call that blocks. A
// provider's tables cannot be changed, so objects get copies in which one function is ours.
#pragma once

#include "shim/abi/binding.hpp"

namespace mpigraft::abi {

/// Opens a fabric as `fi_fabric` without this library. If `caller` belongs to the MPI library that is grafted, makes
/// `before_poll` be called before each poll by that fabric.
int open_fabric(Function& fi_fabric, const void* caller, void* attributes, void** fabric, void* context,
                void (*before_poll)());

}  // namespace mpigraft::abi
