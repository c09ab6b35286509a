// SPDX-License-Identifier: MIT
#include "shim/wait/fiber.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <new>
#include <utility>

#include "shim/wait/stack_change.hpp"

namespace mpigraft::wait {

/// A stack, on which jobs run one after the other.
class Fiber {
 public:
  Fiber() : Fiber(Stacks(stack_bytes)) {}

  /// Runs the job until it waits again. Returns false if it is over.
  bool resume() {
    moved_ = true;
    fibers.current = this;
    const StackChange change(own_stack_);
    job_side_ = std::move(job_side_).resume();
    change.returned();
    fibers.current = nullptr;
    return job_ != nullptr;
  }
  void suspend(bool moved, const Wakeup& wakeup) {
    moved_ = moved;
    wakeup_ = wakeup;
    go_back();
  }
  void take(void (*job)(void*), void* of) { job_ = job, of_ = of; }
  bool moved() const { return moved_; }
  const Wakeup& wakeup() const { return wakeup_; }

  Fiber* next = nullptr;  // in the list of fibers with a job, or in that of idle ones

 private:
  using Side = boost::context::fiber;
  using Stacks = boost::context::protected_fixedsize_stack;
  static constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // for MPI's functions; no operators run here

  explicit Fiber(Stacks stacks) : Fiber(stacks, stacks.allocate()) {}
  Fiber(const Stacks& stacks, const boost::context::stack_context& stack)
      : own_stack_{static_cast<char*>(stack.sp) - stack.size, stack.size},
        job_side_(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), stacks,
                  [this](Side&& program) -> Side { serve(std::move(program)); }) {}

  [[noreturn]] void serve(Side program) {
    programs_stack_ = StackChange::arrived();
    program_ = std::move(program);
    for (;;) {
      job_(of_);
      job_ = nullptr;
      go_back();
    }
  }
  void go_back() {
    const StackChange change(programs_stack_);
    program_ = std::move(program_).resume();
    programs_stack_ = change.returned();
  }

  void (*job_)(void*) = nullptr;
  void* of_ = nullptr;
  bool moved_ = false;
  Wakeup wakeup_;
  StackPlace own_stack_, programs_stack_;
  Side program_, job_side_;
};

namespace {

constinit thread_local Fiber* idle = nullptr;  // never freed: as many as there were jobs at once

Fiber* idle_fiber() {
  try {
    return idle ? std::exchange(idle, idle->next) : new Fiber;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void back_to_program(bool moved, const Wakeup& wakeup) { fibers.current->suspend(moved, wakeup); }

Wakeup wakeup_of_jobs() {
  for (const Fiber* fiber = fibers.first; fiber; fiber = fiber->next)
    if (fiber->wakeup().word) return fiber->wakeup();
  return {};
}

bool carry_on() {
  bool moved = false;
  for (Fiber** place = &fibers.first; *place;) {
    Fiber& fiber = **place;
    const bool goes_on = fiber.resume();
    moved |= fiber.moved();
    if (goes_on) {
      place = &fiber.next;
      continue;
    }
    *place = fiber.next;
    fiber.next = std::exchange(idle, &fiber);
  }
  return moved;
}

bool begin_job(void (*job)(void*), void* of) {
  Fiber* const fiber = idle_fiber();
  if (!fiber) return false;
  fiber->take(job, of);
  if (fiber->resume())
    fiber->next = std::exchange(fibers.first, fiber);
  else
    fiber->next = std::exchange(idle, fiber);
  return true;
}

}  // namespace mpigraft::wait
