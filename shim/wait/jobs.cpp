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
  const Job::Outcome outcome = job.advance();
  jobs.moved |= outcome != Job::Outcome::waits;
  return outcome;
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
  Job* before = nullptr;
  for (Job* job = jobs.first; job;) {
    const Job::Outcome outcome = advance(*job);
    moved |= outcome != Job::Outcome::waits;
    Job* const next = job->next;
    if (outcome == Job::Outcome::over) {
      (before ? before->next : jobs.first) = next;
      if (!next) jobs.last = before;
      job->next = std::exchange(over.first, job);
    } else {
      before = job;
    }
    job = next;
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
      (has_jobs() ? jobs.last->next : jobs.first) = job;
      jobs.last = job;
      job->next = nullptr;
    }
  } kept{&job};
  if (in_job() || advance(job) != Job::Outcome::over) return;
  kept.job = nullptr;
  job.ended();
}

}  // namespace mpigraft::wait
