// SPDX-License-Identifier: MIT
#include "shim/wait/jobs.hpp"

#include <utility>

namespace mpigraft::wait {
namespace {

Job::Outcome advance(Job& job) {
  struct Running {
    explicit Running(Job& job) { jobs.running = &job; }
    ~Running() { jobs.running = nullptr; }
  } running(job);
  job.wakeup = {};
  return job.advance();
}

/// Jobs that are over. They are told so at the end, also if another job throws.
struct Over {
  Job* first = nullptr;
  ~Over() noexcept(false) {
    while (first) std::exchange(first, first->next)->ended();
  }
};

}  // namespace

void job_waits_for(const Wakeup& wakeup) {
  if (jobs.running) jobs.running->wakeup = wakeup;
}

Wakeup wakeup_of_jobs() {
  for (const Job* job = jobs.first; job; job = job->next)
    if (job->wakeup.word) return job->wakeup;
  return {};
}

bool carry_on() {
  bool moved = false;
  const bool any = has_jobs();
  Over over;
  for (Job** place = &jobs.first; *place;) {
    Job& job = **place;
    const Job::Outcome outcome = advance(job);
    moved |= outcome != Job::Outcome::waits;
    if (outcome == Job::Outcome::over) {
      *place = job.next;
      job.next = std::exchange(over.first, &job);
    } else {
      place = &job.next;
    }
  }
  if (any && !has_jobs()) --lookers;
  return moved;
}

void begin(Job& job) {
  struct Kept {
    Job* job;
    ~Kept() {
      if (!job) return;
      if (!has_jobs()) ++lookers;
      job->next = jobs.first;
      jobs.first = job;
    }
  } kept{&job};
  if (advance(job) != Job::Outcome::over) return;
  kept.job = nullptr;
  job.ended();
}

}  // namespace mpigraft::wait
