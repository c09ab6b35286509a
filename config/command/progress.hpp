// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace mpigraft::command {

/// A line about work that takes long: silent at first, later rewritten in place on a terminal, and a new line now and
/// then elsewhere.
class Progress {
 public:
  using Duration = std::chrono::steady_clock::duration;

  Progress(std::ostream& out, bool terminal, Duration interval = std::chrono::seconds(2));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Tells that `label` is about to begin, and that `done` of `of` things are over.
  void show(std::size_t done, std::size_t of, const std::string& label);

 private:
  std::ostream& out_;
  const bool terminal_;
  const Duration interval_;
  const std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point next_;
  std::size_t width_ = 0;  // of the line on the terminal
};

}  // namespace mpigraft::command
