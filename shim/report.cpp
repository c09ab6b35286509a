// SPDX-License-Identifier: MIT
#include "shim/report.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "shim/log.hpp"
#include "shim/pmpi.hpp"
#include "shim/process.hpp"
#include "shim/shadow_comm.hpp"
#include "shim/version.hpp"
#include "shim/waiter.hpp"

namespace mpigraft {
namespace {

int size_class_of(const Call& call) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(call.bytes))); }

constexpr int ranks_with_waits = 64;  // larger jobs: only ranks that have rows tell how they waited

/// Calls alike in all but their exact size.
struct Row {
  int ranks;
  Collective collective;
  int size_class;  // bit width of bytes
  Decision decision;
  std::string why;
  std::int64_t calls = 0, total = 0, least = 0, most = 0;

  bool holds(const ShadowComm& shadow, const Call& call, const Decision& d) const {
    return ranks == shadow.size && collective == call.collective && size_class == size_class_of(call) &&
           decision.choice.algorithm == d.choice.algorithm && decision.why == d.why && decision.line == d.line &&
           decision.flat_because == d.flat_because;
  }
  void add(std::int64_t bytes) {
    least = calls == 0 ? bytes : std::min(least, bytes);
    most = std::max(most, bytes);
    total += bytes;
    ++calls;
  }
};

struct Counts {
  std::mutex mutex;
  std::vector<Row> rows;
  std::string table = "none";
  std::array<std::int64_t, 5> verified{};  // by Verdict; then those without one
  std::int64_t grafted = 0, shared = 0;    // calls; of these, where the ranks share memory
};
Counts& counts() {
  static Counts& all = *new Counts;
  return all;
}

template <class... A>
void append(std::string& text, const char* format, A... values) {
  char line[512];
  std::snprintf(line, sizeof line, format, values...);
  text.append(line);
}

Row& row_of(const ShadowComm& shadow, const Call& call, const Decision& decision) {
  Counts& all = counts();
  for (Row& row : all.rows)
    if (row.holds(shadow, call, decision)) return row;
  if (shadow.table) all.table = shadow.table->origin;
  all.rows.push_back({.ranks = shadow.size,
                      .collective = call.collective,
                      .size_class = size_class_of(call),
                      .decision = decision,
                      .why = explain(shadow, decision)});
  return all.rows.back();
}

std::string header(int rank, int size, const std::string& table) {
  std::string text;
  append(text, "@ mpigraft %s  %s  rank %d of %d  table %s\n", version, program_invocation_short_name, rank, size,
         table.c_str());
  append(text, "@ %5s  %-6s  %-17s  %9s  %13s  %-28s  %s\n", "ranks", "call", "bytes", "calls", "total bytes", "ran",
         "why");
  return text;
}

std::string line_of(const Row& row) {
  std::string text, sizes = std::to_string(row.least);
  if (row.most != row.least) sizes.append("-").append(std::to_string(row.most));
  append(text, "@ %5d  %-6s  %-17s  %9lld  %13lld  %-28s  %s\n", row.ranks, name_of(row.collective).data(),
         sizes.c_str(), static_cast<long long>(row.calls), static_cast<long long>(row.total),
         name_of(row.decision.choice).data(), row.why.c_str());
  return text;
}

std::string verified_line(const std::array<std::int64_t, 5>& verified) {
  static constexpr std::array names{"identical", "within rounding", "not judged", "different", "not compared"};
  std::string text = "@ verified";
  for (std::size_t i = 0; i < names.size(); ++i)
    text.append(i == 0 ? ": " : ", ").append(std::to_string(verified[i])).append(" ").append(names[i]);
  return text + "\n";
}

std::string report_text(int rank, int size) {
  const Counts& all = counts();
  std::string text;
  if (!all.rows.empty()) text = header(rank, size, all.table);
  for (const Row& row : all.rows) text += line_of(row);
  if (std::ranges::any_of(all.verified, [](std::int64_t n) { return n > 0; })) text += verified_line(all.verified);
  if (all.grafted > 0)
    append(text, "@ messages in shared memory: %lld of %lld grafted calls\n", static_cast<long long>(all.shared),
           static_cast<long long>(all.grafted));
  const WaitCounters& waits = wait_counters();
  if (!all.rows.empty() || (size <= ranks_with_waits && waits.naps > 0))
    append(text, "@ waiting, rank %d: %llu waits on a crowded node, %llu yields, %llu naps\n", rank,
           static_cast<unsigned long long>(waits.waits), static_cast<unsigned long long>(waits.yields),
           static_cast<unsigned long long>(waits.naps));
  return text;
}

/// One write, appended: reports of several processes and jobs do not mix.
void write_text(const std::string& where, const std::string& text) {
  const bool to_stderr = where == "stderr";
  const int fd =
      to_stderr ? STDERR_FILENO : open(where.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0 || !write_without_signal(fd, text))
    log_once("MPIGRAFT_REPORT: cannot write " + where + ": " + std::strerror(errno));
  if (fd >= 0 && !to_stderr) close(fd);
}

}  // namespace

void count_call(const ShadowComm& shadow, const Call& call, const Decision& decision) {
  if (shadow.rank != 0) return;
  without_memory_silent([&] {
    if (settings().report.empty()) return;
    const std::lock_guard lock(counts().mutex);
    row_of(shadow, call, decision).add(call.bytes);
    if (decision.choice.algorithm == native) return;
    ++counts().grafted;
    counts().shared += shadow.channel.has_value();
  });
}

void count_verified(const ShadowComm& shadow, std::optional<Verdict> verdict) {
  if (shadow.rank != 0 || settings().report.empty()) return;
  const std::lock_guard lock(counts().mutex);
  ++counts().verified[verdict ? static_cast<std::size_t>(*verdict) : counts().verified.size() - 1];
}

void write_report() {
  int rank = 0, size = 0;
  pmpi.Comm_rank(MPI_COMM_WORLD, &rank);
  pmpi.Comm_size(MPI_COMM_WORLD, &size);
  without_memory_silent([&] {
    if (settings().report.empty()) return;
    const std::lock_guard lock(counts().mutex);
    const std::string text = report_text(rank, size);
    if (!text.empty()) write_text(settings().report, text);
  });
}

}  // namespace mpigraft
