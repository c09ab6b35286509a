// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "config/table/table.hpp"
#include "shim/abi/handles.hpp"
#include "shim/agree/agreed_table.hpp"
#include "shim/agree/refusal.hpp"

namespace mpigraft::agree {

/// All that the ranks of a communicator have agreed on; it never changes. All but `rank` is equal on all of them.
struct Agreement {
  /// Nothing agreed: the communicator and this rank's place in it.
  explicit Agreement(abi::Comm user_comm);

  abi::Comm comm;  // the program's
  int rank = 0;
  int size = 0;

  Refusal refusal = Refusal::none;
  bool strict = false;  // any rank's MPIGRAFT_STRICT
  bool float_native = false;
  bool fixed_order = false;
  bool shares = false;      // messages inside a node go through memory, if there is a segment
  bool all_report = false;  // all ranks of MPI_COMM_WORLD were there, and all ask for a report
  bool learns = false;      // MPIGRAFT_LEARN, and there is room for one more communicator that does
  std::int64_t verify = 0;  // every so many grafted calls
  std::array<std::optional<table::Choice>, collective_count> force;  // by Collective
  std::array<std::optional<Way>, composition_count> force_way;       // by Composition
  std::shared_ptr<const AgreedTable> table;
  std::int64_t node_count = 1;
  table::Range ranks_per_node{1, 1};
  bool crowded = false;         // ranks outnumber cores on any node
  std::vector<int> nodes;       // the first rank of each; empty where the ranks of any are not consecutive
  std::vector<int> domains;     // the first rank of each on a single node; empty where it has not several
  std::array<char, 48> name{};  // names the private communicator, unique in the job
};

}  // namespace mpigraft::agree
