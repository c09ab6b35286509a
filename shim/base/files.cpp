// SPDX-License-Identifier: MIT
#include "shim/base/files.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace mpigraft::base {

Content content_of(const char* path_format, ...) {
  char path[512];
  std::va_list parts;
  va_start(parts, path_format);
  std::vsnprintf(path, sizeof path, path_format, parts);
  va_end(parts);
  Content content;
  const table::Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  const ssize_t n = file.fd < 0 ? 0 : read(file.fd, content.text, sizeof content.text - 1);
  content.size = static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  content.text[content.size] = '\0';
  return content;
}

FolderLock::FolderLock(const std::string& folder, Wait wait)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 5'000'000};
  const int how = wait == without_end ? LOCK_EX : LOCK_EX | LOCK_NB;
  const int most_tries = wait == two_seconds ? 400 : 1;
  for (int tries = 0; folder_.fd >= 0 && !mine_ && tries < most_tries; ++tries) {
    if (tries > 0) nanosleep(&pause, nullptr);
    int locked;
    while ((locked = flock(folder_.fd, how)) != 0 && errno == EINTR) {
    }
    mine_ = locked == 0 || errno != EWOULDBLOCK;
  }
}

}  // namespace mpigraft::base
