// SPDX-License-Identifier: MIT
#include "shim/observe/whole_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "config/report/report.hpp"
#include "shim/base/host.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::observe {
namespace {

bool write_all(int fd, std::string_view text) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    if (!base::write_without_signal(fd, text.substr(0, piece))) return false;
  return true;
}

}  // namespace

void complain(std::string_view variable, const std::string& name) {
  base::log_once(std::string(variable) + ": cannot write " + name + ": " + std::strerror(errno));
}

std::string host_mark() {
  char text[24];
  std::snprintf(text, sizeof text, "-%016llx-",
                static_cast<unsigned long long>(base::digest_of_boot("/proc/self/ns/pid")));
  return text;
}

std::string own_mark() { return host_mark().substr(1) + std::to_string(getpid()); }

std::filesystem::path folder_of(const std::string& name) {
  const std::filesystem::path path(name);
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

FolderLock::FolderLock(const std::string& name) : fd_(open(folder_of(name).c_str(), O_RDONLY | O_CLOEXEC)) {
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 5'000'000};
  for (int i = 0; i < 400 && fd_ >= 0 && flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++i)
    nanosleep(&pause, nullptr);
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) close(fd_);
}

std::string written_apart(std::string_view variable, const std::string& name, const std::string& text) {
  const std::string fresh = name + std::string(report::fresh_mark) + own_mark();
  unlink(fresh.c_str());  // an earlier process with this id may have left it
  const int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool written = fd >= 0 && write_all(fd, text);
  if (fd >= 0) written = close(fd) == 0 && written;  // close() may be the first to report a full disk
  if (written) return fresh;
  complain(variable, fresh);
  if (fd >= 0) unlink(fresh.c_str());
  return "";
}

}  // namespace mpigraft::observe
