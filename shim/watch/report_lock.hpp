// SPDX-License-Identifier: MIT
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "shim/watch/trace_file.hpp"

namespace mpigraft::watch {

/// The right to report something that many ranks see. One rank has it at a time, until the object or the process ends.
/// On a file system without locks every rank has it.
class ReportLock {
 public:
  enum How { at_once, waits };
  explicit ReportLock(How how) : fd_(open(trace_folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    mine_ = fd_ >= 0 && (flock(fd_, how == waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
  }
  ~ReportLock() {
    if (fd_ >= 0) close(fd_);
  }
  ReportLock(const ReportLock&) = delete;
  ReportLock& operator=(const ReportLock&) = delete;

  /// False if another rank has the right.
  bool mine() const { return mine_; }

 private:
  int fd_;
  bool mine_;
};

}  // namespace mpigraft::watch
