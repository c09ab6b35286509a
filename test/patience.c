// SPDX-License-Identifier: MIT
// Makes MPICH patient in native runs of test programs, which it is preloaded into: a rank sleeps when its progress
// engine finds nothing to do for a while. MPICH itself spins, and with 16 ranks on 2 cores a native collective then
// takes 50 to 150 ms instead of 1 to 5. That would be nearly all the time of tests that do much natively, such as
// making communicators. If MPICH was built without UCX nothing ever calls this, and tests only take longer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

enum { most_looks = 100, sleep_ns = 20000 };

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress_of_ucx)(void*);
  static __thread int looks;  // since the last success or sleep
  if (!progress_of_ucx) *(void**)&progress_of_ucx = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = progress_of_ucx(worker);
  if (found || ++looks == most_looks) {
    looks = 0;
    if (!found) nanosleep(&(struct timespec){0, sleep_ns}, NULL);
  }
  return found;
}
