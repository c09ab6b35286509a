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

/// Writes `text`, in one write if the file takes it. Returns true if all of it was written; else errno says why. A
/// reader that is gone and a limit of file sizes are reported as errors, not by the signals that would end the program.
bool write_without_signal(int fd, std::string_view text);

/// Writes a file that is not there yet. Returns false, and leaves none, if that fails; errno says why.
bool write_new(const std::string& path, std::string_view text);

/// Replaces a file, or makes it. Whatever happens meanwhile, a whole file is there, the old or the new one, and the new
/// one has the old one's mode. Where the path is a link, the file that it names is replaced. What is no regular file is
/// written to, and so is a file in a folder that takes no new one. Returns "cannot write PATH: WHY" if that fails.
std::string replace_file(const std::string& path, std::string_view text);

}  // namespace mpigraft::table
