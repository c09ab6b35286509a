// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "shim/abi/packed.hpp"
#include "shim/agree/agreement.hpp"
#include "shim/agree/claim.hpp"
#include "shim/memory/channel.hpp"
#include "shim/memory/pages.hpp"
#include "shim/operation/scratch.hpp"

namespace mpigraft::operation {

/// The means by which grafted calls of one communicator exchange messages: made when the first algorithm is about to
/// run. It carries one operation at a time. Two that are in flight take one each, since a receive takes any tag (the
/// tag tells how the sender fares) and a ring keeps the order in which its messages were sent; so neither waits for the
/// other, in whatever order the ranks carry them on. Which of them an operation takes must be equal on all ranks.
struct Traffic {
  explicit Traffic(const agree::Agreement& agreed);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  /// True once the private communicator, and the channel where there is to be one, stand on all ranks. Collective;
  /// asked only after an agreed decision.
  bool ensure(const agree::Agreement& agreed);

  abi::Comm comm = abi::Comm::null;        // the private one
  bool impossible = false;                 // there was no context id left for it
  bool carries_on = false;                 // it stands, and nonblocking calls come further in any call of MPI
  std::uint64_t sequence = 0;              // grafted calls so far, longer ones in pieces
  std::uint64_t sent_ahead = 0;            // of these, those whose messages MPI takes in before they are waited for
  std::unique_ptr<std::int64_t[]> firsts;  // Parts::firsts of a call: one more than there are ranks
  Scratch scratch;
  abi::ShiftedTypes shifted_types;
  std::optional<memory::Channel> channel;  // to ranks of this node: not on all nodes, and not on all ranks alike
  std::optional<memory::Pages> pages;      // of all ranks, on all ranks or on none: there is one node

 private:
  bool agree_that_it_stands(const agree::Agreement& agreed);
  void open_channel(const agree::Agreement& agreed);

  agree::Claim claim_;
};

}  // namespace mpigraft::operation
