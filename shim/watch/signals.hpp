// SPDX-License-Identifier: MIT
// Signals that make a rank tell who waits where: that of MPIGRAFT_SIGNAL, and those that end a job.
#pragma once

#include <cstdint>
#include <string>

namespace mpigraft::watch {

struct Signal {
  int number = 0;         // 0: there is none
  bool ends = false;      // it ends the program
  std::int64_t came = 0;  // seconds since 1970

  std::string name() const;  // "SIGUSR1"
};

/// Handles signal `number` of table::signals (0: none), and if `at_end`, SIGINT and SIGTERM unless the program or its
/// parent did something about them. One that ends the program ends it still: at once, or after a moment if this rank
/// waits in a call, which is to take the signal.
void answer_to(int number, bool at_end);

bool has_signal();
/// Takes the signal that has come, if any.
Signal taken_signal();

/// Ends the program by the signal. REQUIRES: it has come.
void end_by(int number);

}  // namespace mpigraft::watch
