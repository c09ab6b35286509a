// SPDX-License-Identifier: MIT
#include "shim/observe/site.hpp"

#include <dlfcn.h>

#include <catch2/catch.hpp>

namespace mpigraft::observe {

TEST_CASE("a place in a program is told by object, offset and symbol") {
  CHECK(words_of_site(nullptr).empty());
  const void* const function = dlsym(RTLD_DEFAULT, "getenv");
  const std::string words = words_of_site(static_cast<const char*>(function) + 4);
  INFO(words);
  CHECK(words.starts_with("libc.so.6+0x"));
  CHECK(words.ends_with(" (getenv)"));
  int on_the_stack = 0;
  CHECK(words_of_site(&on_the_stack) == "unknown");
}

}  // namespace mpigraft::observe
