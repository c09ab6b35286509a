// SPDX-License-Identifier: MIT
// Files by the system's calls, without iostreams and exceptions, because the library uses them in the midst of a
// program.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

namespace mpigraft::table {

/// A file that is open to the end of the scope.
struct Descriptor {
  explicit Descriptor(int opened) : fd(opened) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  const int fd;  // less than 0: it could not be opened
};

/// The folder that a file is in.
std::string folder_of(const std::string& path);

/// The names of a folder's entries that start with `beginning`; none if the folder cannot be read.
std::vector<std::string> names_in(const std::string& folder, std::string_view beginning);

}  // namespace mpigraft::table
