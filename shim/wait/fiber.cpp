// SPDX-License-Identifier: MIT
#include "shim/wait/fiber.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <new>
#include <utility>

namespace mpigraft::wait {

/// One stack, which serves job after job.
class Fiber {
 public:
  Fiber()
      : own_(std::allocator_arg, boost::context::protected_fixedsize_stack(stack_bytes), [this](Side&& program) {
          program_ = std::move(program);
          for (;;) {
            job_(of_);
            job_ = nullptr;
            program_ = std::move(program_).resume();
          }
          return std::move(program_);
        }) {}

  /// False: the job is over.
  bool resume() {
    moved_ = true;
    fibers.own = this;
    own_ = std::move(own_).resume();
    fibers.own = nullptr;
    return job_ != nullptr;
  }
  void suspend(bool moved, const Wakeup& wakeup) {
    moved_ = moved;
    wakeup_ = wakeup;
    program_ = std::move(program_).resume();
  }
  void take(void (*job)(void*), void* of) { job_ = job, of_ = of; }
  bool moved() const { return moved_; }
  const Wakeup& wakeup() const { return wakeup_; }

  Fiber* next = nullptr;  // of those begun, or of those without a job

 private:
  using Side = boost::context::fiber;
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;  // MPI's functions run on it, no operators

  void (*job_)(void*) = nullptr;
  void* of_ = nullptr;
  bool moved_ = false;
  Wakeup wakeup_;
  Side program_;
  Side own_;
};

namespace {

constinit thread_local Fiber* idle = nullptr;  // kept for ever: as many as jobs were ever begun at once

Fiber* idle_fiber() try { return idle ? std::exchange(idle, idle->next) : new Fiber; } catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace

void back_to_program(bool moved, const Wakeup& wakeup) { fibers.own->suspend(moved, wakeup); }

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
