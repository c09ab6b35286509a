// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "config/table/settings.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::base {

/// The settings of this process, by its environment and the site, read at the first call. Setuid programs ignore the
/// environment. Names of files are absolute.
/// Tests and the benchmark change the settings between communicators: decisions use what a communicator's exchange
/// read.
table::Settings& settings();

/// The path of a file that the process named when it started. The program may go to another folder.
std::string from_start(const std::string& path);

/// What `ask` finds in the settings; false without memory for them.
template <class F>
bool ask_settings(F ask) {
  bool answer = false;
  ignore_bad_alloc([&] { answer = std::invoke(ask, settings()); });
  return answer;
}

/// True if MPIGRAFT_DISABLE=1 is set: this process is to behave as if mpigraft were not loaded. Needs no memory.
bool disabled();

/// Called before an operator of the program runs, which may throw. Sets up the shared libgcc by a walk of its own. A
/// program that contains libgcc throws exceptions with its own copy, but the shared one cleans up our frames, and
/// aborts if it is not set up.
void prepare_unwinder();

}  // namespace mpigraft::base
