// SPDX-License-Identifier: MIT
#include "config/report/trace.hpp"

#include <fcntl.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "config/table/files.hpp"

namespace mpigraft::report {
namespace {

constexpr std::int64_t most_ranks = std::int64_t{1} << 24;  // a file that tells more is no trace

bool read_whole(const std::string& path, TraceFile& file) {
  const table::Descriptor opened(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return opened.fd >= 0 && read(opened.fd, &file, sizeof file) == static_cast<ssize_t>(sizeof file);
}

bool is_sound(const TraceFile& file) {
  if (file.mark != trace_mark || file.format != trace_format) return false;
  if (file.rank < 0 || file.rank >= std::min(file.size, most_ranks)) return false;
  return std::ranges::none_of(
      file.entries, [](const TraceEntry& entry) { return entry.comm.size > most_ranks || entry.operations < 0; });
}

constexpr std::int64_t between_clocks = 2;  // seconds by which the clocks of nodes may differ

/// The last time at which the process is known to have lived, in seconds since 1970.
std::int64_t last_sign(const TraceFile& file) {
  std::int64_t last = std::max(file.loaded, file.polled);
  for (const TraceEntry& entry : file.entries) last = std::max({last, entry.entered, entry.left});
  return last;
}

/// Leaves out what earlier jobs have left behind. MPI_Init waits for all ranks, so each makes its calls after all have
/// loaded the library.
void keep_latest_job(Traces& traces) {
  if (traces.empty()) return;
  const auto by_load = [](const auto& trace) { return trace.second.loaded; };
  const TraceFile& latest = std::ranges::max_element(traces, {}, by_load)->second;
  std::erase_if(traces, [&](const auto& trace) {
    return trace.second.size != latest.size || last_sign(trace.second) + between_clocks < latest.loaded;
  });
}

constexpr std::int64_t shortest_run = 4;  // of ranks that are written as first and last

std::string peer_of(const TraceMessage& message) {
  if (message.peer == any) return "any rank";
  if (message.peer == no_rank) return "MPI_PROC_NULL";
  return "rank " + std::to_string(message.peer) + (message.of_world ? "" : " of the communicator");
}

std::string words_of(const TraceMessage& message) {
  std::string text(text_of(message.function));
  if (message.sent < 0) return text;
  text += (text.empty() ? "" : " ") + std::string(message.sent ? "to " : "from ") + peer_of(message);
  return text + (message.tag == any ? ", any tag" : ", tag " + std::to_string(message.tag));
}

/// The messages of a call, or the requests that it waits for.
std::string operations_of(const TraceEntry& entry) {
  if (entry.operations == 0) return "";
  const std::size_t known = std::min<std::size_t>(static_cast<std::size_t>(entry.operations), traced_messages);
  const bool is_one_call = entry.messages[0].function[0] == '\0';
  std::string text = is_one_call ? " " : " for ";
  if (!is_one_call && entry.operations > 1) text += std::to_string(entry.operations) + " requests: ";
  for (std::size_t i = 0; i < known; ++i)
    text += (i == 0 ? "" : is_one_call ? ", and " : "; ") + words_of(entry.messages[i]);
  return known < static_cast<std::size_t>(entry.operations) ? text + "; and others" : text;
}

}  // namespace

Traces read_traces(const std::string& folder) {
  Traces traces;
  const auto file = std::make_unique<TraceFile>();
  for (const std::string& name : table::names_in(folder, "rank-"))
    if (read_whole(folder + "/" + name, *file) && is_sound(*file)) traces.emplace(file->rank, *file);
  keep_latest_job(traces);
  return traces;
}

std::string clock_of(std::int64_t seconds) {
  const std::time_t then = seconds;
  std::tm local{};
  char text[16] = "";
  if (localtime_r(&then, &local)) std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

std::string communicator_of(const TraceEntry& entry) {
  const std::string name(text_of(entry.comm.name));
  return name.empty() || name.starts_with("MPI_COMM_") ? name : "communicator " + name;
}

std::string words_of(const TraceEntry& entry) {
  std::string text(text_of(entry.function));
  if (entry.count >= 0) text += " of " + std::to_string(entry.count) + " " + std::string(text_of(entry.type));
  if (entry.bytes >= 0) text += " (" + std::to_string(entry.bytes) + (entry.bytes == 1 ? " byte)" : " bytes)");
  if (entry.op[0] != '\0') text += ", " + std::string(text_of(entry.op));
  if (entry.root != any) text += ", root " + (entry.root == no_rank ? "none" : std::to_string(entry.root));
  return text + operations_of(entry);
}

std::string listed(const std::vector<std::int64_t>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (static_cast<std::int64_t>(end - i) < shortest_run) end = i + 1;
    text += (text.empty() ? "" : " ") + std::to_string(ranks[i]);
    if (end > i + 1) text += "-" + std::to_string(ranks[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace mpigraft::report
