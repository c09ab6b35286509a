// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "shim/abi/binding.hpp"
#include "shim/abi/parameters.hpp"

namespace mpigraft::entry {

/// Where an entry point passes its calls on to, for functions that are called so often that a look at the caller
/// counts.
class NextDefinition {
 public:
  explicit constexpr NextDefinition(const char* name) : of_callers_(name) {}

  /// The next definition for all callers; null: it is not known, or they differ.
  void* of_all() const { return of_all_.load(std::memory_order_relaxed); }
  /// The definition that the caller reaches without us.
  [[gnu::always_inline]] void* of(abi::Caller caller) {
    void* const known = of_all();
    return known ? known : find(caller);
  }
  /// The same, if of_all() is null.
  void* find(const void* caller) {
    const abi::Binding found = of_callers_.next(caller);
    if (found.of_all) of_all_.store(found.function, std::memory_order_relaxed);
    return found.function;
  }

 private:
  abi::Function of_callers_;
  std::atomic<void*> of_all_{nullptr};
};

}  // namespace mpigraft::entry
