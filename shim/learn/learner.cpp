// SPDX-License-Identifier: MIT
#include "shim/learn/learner.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/learning/learned.hpp"
#include "config/table/digest.hpp"
#include "config/table/files.hpp"
#include "config/table/table.hpp"
#include "config/table/table_file.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/files.hpp"
#include "shim/base/log.hpp"
#include "shim/base/own_objects.hpp"
#include "shim/base/process.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::learn {

using table::Reason;

namespace {

constexpr std::string_view variable = "MPIGRAFT_LEARN";
constexpr const char* lost = "; the file stays as it was, and the rules of this job are lost";
constexpr std::size_t most_outcomes = 1000;

std::atomic<bool> any_calls{false}, any_known{false};  // were looked at; of some of them nothing is left to learn

struct Outcomes {
  std::mutex mutex;
  std::vector<learning::Learned> all;
  std::int64_t furthest = 0;  // most calls of a trial that is not over
  std::shared_ptr<const agree::AgreedTable> table;
};
Outcomes& outcomes() { return base::of_process<Outcomes>(); }

std::atomic<std::int64_t> cost{0};  // ns
std::atomic<bool> any_cost{false};

const std::int64_t loaded_at = base::now_ns();

/// The freedom of a trial that may not change bits of results. Products of complex numbers may be rounded differently
/// if the factors are swapped.
learning::Order order_of(const abi::Call& call) {
  using Rule = observe::Kind::Rule;
  using learning::Order;
  if (!call.info().combines() || base::settings().learn_float) return Order::any;
  const observe::Kind kind = observe::kind_of(call);
  if (kind.rule == Rule::bits || kind.rule == Rule::values) return Order::any;
  const bool swaps = kind.rule == Rule::sum || (kind.rule == Rule::product && kind.numbers == 1);
  return swaps ? Order::kept : Order::fixed;
}

/// A rule that was learned for predefined operators matches a program's own, too, but tells nothing about them.
bool was_learned(const agree::Negotiated& agreed, const abi::Call& call, const execute::Decision& decision) {
  if (decision.reason != Reason::rule) return false;
  const table::Rule& rule = agreed.table->table.rules[static_cast<std::size_t>(decision.rule)];
  return rule.is_learned() && (!call.user_op || rule.op == table::OperatorClass::user);
}

learning::Cores cores_of(const agree::Negotiated& agreed) {
  return agreed.oversubscribed ? learning::Cores::shared : learning::Cores::own;
}

unsigned shuffle_of(const agree::Negotiated& agreed) {
  return static_cast<unsigned>(table::digest(agreed.name.data(), agreed.name.size()));
}

learning::Statement of_all_ranks(const learning::Statement& mine, const agree::Negotiated& agreed) {
  using Words = std::array<std::int64_t, learning::statement_words>;
  const Words words = std::bit_cast<Words>(mine);
  Words all{};
  const abi::Op op = cores_of(agreed) == learning::Cores::shared ? abi::op_sum : abi::op_max;
  abi::allreduce(words.data(), all.data(), learning::statement_words, abi::type_int64, op, agreed.comm);
  return std::bit_cast<learning::Statement>(all);
}

/// Notes that calls were looked at, and whether nothing about them is left to learn.
void note_calls(bool are_known) {
  any_calls.store(true, std::memory_order_relaxed);
  if (are_known) any_known.store(true, std::memory_order_relaxed);
}

/// Tells the report that some of `all` candidates may not be tried. If none may, an empty file is no sign of a short
/// job.
void note_forbidden(const agree::Negotiated& agreed, const learning::Entry& entry, int all) {
  if (entry.candidates.count == 1) note_calls(true);
  if (agreed.rank != 0) return;
  base::ignore_bad_alloc([&] {
    observe::note_learned(learning::describe_forbidden(entry.kind, agreed.size, entry.candidates.count, all));
  });
}

/// Keeps the outcome of a trial that is over, or how far it has come. Called at rank 0 of the communicator.
void note_progress(const agree::Negotiated& agreed, const learning::Entry& entry) {
  base::ignore_bad_alloc([&] {
    Outcomes& kept = outcomes();
    const std::lock_guard lock(kept.mutex);
    kept.table = agreed.table;
    if (!entry.trial.over()) {
      kept.furthest = std::max(kept.furthest, entry.trial.tried());
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
                          .calls = entry.trial.tried()});
      observe::note_learned(learning::describe(kept.all.back()));
    }
  });
}

/// "PROGRAM on HOST, DATE", such as 2026-11-24.
std::string where() {
  const report::Job job = observe::this_job(1);
  const std::string host = job.hosts.empty() ? "" : job.hosts.front();
  return job.program + " on " + host + ", " + job.date.substr(0, job.date.find('T'));
}

