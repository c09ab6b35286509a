// SPDX-License-Identifier: MIT
#include "shim/base/log.hpp"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <string>

namespace mpigraft::base {

bool write_without_signal(int fd, std::string_view text) {
  sigset_t of_writes, pending, before;
  sigemptyset(&of_writes);
  sigaddset(&of_writes, SIGPIPE);
  sigaddset(&of_writes, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &of_writes, &before);
  sigpending(&pending);
  ssize_t written;
  do {
    written = write(fd, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  } while (written > 0 ? !text.empty()  // a short write does not say why, but the next one does
                       : written < 0 && errno == EINTR);
  const int error = errno;
  const int raised = written >= 0 ? 0 : error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
  if (raised != 0 && !sigismember(&pending, raised)) {
    const timespec at_once{};
    sigtimedwait(&of_writes, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return text.empty();
}

void log(std::string_view message) {
  ignore_bad_alloc([&] {
    std::string line = "mpigraft: ";
    line.append(message).append("\n");
    write_without_signal(STDERR_FILENO, line);
  });
}

void log_once(std::string_view message) {
  ignore_bad_alloc([&] {
    static std::mutex& mutex = *new std::mutex;
    static auto& seen = *new std::set<std::string, std::less<>>;
    {
      const std::lock_guard lock(mutex);
      if (!seen.emplace(message).second) return;
    }
    log(message);
  });
}

}  // namespace mpigraft::base
