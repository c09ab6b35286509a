// SPDX-License-Identifier: MIT
// Collects the outcomes of trials and writes them to the file of MPIGRAFT_LEARN.
#include "shim/learn/outcomes.hpp"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/learning/learned.hpp"
#include "config/table/canonical.hpp"
#include "config/table/table_file.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/learn/learner.hpp"
#include "shim/observe/report.hpp"
#include "shim/observe/whole_file.hpp"

namespace mpigraft::learn {
namespace {

constexpr std::string_view variable = "MPIGRAFT_LEARN";
constexpr std::size_t most_outcomes = 1000;

std::atomic<bool> asked{false}, known{false};  // calls were looked at; of some nothing is left to learn

struct Outcomes {
  std::mutex mutex;
  std::vector<learning::Learned> all;
  std::int64_t furthest = 0;  // most calls of a trial that is not over
  std::shared_ptr<const agree::AgreedTable> table;
};
Outcomes& outcomes() {
  static Outcomes& one = *new Outcomes;
  return one;
}

/// "PROGRAM on HOST, DATE", such as 2026-11-24.
std::string where() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const time_t now = time(nullptr);
  std::array<char, 16> date{};
  tm utc{};
  strftime(date.data(), date.size(), "%Y-%m-%d", gmtime_r(&now, &utc));
  return std::string(program_invocation_short_name) + " on " + host.data() + ", " + date.data();
}

/// The table in the file, which another job may have changed; if there is no file, this job's table. Empty, after a
/// message, if the file is not a table.
std::optional<table::Table> table_to_add_to(const std::string& name, const Outcomes& kept) {
  if (access(name.c_str(), F_OK) != 0) return kept.table->table;
  table::TableFile file = table::read_table(name);
  table::ParsedTable parsed;
  if (file.error.empty()) parsed = table::parse_table(file.text);
  if (!parsed.findings.empty()) file.error = table::describe(name, parsed.findings.front());
  if (file.error.empty()) return std::move(parsed.table);
  base::log_once(std::string(variable) + ": " + file.error +
                 "; the file stays as it was, and the rules of this job are lost");
  return {};
}

void add_to_file(const std::string& name, const Outcomes& kept) {
  const observe::FolderLock lock(name);
  std::optional<table::Table> table = table_to_add_to(name, kept);
  if (!table) return;
  table = learning::with_learned(*std::move(table), kept.all, where());
  const std::string fresh = observe::written_apart(variable, name, table::canonical(*table));
  if (fresh.empty() || rename(fresh.c_str(), name.c_str()) == 0) return;
  observe::complain(variable, name);
  unlink(fresh.c_str());
}

void tell(const Outcomes& kept, bool first_of_job) {
  if (base::settings().verbose > 0)
    for (const learning::Learned& one : kept.all) base::log(std::string("learned: ") + learning::describe(one));
  if (!kept.all.empty() || !first_of_job || known || !asked) return;
  base::log_once(std::string(variable) + ": nothing was learned, because the job was too short" +
                 (kept.furthest == 0 ? "" : " (the most frequent kind: " + std::to_string(kept.furthest) + " calls)") +
                 "; learning needs about " + std::to_string(learning::usual_calls) +
                 " calls of a kind, and takes at most 1 % of the time");
}

}  // namespace

void note_calls(bool are_known) {
  asked.store(true, std::memory_order_relaxed);
  if (are_known) known.store(true, std::memory_order_relaxed);
}

void note_forbidden(const agree::Negotiated& agreed, const learning::Entry& entry, int all) {
  if (entry.candidates.count == 1) note_calls(true);
  if (agreed.rank != 0) return;
  base::ignore_bad_alloc([&] {
    observe::note_learned(learning::describe_forbidden(entry.kind, agreed.size, entry.candidates.count, all));
  });
}

void note_progress(const agree::Negotiated& agreed, const learning::Entry& entry) {
  base::ignore_bad_alloc([&] {
    Outcomes& kept = outcomes();
    const std::lock_guard lock(kept.mutex);
    kept.table = agreed.table;
    if (!entry.trial.over()) {
      kept.furthest = std::max(kept.furthest, entry.trial.calls());
    } else if (kept.all.size() < most_outcomes) {
      const auto& choices = entry.candidates.choices;
      kept.all.push_back({.kind = entry.kind,
                          .ranks = agreed.size,
                          .nodes = agreed.node_count,
                          .ranks_per_node = agreed.ranks_per_node,
                          .oversubscribed = agreed.oversubscribed,
                          .before = entry.choice(0),
                          .choice = entry.choice(entry.trial.winner()),
                          .tried = {choices.begin(), choices.begin() + entry.candidates.count},
                          .gain = entry.trial.gain(),
                          .calls = entry.trial.calls()});
      observe::note_learned(learning::describe(kept.all.back()));
    }
  });
}

void write_learned(bool first_of_job) {
  if (!asks_to_learn()) return;
  base::ignore_bad_alloc([&] {
    Outcomes& kept = outcomes();
    const std::lock_guard lock(kept.mutex);
    tell(kept, first_of_job);
    if (!kept.all.empty()) add_to_file(base::settings().learn, kept);
    kept.all.clear();
  });
}

}  // namespace mpigraft::learn
