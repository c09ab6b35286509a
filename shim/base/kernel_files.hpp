// SPDX-License-Identifier: MIT
// Small files in which the kernel tells of processors and limits.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace mpigraft::base {

/// The beginning of a file, as a C string; "" where it cannot be read.
template <std::size_t N>
const char* read_small(const char* path, char (&text)[N]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? 0 : read(fd, text, N - 1);
  if (fd >= 0) close(fd);
  text[std::max<ssize_t>(n, 0)] = '\0';
  return text;
}

/// Calls f(first, last) with each range of a list of processors such as "0-3,8".
template <class F>
void for_each_range(const char* list, F f) {
  for (char* end; *list >= '0' && *list <= '9'; list = *end == ',' ? end + 1 : end) {
    const long first = std::strtol(list, &end, 10);
    f(first, *end == '-' ? std::strtol(end + 1, &end, 10) : first);
  }
}

}  // namespace mpigraft::base
