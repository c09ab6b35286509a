// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/blocking.hpp"
#include "shim/observe/trace.hpp"

namespace mpigraft::observe {

/// Traces a call of the table of blocking functions, likewise.
class Blocked : public Traced {
 public:
  /// The arguments are as wide as registers, in the order of the function.
  Blocked(const abi::Blocking& function, const std::uintptr_t* arguments);

  /// Also remembers what the call has made.
  int ended(int error) const;

 private:
  void remember_request() const;

  const abi::Blocking& function_;
  const std::uintptr_t* const words_;
};

}  // namespace mpigraft::observe
