// SPDX-License-Identifier: MIT
#include "shim/base/process.hpp"

#include <cstdlib>

namespace mpigraft::base {

table::Settings& settings() {
  static table::Settings& read =
      *new table::Settings(table::read_settings([](const char* name) -> const char* { return secure_getenv(name); }));
  return read;
}

}  // namespace mpigraft::base
