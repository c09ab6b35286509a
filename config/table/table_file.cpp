// SPDX-License-Identifier: MIT
#include "config/table/table_file.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "config/table/files.hpp"
#include "config/table/site_settings.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

constexpr const char* check_path = "; check the path and its permissions";

/// The defect that keeps the file from being read, or "".
std::string problem_of(const std::string& path, const FileLimit& limit, bool may_be_stream) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::strerror(errno) + std::string(check_path);
  if (S_ISDIR(status.st_mode)) return "is a directory; name the file in it";
  if (!S_ISREG(status.st_mode) && !may_be_stream) return "is not a regular file; copy it into one";
  if (status.st_size > static_cast<off_t>(limit.bytes))
    return "is larger than " + std::to_string(limit.bytes >> 20) + " MiB" + (*limit.if_longer ? "; " : "") +
           limit.if_longer;
  return {};
}

/// Reads to the end, but no more than one byte beyond the limit: the file may grow meanwhile.
bool read_all(int fd, std::size_t most_bytes, std::string& text) {
  std::array<char, 4096> piece;
  while (text.size() <= most_bytes) {
    const ssize_t got = read(fd, piece.data(), std::min(piece.size(), most_bytes + 1 - text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return true;
}

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// MPICH sets the words of its first line apart by tabs, other libraries by several blanks.
std::string first_line(std::string_view text) {
  std::istringstream words{std::string(text.substr(0, text.find('\n')))};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

bool exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

std::string site_table_path() { return site_file("table.json"); }

TableFile read_regular(const std::string& path, const FileLimit& limit, bool may_be_stream) {
  TableFile file{printable(path), {}, problem_of(path, limit, may_be_stream)};
  if (file.error.empty()) {
    const int waits = may_be_stream ? 0 : O_NONBLOCK;
    const Descriptor descriptor(open(path.c_str(), O_RDONLY | waits | O_CLOEXEC | O_NOCTTY));
    if (descriptor.fd < 0)
      file.error = std::strerror(errno) + std::string(check_path);
    else if (!read_all(descriptor.fd, limit.bytes, file.text))
      file.error = std::strerror(errno) + std::string("; check the file system");
  }
  if (!file.error.empty()) file.error = file.origin + ": " + file.error;
  return file;
}

TableFile read_table(const std::string& path) { return read_regular(path, limit_of_tables); }

std::string path_from_environment(const Settings& settings) {
  return settings.table.empty() && !settings.learn.empty() && exists(settings.learn) ? settings.learn : settings.table;
}

TableFile embedded_table(Interface interface) { return {"embedded", std::string(default_table_text(interface)), {}}; }

TableFile read_table_file(const std::string& from_environment, const std::string& site, Interface interface) {
  if (!from_environment.empty()) return read_table(from_environment);
  if (exists(site)) return read_table(site);
  return embedded_table(interface);
}

LoadedTable load(TableFile file) {
  LoadedTable loaded{std::move(file.origin), std::move(file.text)};
  if (!file.error.empty()) {
    loaded.problems.push_back(std::move(file.error));
    return loaded;
  }
  ParsedTable parsed = parse_table(loaded.text);
  for (const Finding& finding : parsed.findings) loaded.problems.push_back(describe(loaded.origin, finding));
  loaded.table = std::move(parsed.table);
  return loaded;
}

Surroundings surroundings(std::string_view library_version, std::string_view host) {
  return {first_line(library_version), std::string(host)};
}

Surroundings surroundings_here(std::string_view library_version) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return surroundings(library_version, host.data());
}

std::string why_not_in_force(const std::string& origin, const Requirements& required, const Surroundings& here) {
  const auto because = [&](const char* what, const std::string& found, const std::string& pattern) {
    return origin + ": " +
           printable(std::string(what) + " is " + in_quotes(found) + ", the table requires " + in_quotes(pattern));
  };
  if (!fits(required.mpi, here.mpi)) return because("the MPI library", here.mpi, required.mpi);
  if (!fits(required.host, here.host)) return because("the host", here.host, required.host);
  return {};
}

std::string embed_unless_in_force(LoadedTable& loaded, const Surroundings& here, Interface interface) {
  if (!loaded.problems.empty()) return {};
  std::string reason = why_not_in_force(loaded.origin, loaded.table.required, here);
  if (reason.empty()) return {};
  loaded = load(embedded_table(interface));
  return reason + "; the embedded table takes its place";
}

}  // namespace mpigraft::table
