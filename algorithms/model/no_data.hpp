// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// The policy of a replay in which nothing flows; the others have the same members.
struct NoData {
  void send(int /*rank*/, int /*port*/, int /*event*/, Span /*from*/) {}
  /// Under way; both blocks stay untouched until they are waited for.
  void move(int /*sender*/, int /*port*/, Span /*from*/, int /*receiver*/, int /*port*/, Span /*to*/) {}
  /// Receive over; `event` is the wait.
  void received(int /*rank*/, int /*port*/, int /*event*/, Span /*to*/) {}
  /// The next page: its values are those of now.
  void publish(int /*rank*/, int /*event*/, Span /*from*/) {}
  /// The page is counted from 0 on; `first` is the first element where all pages lie one behind the other.
  void read(int /*rank*/, int /*event*/, std::size_t /*page*/, std::size_t /*first*/, Span /*to*/) {}
  void copy(int /*rank*/, int /*event*/, Span /*from*/, Span /*to*/) {}
  void combine(int /*rank*/, int /*event*/, Span /*lower*/, Span /*upper*/, Span /*out*/) {}
};

}  // namespace mpigraft::model
