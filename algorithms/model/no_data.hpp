// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// The Data policy of a replay in which nothing flows. Other policies have the same members.
struct NoData {
  void send(int /*rank*/, int /*port*/, int /*event*/, Span /*from*/) {}
  /// A message begins. Both blocks stay untouched until they are waited for.
  void move(int /*sender*/, int /*port*/, Span /*from*/, int /*receiver*/, int /*port*/, Span /*to*/) {}
  /// A receive is over; `event` is the wait.
  void received(int /*rank*/, int /*port*/, int /*event*/, Span /*to*/) {}
  /// Publishes the next page, with the values that the block holds now.
  void publish(int /*rank*/, int /*event*/, Span /*from*/) {}
  /// Reads from a page. `page` counts from 0; `first` is the first element, where all pages lie one behind the other.
  void read(int /*rank*/, int /*event*/, std::size_t /*page*/, std::size_t /*first*/, Span /*to*/) {}
  void copy(int /*rank*/, int /*event*/, Span /*from*/, Span /*to*/) {}
  void combine(int /*rank*/, int /*event*/, Span /*lower*/, Span /*upper*/, Span /*out*/) {}
};

}  // namespace mpigraft::model
