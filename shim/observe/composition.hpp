// SPDX-License-Identifier: MIT
// Two calls that one call could replace: a scan, and a scan or a reduction of its result; a reduction, and the call
// that brings its result to all ranks. Looked for only where there is a report.
#pragma once

#include <cstdint>
#include <optional>

#include "config/report/report.hpp"
#include "shim/abi/arguments.hpp"

namespace mpigraft::observe {

/// A communicator's last call.
struct PreviousCall {
  Collective collective{};
  const void* result = nullptr;  // null: there was none, or it left nothing at rank 0
  std::int64_t bytes = 0;
  abi::Type type = abi::Type::null;
  abi::Op op = abi::Op::null;
};

/// At rank 0, the pair that `call` makes with the last one, unless the operators are known not to be so related that
/// they would make one; keeps the call as the last one.
std::optional<report::ReportPair> follow(PreviousCall& last, const abi::Call& call, std::int64_t ranks);

}  // namespace mpigraft::observe
