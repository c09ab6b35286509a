// SPDX-License-Identifier: MIT
// Readers for the kernel's small files about processors and limits.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace mpigraft::base {

/// Reads up to N - 1 bytes of a file into `text` and returns them as a C string; "" if the file cannot be read.
template <std::size_t N>
const char* read_small(const char* path, char (&text)[N]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? 0 : read(fd, text, N - 1);
  if (fd >= 0) close(fd);
  text[std::max<ssize_t>(n, 0)] = '\0';
  return text;
}

/// Calls f(first, last) for each range in a list of processors such as "0-3,8". Both ends are inclusive.
template <class F>
void for_each_range(const char* list, F f) {
  for (char* end; *list >= '0' && *list <= '9'; list = *end == ',' ? end + 1 : end) {
    const long first = std::strtol(list, &end, 10);
    f(first, *end == '-' ? std::strtol(end + 1, &end, 10) : first);
  }
}

}  // namespace mpigraft::base
