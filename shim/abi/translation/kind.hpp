// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::abi {

/// The kinds of handles that programs pass to collectives.
enum class Kind { communicator, type, op };

}  // namespace mpigraft::abi
