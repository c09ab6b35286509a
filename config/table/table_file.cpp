// SPDX-License-Identifier: MIT
#include "config/table/table_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "config/table/site_settings.hpp"
#include "config/table/suggest.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

namespace {

struct Descriptor {
  int fd;

  explicit Descriptor(const std::string& path) : fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

/// The defect that keeps the file from being a table, or "".
std::string problem_of(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "is a directory; name the table in it";
  if (!S_ISREG(status.st_mode)) return "is not a regular file; copy the table into one";
  if (status.st_size > static_cast<off_t>(max_table_bytes)) return "is larger than 1 MiB; merge rules";
  return {};
}

/// Reads to the end, but no more than one byte beyond the limit: the file may grow meanwhile.
bool read_all(int fd, std::string& text) {
  constexpr std::size_t most = max_table_bytes + 1;
  text.resize(most);
  std::size_t filled = 0;
  while (filled < most) {
    const ssize_t got = read(fd, text.data() + filled, most - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return true;
}

}  // namespace

bool exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

std::string site_table_path() { return site_folder() + "/table.json"; }

TableFile read_table(const std::string& path) {
  TableFile file{printable(path), {}, {}};
  const Descriptor descriptor(path);
  if (descriptor.fd < 0) {
    file.error = file.origin + ": " + std::strerror(errno) + "; check the path and its permissions";
    return file;
  }
  const std::string problem = problem_of(descriptor.fd);
  if (!problem.empty())
    file.error = file.origin + ": " + problem;
  else if (!read_all(descriptor.fd, file.text))
    file.error = file.origin + ": " + std::strerror(errno) + "; check the file system";
  return file;
}

std::string path_from_environment(const Settings& settings) {
  return settings.table.empty() && !settings.learn.empty() && exists(settings.learn) ? settings.learn : settings.table;
}

TableFile embedded_table(Interface interface) { return {"embedded", std::string(default_table_text(interface)), {}}; }

TableFile read_table_file(const std::string& from_environment, const std::string& site, Interface interface) {
  if (!from_environment.empty()) return read_table(from_environment);
  if (exists(site)) return read_table(site);
  return embedded_table(interface);
}

}  // namespace mpigraft::table
