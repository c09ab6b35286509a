// SPDX-License-Identifier: MIT
// Files that other processes may read or write at the same time. A reader sees a complete file or none.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpigraft::observe {

/// Says that the file `name`, which `variable` asks for, cannot be written, and why, by errno.
void complain(std::string_view variable, const std::string& name);

/// "-HOST-", where HOST stands for the boot and the namespace that a process id is valid in.
std::string host_mark();
/// "HOST-PROCESS" of this process.
std::string own_mark();

std::filesystem::path folder_of(const std::string& name);

/// A lock by which jobs that end at the same time look one after the other whether a name is free. NFS has no locks on
/// folders: there one of two reports may be lost in a short moment. After two seconds it goes on without the lock,
/// because a lock that is held for so long is not ours.
class FolderLock {
 public:
  /// Locks the folder of the file `name`.
  explicit FolderLock(const std::string& name);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

/// Writes `text` to a new file beside `name`, which the caller renames, and returns its path. If that fails, complains
/// about `variable` and returns "".
std::string written_apart(std::string_view variable, const std::string& name, const std::string& text);

}  // namespace mpigraft::observe
