// SPDX-License-Identifier: MIT
#include "shim/base/log.hpp"

#include <unistd.h>

#include <mutex>
#include <set>
#include <string>

#include "config/table/files.hpp"

namespace mpigraft::base {

void log(std::string_view message) {
  ignore_bad_alloc([&] {
    std::string line = "mpigraft: ";
    line.append(message).append("\n");
    table::write_without_signal(STDERR_FILENO, line);
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
