// SPDX-License-Identifier: MIT
// Tells the address sanitizer, where it is compiled in, on which stack a thread goes on: it would take the other one's
// memory for out of bounds.
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

/// A change of this thread to the stack `to`, and its return, which may be from another one.
class StackChange {
 public:
  explicit StackChange([[maybe_unused]] const StackPlace& to) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&own_, to.lowest, to.bytes);
#endif
  }
  /// The place of the stack from which the thread came back.
  StackPlace returned() const { return arrived(own_); }

  /// The same, of a thread that is on a stack for the first time.
  static StackPlace arrived([[maybe_unused]] void* own = nullptr) {
    StackPlace from;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(own, &from.lowest, &from.bytes);
#endif
    return from;
  }

 private:
  void* own_ = nullptr;  // what the sanitizer keeps of the stack that is left
};

}  // namespace mpigraft::wait
