// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace mpigraft::agree {

/// A process has about 2000 context ids. mpigraft takes at most this many and leaves the rest to the program.
inline constexpr int max_private_communicators = 512;

/// A communicator's hold on a context id.
class ContextIdGuard {
 public:
  ContextIdGuard() = default;
  ~ContextIdGuard() { release(); }
  ContextIdGuard(const ContextIdGuard&) = delete;
  ContextIdGuard& operator=(const ContextIdGuard&) = delete;

  void take() { taken_ = true, ++taken_in_process; }
  void release() {
    if (taken_) --taken_in_process;
    taken_ = false;
  }
  static int in_process() { return taken_in_process; }

 private:
  static inline std::atomic<int> taken_in_process{0};
  bool taken_ = false;
};

}  // namespace mpigraft::agree
