// SPDX-License-Identifier: MIT
// mpigraft doctor --hang: who waits where, from the files of MPIGRAFT_TRACE.
#include <algorithm>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/report/trace.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

using report::TraceEntry;

namespace {

namespace files = std::filesystem;

constexpr std::int64_t most_ranks = std::int64_t{1} << 24;  // what says more is no trace

template <std::size_t n>
std::string text_of(const report::TraceText<n>& text) {
  return {text.data(), strnlen(text.data(), n)};
}

/// One call, as all ranks of a communicator number it.
struct CallKey {
  std::string comm;
  std::int64_t call;
  friend auto operator<=>(const CallKey&, const CallKey&) = default;
};

using Ranks = std::map<std::int64_t, report::TraceFile>;                // by rank of MPI_COMM_WORLD
using Waiting = std::map<CallKey, std::map<std::int64_t, TraceEntry>>;  // likewise

std::optional<report::TraceFile> read_trace(const files::path& path) {
  report::TraceFile file;
  std::ifstream in(path, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(&file), sizeof file)) return {};
  if (file.mark != report::trace_mark || file.format != report::trace_format || file.rank < 0 ||
      file.rank >= most_ranks)
    return {};
  if (std::ranges::any_of(file.entries, [](const TraceEntry& e) { return e.comm_size > most_ranks; })) return {};
  return file;
}

Ranks read_all(const std::string& folder) {
  Ranks ranks;
  std::error_code error;
  for (const auto& entry : files::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with("rank-")) continue;
    if (const auto file = read_trace(entry.path())) ranks.emplace(file->rank, *file);
  }
  return ranks;
}

Waiting waiting_in(const Ranks& ranks) {
  Waiting waiting;
  for (const auto& [rank, file] : ranks)
    for (const TraceEntry& entry : file.entries)
      if (entry.number > 0 && entry.left == 0) waiting[{text_of(entry.comm), entry.call}][rank] = entry;
  return waiting;
}

std::string clock_of(std::int64_t seconds) {
  const std::time_t then = seconds;
  std::tm local{};
  char text[16] = "";
  if (localtime_r(&then, &local)) std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

std::string words_of(const TraceEntry& entry) {
  if (entry.collective == report::set_up)
    return "its set-up, at " + (entry.call > 0 ? "call " + std::to_string(entry.call) : "the first call");
  const auto collective = static_cast<std::size_t>(entry.collective);
  const std::string name(collective < collective_names.size() ? collective_names[collective] : "?");
  return name + " of " + std::to_string(entry.bytes) + " bytes by " + text_of(entry.algorithm);
}

/// The latest entry of a rank that `holds` is true of.
template <class F>
const TraceEntry* latest(const report::TraceFile& file, F holds) {
  const TraceEntry* found = nullptr;
  for (const TraceEntry& entry : file.entries)
    if (entry.number > 0 && holds(entry) && (!found || entry.number > found->number)) found = &entry;
  return found;
}

/// The rank of MPI_COMM_WORLD that has a rank in a communicator, as far as the files tell.
std::optional<std::int64_t> world_rank(const Ranks& ranks, const TraceEntry& seen, std::int32_t comm_rank) {
  if (seen.world_order) return comm_rank;
  for (const auto& [rank, file] : ranks)
    if (latest(file, [&](const TraceEntry& e) { return e.comm == seen.comm && e.comm_rank == comm_rank; })) return rank;
  return {};
}

std::string whereabouts(const Ranks& ranks, std::int64_t rank, const TraceEntry& seen) {
  const auto found = ranks.find(rank);
  if (found == ranks.end()) return "has made no call that mpigraft sees";
  const report::TraceFile& file = found->second;
  const TraceEntry* there = latest(file, [&](const TraceEntry& e) { return e.comm == seen.comm; });
  const TraceEntry* last = latest(file, [](const TraceEntry&) { return true; });
  std::string text =
      there ? "has made " + std::to_string(there->call) + (there->call == 1 ? " call" : " calls") + " there"
            : "has made no call there of late";
  if (last && last->left == 0) return text + "; it waits in " + words_of(*last) + " of " + text_of(last->comm);
  if (last) text += "; its last call, " + words_of(*last) + ", ended at " + clock_of(last->left);
  return file.finalized ? text + "; it is in MPI_Finalize" : text;
}

std::string missing_lines(const Ranks& ranks, const CallKey& key, const std::map<std::int64_t, TraceEntry>& inside) {
  std::string text;
  const TraceEntry& seen = inside.begin()->second;
  std::set<std::int32_t> here;
  for (const auto& [rank, entry] : inside) here.insert(entry.comm_rank);
  for (std::int32_t comm_rank = 0; comm_rank < seen.comm_size; ++comm_rank) {
    if (here.contains(comm_rank)) continue;
    const auto rank = world_rank(ranks, seen, comm_rank);
    const auto file = rank ? ranks.find(*rank) : ranks.end();
    const auto beyond = [&](const TraceEntry& e) { return e.comm == seen.comm && e.call >= key.call; };
    if (file != ranks.end() && latest(file->second, beyond)) continue;  // it has left this call
    text += rank ? "  missing: rank " + std::to_string(*rank) + ", which " + whereabouts(ranks, *rank, seen) + '\n'
                 : "  missing: rank " + std::to_string(comm_rank) + " of that communicator\n";
  }
  return text;
}

std::string describe(const Ranks& ranks, const CallKey& key, const std::map<std::int64_t, TraceEntry>& inside) {
  const TraceEntry& seen = inside.begin()->second;
  std::string text = (key.comm == "MPI_COMM_WORLD" ? key.comm : "communicator " + key.comm) + " of " +
                     std::to_string(seen.comm_size) + " ranks";
  text += key.call > 0 ? ", call " + std::to_string(key.call) + "\n" : "\n";
  std::map<std::string, std::string> groups;  // what they are in: the ranks
  std::map<std::string, std::int64_t> since;
  for (const auto& [rank, entry] : inside) {
    const std::string words = words_of(entry);
    groups[words] += " " + std::to_string(rank);
    const auto earliest = since.emplace(words, entry.entered).first;
    earliest->second = std::min(earliest->second, entry.entered);
  }
  for (const auto& [words, who] : groups)
    text += "  waiting in " + words + " since " + clock_of(since[words]) + ":" + who + '\n';
  if (groups.size() > 1) text += "  the program calls different things there: no call can end\n";
  return text + missing_lines(ranks, key, inside);
}

}  // namespace

int show_hang(const std::string& folder) {
  const Ranks ranks = read_all(folder);
  if (ranks.empty()) return fail("no trace in " + folder + "; run the program with MPIGRAFT_TRACE=" + folder);
  const std::int64_t size = ranks.begin()->second.size;
  std::string text = "ranks with a trace: " + std::to_string(ranks.size()) + " of " + std::to_string(size) + '\n';
  for (const auto& [rank, file] : ranks)
    if (file.size != size || rank >= size)
      return fail("the traces in " + folder + " are of different jobs; empty it first");
  const Waiting waiting = waiting_in(ranks);
  for (const auto& [key, inside] : waiting) text += describe(ranks, key, inside);
  if (waiting.empty()) text += "no rank waits in a call that mpigraft sees\n";
  return print(text, waiting.empty() ? ok : found_problems);
}

}  // namespace mpigraft::command
