// SPDX-License-Identifier: MIT
#include "config/table/files.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

using mpigraft::table::write_without_signal;

TEST_CASE("a text that a file has no room for is not written, and errno says why") {
  char name[] = "/tmp/mpigraft-log-XXXXXX";
  const int file = mkstemp(name);
  REQUIRE(file >= 0);
  unlink(name);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 100, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK(write_without_signal(file, std::string(60, 'a')));
  errno = 0;
  const bool written = write_without_signal(file, std::string(60, 'b'));
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(!written);
  CHECK(error == EFBIG);
  CHECK(lseek(file, 0, SEEK_CUR) == 100);
  close(file);
}

TEST_CASE("a text that its reader does not take is not written, and errno says why") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  const std::string text(1 << 20, 'a');  // longer than the pipe
  errno = 0;
  const bool written = write_without_signal(ends[1], text);
  const int error = errno;
  CHECK(!written);
  CHECK(error == EAGAIN);
  CHECK(write_without_signal(ends[1], ""));
  close(ends[0]);
  const bool without_reader = write_without_signal(ends[1], "b");
  const int why = errno;
  CHECK(!without_reader);
  CHECK(why == EPIPE);
  close(ends[1]);
}
