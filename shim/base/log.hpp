// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <string_view>

namespace mpigraft::base {

/// Writes "mpigraft: MESSAGE" to stderr in one write, so that lines of several ranks do not mix. Never throws: without
/// memory it writes nothing.
void log(std::string_view message);

/// As `log`, but writes each text only once in this process.
void log_once(std::string_view message);

/// Runs `act` and swallows std::bad_alloc: if there is no memory for a message, silence is better than the program's
/// end. Returns true if there was memory.
template <class F>
bool ignore_bad_alloc(F act) {
  try {
    act();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace mpigraft::base
