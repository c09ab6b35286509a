// SPDX-License-Identifier: MIT
#include "shim/entry/held_operator.hpp"

#include <utility>

#include "shim/abi/functions.hpp"

namespace mpigraft::entry {

constinit HeldOperator* HeldOperator::first = nullptr;

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

}  // namespace mpigraft::entry
