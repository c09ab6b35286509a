// SPDX-License-Identifier: MIT
#include "shim/log.hpp"

#include <unistd.h>

#include <mutex>
#include <set>
#include <string>

namespace mpigraft {

void log(std::string_view message) {
  std::string line = "mpigraft: ";
  line.append(message).append("\n");
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

void log_once(std::string_view message) {
  static std::mutex& mutex = *new std::mutex;
  static auto& seen = *new std::set<std::string, std::less<>>;
  {
    const std::lock_guard lock(mutex);
    if (!seen.emplace(message).second) return;
  }
  log(message);
}

}  // namespace mpigraft
