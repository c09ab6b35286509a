// SPDX-License-Identifier: MIT
// Tells the address sanitizer, if it is compiled in, which stack a thread changes to: it would otherwise report
// accesses to the other stack.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace mpigraft::wait {

struct StackPlace {
  const void* lowest = nullptr;
  std::size_t bytes = 0;
};

/// A change of this thread to the stack `to`. The thread may return from another stack.
class StackChange {
 public:
  explicit StackChange([[maybe_unused]] const StackPlace& to) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&sanitizer_state_, to.lowest, to.bytes);
#endif
  }
  /// Called after the return. Returns the place of the stack from which the thread came back.
  StackPlace returned() const { return arrived(sanitizer_state_); }

  /// Called where a thread is on a stack for the first time. Returns the place of the stack from which it came.
  static StackPlace arrived([[maybe_unused]] void* sanitizer_state = nullptr) {
    StackPlace from;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(sanitizer_state, &from.lowest, &from.bytes);
#endif
    return from;
  }

 private:
  void* sanitizer_state_ = nullptr;  // the sanitizer's state of the stack that the thread left
};

}  // namespace mpigraft::wait
