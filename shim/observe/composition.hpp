// SPDX-License-Identifier: MIT
// Finds pairs of calls that one call could replace: a scan, and a scan or reduction of its result; a reduction, and the
// call that brings its result to all ranks. Used only with a report.
#pragma once

#include <cstdint>
#include <optional>

#include "config/report/report.hpp"
#include "shim/abi/arguments.hpp"

namespace mpigraft::observe {

/// A communicator's last call.
struct PreviousCall {
  Collective collective{};
  const void* result = nullptr;  // null: there was no call, or rank 0 got no result
  std::int64_t bytes = 0;
  abi::Type type = abi::Type::null;
  abi::Op op = abi::Op::null;
};

/// The pair that `call` forms with the last call, if any; then makes `call` the last one. Two predefined operators form
/// a pair only if one distributes over the other. REQUIRES: called at rank 0 of a communicator of `ranks` ranks.
std::optional<report::ReportPair> follow(PreviousCall& last, const abi::Call& call, std::int64_t ranks);

}  // namespace mpigraft::observe
