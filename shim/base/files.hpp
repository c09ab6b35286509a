// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "config/table/files.hpp"

namespace mpigraft::base {

/// The first 4 KiB of a small file as a C string; "" if it cannot be read. Needs no memory.
struct Content {
  char text[4096] = "";
  std::size_t size = 0;
};
/// The path is given as to printf.
[[gnu::format(printf, 1, 2)]] Content content_of(const char* path_format, ...);

/// A lock of a folder, for what one process at a time does with the files in it. It lasts until the object or the
/// process ends. NFS has no locks on folders: there every process has it.
class FolderLock {
 public:
  /// How long to wait for it. A lock of other jobs that is held for two seconds is not ours.
  enum Wait { not_at_all, two_seconds, without_end };
  FolderLock(const std::string& folder, Wait wait);

  /// False if another process has the lock, or if the folder cannot be opened.
  bool mine() const { return mine_; }

 private:
  const table::Descriptor folder_;
  bool mine_ = false;
};

}  // namespace mpigraft::base
