// SPDX-License-Identifier: MIT
#include "config/command/progress.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <sstream>

using namespace mpigraft;
using namespace std::chrono_literals;

TEST_CASE("short work has no progress line") {
  std::ostringstream out;
  {
    command::Progress progress(out, true, 1h);
    progress.show(0, 2, "first");
    progress.show(1, 2, "second");
  }
  CHECK(out.str().empty());
}

TEST_CASE("a progress line on a terminal is rewritten, and gone at the end") {
  std::ostringstream out;
  {
    command::Progress progress(out, true, 0s);
    progress.show(0, 2, "the first");
    progress.show(1, 2, "next");
  }
  CHECK(out.str() == "\r0/2, 0 s: the first\r1/2, 0 s: next     \r" + std::string(14, ' ') + "\r");
}

TEST_CASE("a progress line in a file comes once an interval") {
  std::ostringstream out;
  command::Progress progress(out, false, 0s);
  progress.show(0, 2, "first");
  progress.show(1, 2, "second");
  CHECK(out.str() == "0/2, 0 s: first\n1/2, 0 s: second\n");
  std::ostringstream none;
  command::Progress rare(none, false, 1h);
  rare.show(0, 2, "first");
  CHECK(none.str().empty());
}
