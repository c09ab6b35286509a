// SPDX-License-Identifier: MIT
// Files by the system's calls, without iostreams and exceptions, because the library uses them in the midst of a
// program.
#pragma once

#include <dirent.h>
#include <unistd.h>

#include <memory>
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

/// The names of a folder's entries that start with `beginning`; none if the folder cannot be read.
inline std::vector<std::string> names_in(const std::string& folder, std::string_view beginning) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(opendir(folder.c_str()), closedir);
  while (const dirent* const entry = opened ? readdir(opened.get()) : nullptr)
    if (std::string_view(entry->d_name).starts_with(beginning)) names.emplace_back(entry->d_name);
  return names;
}

}  // namespace mpigraft::table
