// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "shim/abi/parameters.hpp"

namespace mpigraft::watch {

/// The arguments of a call that the trace tells. A member is empty if the function has no such parameter.
struct Told {
  const void *buf = nullptr, *counts = nullptr, *requests = nullptr, *newrequest = nullptr, *newcomm = nullptr;
  const void *sendbuf = nullptr, *recvbuf = nullptr, *displs = nullptr;
  bool large_counts = false;
  std::optional<std::int64_t> count, other_count, sendcount;
  std::optional<abi::Word> datatype, other_datatype, sendtype, op, comm;
  std::optional<int> root, dest, source, tag, recvtag, number;

  template <class... Arguments>
  explicit Told(const Arguments&... arguments) {
    (take(arguments), ...);
  }

 private:
  using Narrow = abi::Narrow;
  using Large = abi::Large;

  void take(const auto&) {}
  void take(Narrow::buf value) { buf = value; }
  void take(Narrow::count value) { count = static_cast<int>(value); }
  void take(Large::count value) { count = static_cast<std::int64_t>(value); }
  void take(Narrow::other_count value) { other_count = static_cast<int>(value); }
  void take(Large::other_count value) { other_count = static_cast<std::int64_t>(value); }
  void take(Narrow::counts value) { counts = value; }
  void take(Large::counts value) { counts = value, large_counts = true; }
  void take(Narrow::datatype value) { datatype = static_cast<abi::Word>(value); }
  void take(Narrow::other_datatype value) { other_datatype = static_cast<abi::Word>(value); }
  void take(Narrow::sendbuf value) { sendbuf = value; }
  void take(Narrow::recvbuf value) { recvbuf = value; }
  void take(Narrow::displs value) { displs = value; }
  void take(Narrow::sendcount value) { sendcount = static_cast<int>(value); }
  void take(Large::sendcount value) { sendcount = static_cast<std::int64_t>(value); }
  void take(Narrow::sendtype value) { sendtype = static_cast<abi::Word>(value); }
  void take(Narrow::op value) { op = static_cast<abi::Word>(value); }
  void take(Narrow::root value) { root = static_cast<int>(value); }
  void take(Narrow::dest value) { dest = static_cast<int>(value); }
  void take(Narrow::source value) { source = static_cast<int>(value); }
  void take(Narrow::tag value) { tag = static_cast<int>(value); }
  void take(Narrow::recvtag value) { recvtag = static_cast<int>(value); }
  void take(Narrow::number value) { number = static_cast<int>(value); }
  void take(Narrow::requests value) { requests = value; }
  void take(Narrow::request value) { requests = value, number = 1; }
  void take(Narrow::newrequest value) { newrequest = value; }
  void take(Narrow::comm value) { comm = static_cast<abi::Word>(value); }
  void take(Narrow::newcomm value) { newcomm = value; }
};

}  // namespace mpigraft::watch
