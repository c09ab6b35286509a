// SPDX-License-Identifier: MIT
// Preloaded into ranks on emulated hosts (scripts/cluster), where many more ranks than cores talk over TCP by UCX.
//   * MPICH 4.0 waits in MPI_Finalize for its launcher without driving UCX, while peers wait for just that to
//     disconnect: the job would hang. Here that wait drives UCX.
//   * A rank that polls in vain sleeps in the kernel, a quarter of the time that it has polled so far, until a message
//     comes. It would keep the processor from the rank it waits for.
// CLUSTER_NAP_US: the longest sleep, 0 for none.
#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace {

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

std::mutex workers_mutex;
std::vector<void*> workers;

void progress_workers() {
  static const auto progress = next<unsigned (*)(void*)>("ucp_worker_progress");
  const std::lock_guard lock(workers_mutex);
  for (void* worker : workers)
    while (progress(worker) != 0) {
    }
}

using Clock = std::chrono::steady_clock;

/// The polls of a thread that found no message, as long as they follow close upon each other.
class VainPolls {
 public:
  /// The time to sleep after one more of them.
  std::chrono::microseconds after_one_more(std::chrono::microseconds longest) {
    const Clock::time_point now = Clock::now();
    if (now - last_ > busy_with_something_else) first_ = now;
    last_ = now;
    const auto polled = std::chrono::duration_cast<std::chrono::microseconds>(now - first_);
    return polled < shortest ? std::chrono::microseconds{} : std::min(std::max(polled / 4, shortest), longest);
  }
  void wake() { last_ = Clock::now(); }
  void end() { last_ = {}; }

 private:
  static constexpr std::chrono::microseconds shortest{20}, busy_with_something_else{30};
  Clock::time_point first_, last_;
};

}  // namespace

extern "C" int ucp_worker_create(void* context, const void* params, void** worker) {
  static const auto create = next<int (*)(void*, const void*, void**)>("ucp_worker_create");
  const int status = create(context, params, worker);
  if (status == 0) {
    const std::lock_guard lock(workers_mutex);
    workers.push_back(*worker);
  }
  return status;
}

extern "C" void ucp_worker_destroy(void* worker) {
  static const auto destroy = next<void (*)(void*)>("ucp_worker_destroy");
  {
    const std::lock_guard lock(workers_mutex);
    std::erase(workers, worker);
  }
  destroy(worker);
}

extern "C" ssize_t read(int fd, void* buffer, size_t size) {
  static const auto read_on = next<ssize_t (*)(int, void*, size_t)>("read");
  static const int launcher = number("PMI_FD", -1);
  if (fd == launcher && launcher >= 0) {
    pollfd answer{.fd = fd, .events = POLLIN, .revents = 0};
    while (poll(&answer, 1, 1) == 0) progress_workers();
  }
  return read_on(fd, buffer, size);
}

extern "C" int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  static const auto wait_on = next<int (*)(int, epoll_event*, int, int)>("epoll_wait");
  static const std::chrono::microseconds longest(number("CLUSTER_NAP_US", 1000));
  thread_local VainPolls vain;
  const int ready = wait_on(epoll, events, most, timeout);
  if (timeout != 0 || ready != 0) {
    vain.end();
    return ready;
  }
  const auto sleep = vain.after_one_more(longest);
  if (sleep.count() == 0) return 0;
  const timespec time{.tv_sec = 0, .tv_nsec = std::min<long>(sleep.count() * 1000, 999'999'999)};
  const int woken = epoll_pwait2(epoll, events, most, &time, nullptr);
  vain.wake();
  if (woken > 0) vain.end();
  return std::max(woken, 0);
}
