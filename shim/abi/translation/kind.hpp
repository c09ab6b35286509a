// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::abi {

/// Those of the handles that programs pass to collectives.
enum class Kind { communicator, type, op };

}  // namespace mpigraft::abi
