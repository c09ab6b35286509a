// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shim/abi/handles.hpp"

namespace mpigraft::agree {

/// Why no call on a communicator is grafted. The order is that of importance when ranks differ. The last ones are those
/// of single calls: among a communicator's first ones, and of nonblocking ones.
enum class Refusal {
  none,
  disabled,
  intercommunicator,
  other_world,
  settings,
  library,
  table,
  differs,
  many,
  context,
  memory,
  young,
  early,
  not_carried_on,
  program_operator,
  persistent
};

/// In words; empty for none.
std::string words_of(Refusal refusal);

/// With MPIGRAFT_VERBOSE: that no more communicators are grafted; every text once in a process.
void tell_refusal(Refusal refusal);

/// The reason to stay native that needs no vote: all ranks see it alike.
Refusal native_by_nature(abi::Comm comm);

}  // namespace mpigraft::agree
