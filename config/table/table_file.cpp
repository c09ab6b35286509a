// SPDX-License-Identifier: MIT
#include "config/table/table_file.hpp"

#include <fnmatch.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/table/site_settings.hpp"
#include "config/table/suggest.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

namespace {

constexpr const char* check_path = "; check the path and its permissions";

/// The defect that keeps what is at the path from being a table, or "".
std::string problem_of(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (error) return error.message() + check_path;
  if (type == std::filesystem::file_type::directory) return "is a directory; name the table in it";
  if (type != std::filesystem::file_type::regular) return "is not a regular file; copy the table into one";
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return !error && size > max_table_bytes ? "is larger than 1 MiB; merge rules" : "";
}

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// MPICH sets the words of its first line apart by tabs, other libraries by several blanks.
std::string first_line(std::string_view text) {
  std::istringstream words(std::string(text.substr(0, text.find('\n'))));
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::status(path, error).type() != std::filesystem::file_type::not_found;
}

std::string site_table_path() { return site_folder() + "/table.json"; }

TableFile read_table(const std::string& path) {
  TableFile file{printable(path), {}, {}};
  std::string problem = problem_of(path);
  if (problem.empty()) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) problem = std::string(std::strerror(errno)) + check_path;
    file.text.resize(max_table_bytes + 1);  // no more than one byte beyond the limit: the file may grow meanwhile
    stream.read(file.text.data(), static_cast<std::streamsize>(file.text.size()));
    file.text.resize(static_cast<std::size_t>(stream.gcount()));
    if (stream.bad()) problem = std::string(std::strerror(errno)) + "; check the file system";
  }
  if (!problem.empty()) file.error = file.origin + ": " + problem;
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
           printable(std::string(what) + " is " + in_quotes(found) + ", the table requires " + in_quotes(pattern)) +
           "; the embedded table takes its place";
  };
  if (!fits(required.mpi, here.mpi)) return because("the MPI library", here.mpi, required.mpi);
  if (!fits(required.host, here.host)) return because("the host", here.host, required.host);
  return {};
}

}  // namespace mpigraft::table
