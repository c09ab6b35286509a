// SPDX-License-Identifier: MIT
#include "config/table/requirements.hpp"

#include <fnmatch.h>
#include <unistd.h>

#include <array>

#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// MPICH sets the words of its first line apart by tabs, other libraries by several blanks.
std::string first_line(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, text.find('\n'))) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

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
