// SPDX-License-Identifier: MIT
#include "config/table/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "config/table/size.hpp"

namespace mpigraft::table {

namespace {

bool write_and_close(int fd, std::string_view text) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  bool written = fd >= 0;
  for (; written && !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    written = write_without_signal(fd, text.substr(0, piece));
  return (fd < 0 || close(fd) == 0) && written;  // close() may be the first to report a full disk
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

std::vector<std::string> names_in(const std::string& folder, std::string_view beginning) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(opendir(folder.c_str()), closedir);
  while (const dirent* const entry = opened ? readdir(opened.get()) : nullptr)
    if (std::string_view(entry->d_name).starts_with(beginning)) names.emplace_back(entry->d_name);
  return names;
}

bool write_without_signal(int fd, std::string_view text) {
  sigset_t of_writes, pending, before;
  sigemptyset(&of_writes);
  sigaddset(&of_writes, SIGPIPE);
  sigaddset(&of_writes, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &of_writes, &before);
  sigpending(&pending);
  ssize_t written;
  do {
    written = write(fd, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  } while (written > 0 ? !text.empty()  // a short write does not say why, but the next one does
                       : written < 0 && errno == EINTR);
  const int error = errno;
  const int raised = written >= 0 ? 0 : error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
  if (raised != 0 && !sigismember(&pending, raised)) {
    const timespec at_once{};
    sigtimedwait(&of_writes, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return text.empty();
}

bool write_new(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (write_and_close(fd, text)) return true;
  const int error = errno;
  if (fd >= 0) unlink(path.c_str());
  errno = error;
  return false;
}

std::string replace_file(const std::string& path, std::string_view text) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  const std::string place = real ? real.get() : path;
  std::uintmax_t mark = 0;
  getrandom(&mark, sizeof mark, GRND_NONBLOCK);
  const std::string fresh = place + formatted(".new-%016jx", mark);
  struct stat before = {}, link = {};
  const bool is_there = stat(path.c_str(), &before) == 0, leads_nowhere = !is_there && lstat(path.c_str(), &link) == 0;
  const bool is_stream =
      path.starts_with("/dev/") || path.starts_with("/proc/") || (is_there && !S_ISREG(before.st_mode));
  bool apart = !is_stream && !leads_nowhere;
  const bool written = apart && write_new(fresh, text);
  if (!written && apart && is_there && errno == EACCES) apart = false;
  if (!apart && write_and_close(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), text)) return {};
  if (written && is_there) chmod(fresh.c_str(), before.st_mode & 07777);
  if (written && rename(fresh.c_str(), place.c_str()) == 0) return {};
  const std::string problem = "cannot write " + path + ": " + std::strerror(errno);
  if (written) unlink(fresh.c_str());
  return problem;
}

}  // namespace mpigraft::table
