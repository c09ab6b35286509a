// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <string_view>

namespace mpigraft::base {

/// "mpigraft: MESSAGE" on stderr in one write, so that lines of many ranks do not mix. Neither function throws: where
/// memory is short they say nothing.
void log(std::string_view message);

/// The same, but once in this process for equal text.
void log_once(std::string_view message);

/// One write; true where it took all of `text`, else errno says why. A reader that is gone and a limit of file sizes
/// are errors here, not signals that end the program.
bool write_without_signal(int fd, std::string_view text);

/// Runs `talk`, which makes text; where that needs memory that is not there, silence is better than the end.
template <class F>
void without_memory_silent(F talk) {
  try {
    talk();
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace mpigraft::base
