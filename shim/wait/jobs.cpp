// SPDX-License-Identifier: MIT
#include "shim/wait/jobs.hpp"

#include <utility>

namespace mpigraft::wait {
namespace {

Job::Outcome advance(Job& job) {
  jobs.running = &job;
  job.wakeup = {};
  const Job::Outcome outcome = job.advance();
  jobs.running = nullptr;
  return outcome;
}

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
  Job* over = nullptr;
  for (Job** place = &jobs.first; *place;) {
    Job& job = **place;
    const Job::Outcome outcome = advance(job);
    moved |= outcome != Job::Outcome::waits;
    if (outcome == Job::Outcome::over) {
      *place = job.next;
      job.next = std::exchange(over, &job);
    } else {
      place = &job.next;
    }
  }
  if (any && !has_jobs()) --lookers;
  while (over) std::exchange(over, over->next)->ended();
  return moved;
}

void begin(Job& job) {
  if (advance(job) == Job::Outcome::over) return job.ended();
  if (!has_jobs()) ++lookers;
  job.next = jobs.first;
  jobs.first = &job;
}

}  // namespace mpigraft::wait
