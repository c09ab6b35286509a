// SPDX-License-Identifier: MIT
// Reads traces without iostreams and exceptions, because the library does it in the midst of a program.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "config/report/hang.hpp"

namespace mpigraft::report {
namespace {

constexpr std::int64_t most_ranks = std::int64_t{1} << 24;  // a file that tells more is no trace

bool read_whole(const std::string& path, TraceFile& file) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  const ssize_t n = read(fd, &file, sizeof file);
  close(fd);
  return n == static_cast<ssize_t>(sizeof file);
}

bool is_sound(const TraceFile& file) {
  if (file.mark != trace_mark || file.format != trace_format) return false;
  if (file.rank < 0 || file.rank >= most_ranks) return false;
  return std::ranges::none_of(
      file.entries, [](const TraceEntry& entry) { return entry.comm.size > most_ranks || entry.operations < 0; });
}

}  // namespace

Traces read_traces(const std::string& folder) {
  Traces traces;
  const std::unique_ptr<DIR, int (*)(DIR*)> open_folder(opendir(folder.c_str()), closedir);
  const auto file = std::make_unique<TraceFile>();
  while (const dirent* const entry = open_folder ? readdir(open_folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with("rank-") || !read_whole(folder + "/" + entry->d_name, *file)) continue;
    if (is_sound(*file)) traces.emplace(file->rank, *file);
  }
  return traces;
}

bool of_one_job(const Traces& traces) {
  const std::int64_t size = traces.begin()->second.size;
  return std::ranges::all_of(traces,
                             [=](const auto& trace) { return trace.second.size == size && trace.first < size; });
}

}  // namespace mpigraft::report
