// SPDX-License-Identifier: MIT
#include "shim/entry/carried_call.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "shim/base/process.hpp"

namespace mpigraft::entry {
namespace {

/// Keeps a type of the program, which may free it before the call is over.
void hold(abi::Type& held, abi::Type type) {
  if (abi::is_datatype(type) && !abi::is_builtin(type)) held = abi::type_held(type);
}

}  // namespace

HeldOperator::HeldOperator(abi::Op op) : op_(op) {
  if (op != abi::Op::null) next_ = std::exchange(first, this);
}

HeldOperator::~HeldOperator() {
  if (op_ == abi::Op::null) return;
  HeldOperator** place = &first;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
  if (freed_ && !free_later(op_)) abi::op_free(op_);
}

bool HeldOperator::free_later(abi::Op op) {
  bool held = false;
  for (HeldOperator* each = first; each; each = each->next_)
    if (each->op_ == op) each->freed_ = held = true;
  return held;
}

CarriedCall::CarriedCall(const agree::Negotiated& agreed, const abi::Call& call, const execute::Plan& plan,
                         execute::TransportState* by)
    : transport(by), agreed_(agreed), call_(call), plan_(plan), op_(call_.user_op ? call_.op : abi::Op::null) {
  if (call_.user_op) base::prepare_unwinder();
  hold(held_[0], call_.type);
  if (call_.sends_typed()) hold(held_[1], call_.send_type());
}

CarriedCall::~CarriedCall() {
  for (abi::Type& type : held_)
    if (type != abi::Type::null) abi::type_free(type);
}

wait::Job::Outcome CarriedCall::advance() {
  if (!execution_ && !verification_) begin();
  const Outcome outcome = verification_ ? verification_->advance() : execution_->advance();
  if (outcome == Outcome::over) end(verification_ ? verification_->error() : execution_->error());
  return outcome;
}

void CarriedCall::begin() {
  if (memory::Devices::may_exist()) staging_.emplace(agreed_, *transport, call_);
  const abi::Call& call = staging_ ? staging_->call() : call_;
  if (observe::verifies_next(agreed_, *transport))
    verification_.emplace(agreed_, *transport, call, plan_.decision, true);
  else
    execution_.emplace(agreed_, *transport, call, plan_);
}

void CarriedCall::end(int error) {
  error_ = error;
  if (staging_) error_ = staging_->finish(error_);
  verification_.reset(), execution_.reset(), staging_.reset();  // the next call needs their memory
}

bool CarriedCall::keep(const void*& array, std::unique_ptr<char[]>& copy) const {
  if (!array) return true;
  const std::size_t bytes = call_.large ? sizeof(std::int64_t) : sizeof(int);
  const std::size_t all = bytes * static_cast<std::size_t>(agreed_.size);
  copy.reset(new (std::nothrow) char[all]);
  if (!copy) return false;
  array = std::memcpy(copy.get(), array, all);
  return true;
}

}  // namespace mpigraft::entry
