// SPDX-License-Identifier: MIT
#include "shim/base/process.hpp"

#include <unistd.h>
#include <unwind.h>

#include <cstdlib>

namespace mpigraft::base {
namespace {

/// The folder in which this process has started: asked at load, or by constructors before.
const char* start_folder() {
  static const char* const folder = getcwd(nullptr, 0);
  return folder;
}
[[maybe_unused]] const char* const asked_at_load = start_folder();

table::Settings read_settings() {
  table::Settings read = table::read_settings([](const char* name) -> const char* { return secure_getenv(name); },
                                              disabled() ? table::SiteSettings{} : table::read_site_settings());
  for (std::string* const path : {&read.table, &read.learn, &read.trace}) *path = from_start(*path);
  if (read.report != "stderr") read.report = from_start(read.report);
  return read;
}

}  // namespace

table::Settings& settings() {
  static table::Settings& read = *new table::Settings(read_settings());
  return read;
}

std::string from_start(const std::string& path) {
  const bool is_relative = !path.empty() && path[0] != '/';
  return is_relative && start_folder() ? std::string(start_folder()) + '/' + path : path;
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
