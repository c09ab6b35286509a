// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <string>

#include "shim/base/load_watch.hpp"

using mpigraft::base::LoadWatch;

namespace {

/// Looks, and returns true if an object with this file name is loaded.
bool sees(LoadWatch& watch, const std::string& file) {
  bool found = false;
  watch.look([&](const char* path) { found |= std::string(path).ends_with(file); }, [] {});
  return found;
}

}  // namespace

TEST_CASE("a library that is loaded is noticed, and nothing else is") {
  constexpr const char* rare = "libBrokenLocale.so.1";  // of glibc
  static LoadWatch watch;
  CHECK(watch.anything_new());
  for (int time = 0; time < 3; ++time) {
    CHECK(!sees(watch, rare));
    CHECK(!watch.anything_new());
    void* const library = dlopen(rare, RTLD_NOW);
    REQUIRE(library);
    CHECK(watch.anything_new());
    CHECK(sees(watch, rare));
    CHECK(!watch.anything_new());
    dlclose(library);
  }
}
