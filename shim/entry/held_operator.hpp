// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/handles.hpp"

namespace mpigraft::entry {

/// Keeps an operator of the program for a call that is carried on. MPI has no second handle for an operator, so
/// MPI_Op_free frees it only when no call needs it any more. All calls of MPI come from one thread.
class HeldOperator {
 public:
  /// `op`: null if there is nothing to keep.
  explicit HeldOperator(abi::Op op);
  ~HeldOperator();
  HeldOperator(const HeldOperator&) = delete;
  HeldOperator& operator=(const HeldOperator&) = delete;

  /// Called when the program frees an operator. Returns false if no call needs it, and MPI should free it at once.
  static bool free_later(abi::Op op);

 private:
  static constinit HeldOperator* first;

  const abi::Op op_;
  bool freed_ = false;  // by the program
  HeldOperator* next_ = nullptr;
};

}  // namespace mpigraft::entry
