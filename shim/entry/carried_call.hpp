// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "shim/abi/call.hpp"
#include "shim/execute/execution.hpp"
#include "shim/execute/plan.hpp"
#include "shim/execute/staging.hpp"
#include "shim/observe/verify.hpp"
#include "shim/wait/jobs.hpp"

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
  static inline constinit HeldOperator* first = nullptr;

  const abi::Op op_;
  bool freed_ = false;  // by the program
  HeldOperator* next_ = nullptr;
};

/// A call that is carried on beside the program, once or several times. It keeps what the program may free or change
/// after MPI has returned.
class CarriedCall : public wait::Job {
 public:
  CarriedCall(const CarriedCall&) = delete;
  CarriedCall& operator=(const CarriedCall&) = delete;

  /// Copies the arrays of counts and displacements. Programs must leave them alone until the call is over (MPI-4.0,
  /// 6.12), but MPI libraries read them at once, and programs rely on it. Returns false without memory.
  bool keep_arrays() { return keep(call_.counts, counts_) && keep(call_.displs, displs_); }

  /// Carries the call on; begins it if it is not under way. REQUIRES: `transport` is set, with ensure(), and all
  /// earlier calls by it are over.
  Outcome advance() override;
  /// MPI_SUCCESS or an error class, once it is over.
  int outcome() const { return error_; }

 protected:
  /// A call whose facts are known, by a plan for calls like it. REQUIRES: the plan names an algorithm.
  CarriedCall(const agree::Negotiated& agreed, const abi::Call& call, const execute::Plan& plan,
              execute::TransportState* by = nullptr);
  ~CarriedCall();

  const abi::Call& call() const { return call_; }
  const execute::Decision& decision() const { return plan_.decision; }

  execute::TransportState* transport;

 private:
  void begin();
  void end(int error);
  bool keep(const void*& array, std::unique_ptr<char[]>& copy) const;

  const agree::Negotiated& agreed_;
  std::unique_ptr<char[]> counts_, displs_;
  abi::Call call_;
  const execute::Plan plan_;
  const HeldOperator op_;
  abi::Type held_[2] = {abi::Type::null, abi::Type::null};
  int error_ = abi::success;

  std::optional<execute::Staging> staging_;  // if buffers may lie in a GPU's memory
  std::optional<execute::ResumableExecution> execution_;
  std::optional<observe::Verification> verification_;  // does an execution's work
};

}  // namespace mpigraft::entry
