// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// The frees of communicators that a thread is in, one in delete functions of the other, each with an object on the
/// stack. An error handler may leave them by longjmp(), and then nothing tells that they are over but the stack, which
/// grows downwards.
template <class Object>
class Frees {
 public:
  void begin(Comm comm, Object* object) {
    end(object);
    if (count_ < all_.size()) all_[count_++] = {comm, object};
  }
  /// Ends the free of `object`, and all that were deeper in the stack.
  void end(const void* object) {
    while (count_ > 0 && all_[count_ - 1].object <= object) --count_;
  }
  /// The object of a communicator that is being freed; null: it is not. Its own frame lies deeper than the objects of
  /// its callers.
  [[gnu::noinline]] Object* find(Comm comm) {
    end(__builtin_frame_address(0));
    const auto last = all_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found = std::find_if(all_.begin(), last, [&](const Free& one) { return one.comm == comm; });
    return found == last ? nullptr : found->object;
  }

 private:
  struct Free {
    Comm comm;
    Object* object;
  };
  std::array<Free, 16> all_{};
  std::size_t count_ = 0;
};

}  // namespace mpigraft::abi
