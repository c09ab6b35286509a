// SPDX-License-Identifier: MIT
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "shim/observe/trace_file.hpp"

namespace mpigraft::observe {

/// The right to tell of what many ranks see, for one of them at a time; it ends with the process, whatever becomes of
/// that. Where there are no locks, each has it.
class Telling {
 public:
  enum How { at_once, waits };
  explicit Telling(How how) : fd_(open(trace_folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    mine_ = fd_ >= 0 && (flock(fd_, how == waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
  }
  ~Telling() {
    if (fd_ >= 0) close(fd_);
  }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

  /// False: another rank tells right now.
  bool mine() const { return mine_; }

 private:
  int fd_;
  bool mine_;
};

}  // namespace mpigraft::observe
