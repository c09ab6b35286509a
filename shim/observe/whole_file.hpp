// SPDX-License-Identifier: MIT
// Files that other processes may read or write at the same time: they are seen whole, or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpigraft::observe {

/// Says why a file that the variable names cannot be written, by errno.
void complain(std::string_view variable, const std::string& name);

/// "-HOST-": process ids are those of a boot and a namespace.
std::string host_mark();
/// "HOST-PROCESS".
std::string own_mark();

std::filesystem::path folder_of(const std::string& name);

/// Where jobs end at the same time, one after the other looks whose place is free. Not on every file system: on NFS a
/// folder has no locks, and a moment remains in which one of two reports goes. A lock that is held for long is not
/// ours.
class FolderLock {
 public:
  /// Locks the folder that the file is in.
  explicit FolderLock(const std::string& name);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

/// A file beside `name` of this text that nobody else writes, to be renamed; "", and said, where it cannot be.
std::string written_apart(std::string_view variable, const std::string& name, const std::string& text);

}  // namespace mpigraft::observe