/// The table in the file, which another job may have changed; if there is no file, this job's table. Empty, after a
/// message, if the file is not a table, or one for other hosts or another MPI.
std::optional<table::Table> table_to_add_to(const std::string& name, const Outcomes& kept) {
  if (access(name.c_str(), F_OK) != 0) return kept.table->table;
  table::LoadedTable loaded = table::load(table::read_table(name));
  const table::Requirements& required = loaded.table.required;
  std::string problem = loaded.problems.empty() ? "" : loaded.problems.front();
  if (problem.empty() && required != kept.table->table.required)  // else the job has judged them
    problem = table::why_not_in_force(loaded.origin, required, table::surroundings_here(abi::library_version()));
  if (problem.empty()) return std::move(loaded.table);
  base::log_once(std::string(variable) + ": " + problem + lost);
  return {};
}

void add_to_file(const std::string& name, const Outcomes& kept) {
  const base::FolderLock lock(table::folder_of(name), base::FolderLock::two_seconds);
  std::optional<table::Table> table = table_to_add_to(name, kept);
  if (!table) return;
  table = learning::with_learned(*std::move(table), kept.all, where());
  const std::string text = table::canonical(*table);
  std::string problem = name + " would be larger than a table may be (1 MiB); remove rules from it";
  if (text.size() <= table::max_table_bytes) problem = table::replace_file(name, text);
  if (!problem.empty()) base::log_once(std::string(variable) + ": " + problem + lost);
}

void tell(const Outcomes& kept, bool first_of_job) {
  if (base::settings().verbose > 0)
    for (const learning::Learned& one : kept.all) base::log(std::string("learned: ") + learning::describe(one));
  if (!kept.all.empty() || !first_of_job || any_known || !any_calls) return;
  base::log_once(std::string(variable) + ": nothing was learned, because the job was too short" +
                 (kept.furthest == 0 ? "" : " (" + std::to_string(kept.furthest) + " calls were tried of one kind)") +
                 "; learning needs about " + std::to_string(learning::usual_calls) +
                 " blocking calls of a kind, and takes at most 1 % of the time");
}

}  // namespace

void learn_at_any_cost() { any_cost = true; }

bool asks_to_learn() {
  return base::ask_settings(
      [](const table::Settings& settings) { return !settings.learn.empty() && !settings.fixed_order; });
}

learning::Entry* Learner::trial_for(const agree::Negotiated& agreed, execute::TransportState& transport,
                                    const abi::Call& call, const execute::Decision& decision, bool blocks) {
  const bool by_table =
      decision.reason == Reason::rule || decision.reason == Reason::no_rule || decision.reason == Reason::whole;
  if (!by_table) return nullptr;
  const bool known = was_learned(agreed, call, decision);
  note_calls(known);
  if (known) return nullptr;
  const table::Query query = execute::query_of(agreed, call);
  const learning::Order order = order_of(call);
  const table::Range alike = call.bytes > 0 ? execute::alike(agreed, call) : table::Range{};
  if (learning::Entry* const entry = trials_.find(query, order, alike)) return entry;
  const bool may_begin =
      blocks && transport.ensure(agreed) && transport.ensure_comm(agreed) == execute::TransportState::Outcome::made;
  if (!may_begin || trials_.full()) return nullptr;
  // If any rank lacks the memory to find candidates, the table's choice is the only one on all ranks.
  learning::Candidates alone, found;
  alone.add(decision.choice);
  base::ignore_bad_alloc([&] {
    const table::Place place = execute::place_of(agreed, transport, call);
    const Machine& machine = agreed.table->table.machine;
    found = learning::candidates_for(query, place, decision.choice, machine, order);
  });
  learning::Entry& entry = trials_.begin(query, abi::true_on_all(found.count > 0, agreed.comm) ? found : alone,
                                         cores_of(agreed), shuffle_of(agreed), order, alike);
  if (entry.candidates.count < found.of_any_order && order != learning::Order::any)
    note_forbidden(agreed, entry, found.of_any_order);
  return &entry;
}

/// The wait for the last rank is not a cost of learning, because the call would wait as well.
void Learner::evaluate(const agree::Negotiated& agreed, learning::Entry& entry) {
  const std::int64_t total = any_cost ? 0 : cost += entry.trial.excess();
  const learning::Statement mine = entry.trial.statement(total, base::now_ns() - loaded_at);
  entry.trial.evaluate(of_all_ranks(mine, agreed));
  if (agreed.rank == 0) note_progress(agreed, entry);
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
