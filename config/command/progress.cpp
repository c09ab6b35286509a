// SPDX-License-Identifier: MIT
#include "config/command/progress.hpp"

#include <algorithm>
#include <ostream>

namespace mpigraft::command {

Progress::Progress(std::ostream& out, bool terminal, Duration interval)
    : out_(out),
      terminal_(terminal),
      interval_(interval),
      begin_(std::chrono::steady_clock::now()),
      next_(begin_ + interval) {}

/// Clears the line, so that the result that follows stands alone.
Progress::~Progress() {
  if (width_ > 0) out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
}

void Progress::show(std::size_t done, std::size_t of, const std::string& label) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  if (!terminal_) next_ = now + interval_;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
  std::string line = std::to_string(done) + "/" + std::to_string(of) + ", " + std::to_string(seconds) + " s: " + label;
  if (!terminal_) {
    out_ << line << std::endl;
    return;
  }
  const std::size_t length = line.size();
  line.resize(std::max(length, width_), ' ');  // overwrites the longer line before it
  width_ = length;
  out_ << '\r' << line << std::flush;
}

}  // namespace mpigraft::command
