// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "config/report/trace.hpp"
#include "shim/observe/composition.hpp"

namespace mpigraft::observe {

/// The observers' memory of a communicator, from call to call.
struct Seen {
  PreviousCall previous_call = {};  // with a report

  // with MPIGRAFT_TRACE
  std::int64_t calls = 0;
  report::TraceText<32> name{};
  std::int32_t world_order = 0;
};

}  // namespace mpigraft::observe
