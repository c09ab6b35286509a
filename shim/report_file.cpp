// SPDX-License-Identifier: MIT
#include "shim/report_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "shim/log.hpp"

namespace mpigraft {
namespace {

void complain(const std::string& name) {
  log_once("MPIGRAFT_REPORT: cannot write " + name + ": " + std::strerror(errno));
}

bool write_all(int fd, std::string_view text) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    if (!write_without_signal(fd, text.substr(0, piece))) return false;
  return true;
}

}  // namespace

void append_text(const std::string& name, const std::string& text) {
  const bool to_stderr = name == "stderr";
  const int fd =
      to_stderr ? STDERR_FILENO : open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0 || !write_without_signal(fd, text)) complain(name);
  if (fd >= 0 && !to_stderr) close(fd);
}

void replace_file(const std::string& name, const std::string& text) {
  const std::string fresh = name + ".new-" + std::to_string(getpid());
  const int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return complain(fresh);
  bool written = write_all(fd, text);
  written = close(fd) == 0 && written;  // a full disk may show only here
  if (written && rename(fresh.c_str(), name.c_str()) == 0) return;
  complain(name);
  unlink(fresh.c_str());
}

}  // namespace mpigraft
