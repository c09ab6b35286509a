// SPDX-License-Identifier: MIT
#include "shim/base/process.hpp"

#include <unwind.h>

#include <cstdlib>

namespace mpigraft::base {

table::Settings& settings() {
  static table::Settings& read =
      *new table::Settings(table::read_settings([](const char* name) -> const char* { return secure_getenv(name); },
                                                disabled() ? table::SiteSettings{} : table::read_site_settings()));
  return read;
}

bool disabled() {
  static const bool is = [] {
    const char* const value = secure_getenv("MPIGRAFT_DISABLE");
    return value && value[0] == '1' && value[1] == '\0';
  }();
  return is;
}

void prepare_unwinder() {
  static const auto walked = _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
  static_cast<void>(walked);
}

}  // namespace mpigraft::base
