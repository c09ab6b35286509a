// SPDX-License-Identifier: MIT
#include "shim/learn/learner.hpp"

#include <array>
#include <atomic>
#include <bit>

#include "config/learning/learned.hpp"
#include "config/table/digest.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/learn/outcomes.hpp"
#include "shim/observe/kind_of_call.hpp"

namespace mpigraft::learn {

using table::Reason;

namespace {

std::atomic<std::int64_t> cost{0};  // ns

const std::int64_t loaded_at = base::now_ns();

std::atomic<bool> any_cost{false};

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

bool was_learned(const agree::Negotiated& agreed, const execute::Decision& decision) {
  if (decision.reason != Reason::rule) return false;
  return learning::is_learned(agreed.table->table.rules[static_cast<std::size_t>(decision.rule)]);
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

}  // namespace

void learn_at_any_cost() { any_cost = true; }

bool asks_to_learn() {
  bool asks = false;
  base::ignore_bad_alloc([&] {
    const table::Settings& settings = base::settings();
    asks = !settings.learn.empty() && !settings.fixed_order;
  });
  return asks;
}

learning::Entry* Learner::trial_for(const agree::Negotiated& agreed, execute::TransportState& transport,
                                    const abi::Call& call, const execute::Decision& decision) {
  const bool by_table =
      decision.reason == Reason::rule || decision.reason == Reason::no_rule || decision.reason == Reason::whole;
  if (!by_table) return nullptr;
  const bool known = was_learned(agreed, decision);
  note_calls(known);
  if (known) return nullptr;
  if (!transport.ensure(agreed) || transport.ensure_comm(agreed) != execute::TransportState::Outcome::made)
    return nullptr;
  const table::Query query = execute::query_of(agreed, call);
  const learning::Order order = order_of(call);
  if (learning::Entry* const entry = trials_.find(query, order)) return entry;
  return trials_.full() ? nullptr : &begin(agreed, transport, call, decision, query, order);
}

/// If any rank lacks the memory to find candidates, the table's choice is the only one on all ranks.
learning::Entry& Learner::begin(const agree::Negotiated& agreed, const execute::TransportState& transport,
                                const abi::Call& call, const execute::Decision& decision, const table::Query& query,
                                learning::Order order) {
  learning::Candidates alone, found;
  alone.add(decision.choice);
  base::ignore_bad_alloc([&] {
    const table::Place place = execute::place_of(agreed, transport, call);
    const Machine& machine = agreed.table->table.machine;
    found = learning::candidates_for(query, place, decision.choice, machine, order);
  });
  learning::Entry& entry = trials_.begin(query, abi::true_on_all(found.count > 0, agreed.comm) ? found : alone,
                                         cores_of(agreed), shuffle_of(agreed), order);
  if (entry.candidates.count < found.of_any_order && order != learning::Order::any)
    note_forbidden(agreed, entry, found.of_any_order);
  return entry;
}

/// The wait for the last rank is not a cost of learning, because the call would wait as well.
void Learner::evaluate(const agree::Negotiated& agreed, learning::Entry& entry) {
  const std::int64_t total = any_cost ? 0 : cost += entry.trial.excess();
  const learning::Statement mine = entry.trial.statement(total, base::now_ns() - loaded_at);
  entry.trial.evaluate(of_all_ranks(mine, agreed));
  if (agreed.rank == 0) note_progress(agreed, entry);
}

}  // namespace mpigraft::learn
