// SPDX-License-Identifier: MIT
#include "shim/base/process.hpp"

#include <cstdlib>

namespace mpigraft {

Settings& settings() {
  static Settings& read =
      *new Settings(read_settings([](const char* name) -> const char* { return secure_getenv(name); }));
  return read;
}

}  // namespace mpigraft
