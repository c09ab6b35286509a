// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/blocking.hpp"
#include "shim/observe/trace.hpp"

namespace mpigraft::observe {

/// Traces a call of a function in the table of blocking functions.
class Blocked : public Traced {
 public:
  /// `arguments` are as wide as registers, in the order of the function, and must outlive this object.
  Blocked(const abi::Blocking& function, const std::uintptr_t* arguments);

  /// As Traced::ended; also remembers the request or communicator that the call has made.
  int ended(int error) const;

 private:
  void remember_request() const;

  const abi::Blocking& function_;
  const std::uintptr_t* const words_;
};

}  // namespace mpigraft::observe
