// SPDX-License-Identifier: MIT
// Two calls that one call could replace: a scan, and a scan or a reduction of its result. Looked for only where there
// is a report.
#pragma once

#include <cstdint>
#include <optional>

#include "config/report/report.hpp"
#include "shim/abi/arguments.hpp"

namespace mpigraft::observe {

/// The result of a communicator's last call, if that was a scan.
struct LastScan {
  const void* result = nullptr;  // null: it was no scan
  std::int64_t count = 0;
  abi::Type type = abi::Type::null;
  abi::Op op = abi::Op::null;
};

/// The pair that `call` makes with the last one, unless the operators are known not to be so related that they would
/// make one; keeps the call as the last one.
std::optional<report::ReportPair> follow(LastScan& last, const abi::Call& call, std::int64_t ranks);

}  // namespace mpigraft::observe
