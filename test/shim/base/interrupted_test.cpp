// SPDX-License-Identifier: MIT
// The program's signals interrupt system calls of ours where its handlers are without SA_RESTART. Writing raises none.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "shim/base/files.hpp"

using namespace mpigraft;

namespace {

std::atomic<int> taken;

/// Interrupts this thread a hundred times, then lets the call that it waits in go on, by `release`.
template <class Release>
std::thread interrupter(Release release) {
  struct sigaction action {};
  action.sa_handler = [](int) { ++taken; };
  sigaction(SIGUSR1, &action, nullptr);
  taken = 0;
  return std::thread([release, interrupted = pthread_self()] {
    for (int i = 0; i < 100; ++i) {
      pthread_kill(interrupted, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    release();
  });
}

}  // namespace

TEST_CASE("a text is written whole although signals come") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string text(1 << 20, 'a');  // longer than the pipe
  std::size_t got = 0;
  std::thread other = interrupter([&] {
    std::string some(1 << 16, ' ');
    for (ssize_t n; got < text.size() && (n = read(ends[0], some.data(), some.size())) > 0;)
      got += static_cast<std::size_t>(n);
  });
  const bool written = table::write_without_signal(ends[1], text);
  close(ends[1]);
  other.join();
  close(ends[0]);
  CHECK(written);
  CHECK(got == text.size());
  CHECK(taken > 50);
}

TEST_CASE("a text that its reader does not take is not written, and errno says why") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  const auto problem_with = [&](const std::string& text) {
    errno = 0;
    return table::write_without_signal(ends[1], text) ? 0 : errno;
  };
  CHECK(problem_with(std::string(1 << 20, 'a')) == EAGAIN);  // longer than the pipe
  CHECK(problem_with("") == 0);
  close(ends[0]);
  CHECK(problem_with("b") == EPIPE);
  close(ends[1]);
}

TEST_CASE("a lock is waited for although signals come") {
  char folder[] = "/tmp/mpigraft-lock-XXXXXX";
  REQUIRE(mkdtemp(folder));
  const int held = open(folder, O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(held, LOCK_EX) == 0);
  std::atomic<bool> released{false};
  std::thread other = interrupter([&] {
    released = true;
    close(held);
  });
  const base::FolderLock lock(folder, base::FolderLock::without_end);
  const bool came_after = released;
  other.join();
  rmdir(folder);
  CHECK(came_after);
  CHECK(lock.mine());
  CHECK(taken > 50);
}
