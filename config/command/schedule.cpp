// SPDX-License-Identifier: MIT
// mpigraft explain --schedule
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/transfers.hpp"
#include "algorithms/schedule/compile.hpp"
#include "config/analysis/goal.hpp"
#include "config/analysis/prediction.hpp"
#include "config/command/explain.hpp"
#include "config/command/output.hpp"
#include "config/table/files.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* how_to_read =
    "0-2[1]>4: element 1 of x_0 (+) x_1 (+) x_2 is sent to rank 4; <4: is read from rank 4's page\n";

// Elements of all ranks' memory whose values are followed (1 GiB), and ranks for which algorithms are proven.
constexpr std::size_t most_followed = std::size_t{1} << 26;
constexpr std::int64_t most_ranks = 65536;

/// The run of a call.
struct Run {
  const table::Query& query;
  const AlgorithmInfo& info;
  const Machine& machine;
  model::Recording recording;

  schedule::Schedule schedule_of(int rank) const {
    schedule::Compiler compiler;
    schedule::Schedule made;
    compiler.compile(info, recording.p, rank, recording.m, recording.aliased(rank), recording.params, made);
    return made;
  }
  /// The model's links are all alike, and its ranks share no memory.
  bool is_priced() const { return info.placement == Placement::any; }
  /// Of ranks with one port.
  std::optional<double> lower_bound() const {
    if (!is_priced() || info.k_ported) return {};
    return analysis::lower_bound(info.collective, recording.p, query.bytes, machine);
  }
  /// Throws std::length_error if there is too much to follow.
  std::vector<model::Transfer> transfers() const {
    if (recording.first_cell.back() > most_followed) throw std::length_error("too many elements to follow");
    return model::transfers_of(recording, info.commutative);
  }
  std::string head() const {
    const std::int64_t element = recording.params.element_bytes;
    return "schedule: " + table::counted(recording.p, "rank") + (recording.collective->rooted() ? ", root 0" : "") +
           ", " + table::counted(recording.m, "element") + " of " + table::counted(element, "byte") + '\n';
  }
};

std::string price_of(const Run& run) {
  if (!run.is_priced()) return {};
  const double seconds = model::price(run.recording, run.machine);
  const std::optional<double> bound = run.lower_bound();
  const std::string price = table::formatted("price by the model: %.3g us", seconds * 1e6);
  return price + (bound ? table::formatted(", %.2f times the lower bound\n", seconds / *bound) : "\n");
}

std::string transfers_text(const Run& run) {
  std::string text;
  for (const std::string& line : model::lines_of(run.recording, run.transfers(), line_width - 2))
    text += "  " + line + '\n';
  return text;
}

std::string steps_text(const Run& run, int rank) {
  const schedule::Schedule made = run.schedule_of(rank);
  std::string text = "rank " + std::to_string(rank) + ": " + table::counted(std::ssize(made.steps), "step") + ", " +
                     table::counted(made.scratch.count(), "element") + " of scratch\n";
  for (const schedule::Step& step : made.steps) text += "  " + schedule::words(step) + '\n';
  return text;
}

nlohmann::ordered_json json_of(const model::Transfer& transfer) {
  nlohmann::ordered_json document{{"round", transfer.round},
                                  {"from", transfer.from},
                                  {"to", transfer.to},
                                  {"is_read", transfer.is_read},
                                  {"elements", nlohmann::ordered_json::array()}};
  for (const model::Piece& piece : transfer.pieces) {
    nlohmann::ordered_json of{{"first", piece.first}, {"last", piece.last}, {"of_ranks", nullptr}};
    if (piece.hi > piece.lo) of["of_ranks"] = {{"first", piece.lo}, {"last", piece.hi - 1}};
    document["elements"].push_back(std::move(of));
  }
  return document;
}

nlohmann::ordered_json json_of(const Run& run, int rank) {
  const schedule::Schedule made = run.schedule_of(rank);
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const schedule::Step& step : made.steps) steps.push_back(schedule::words(step));
  return {{"rank", rank}, {"scratch", made.scratch.count()}, {"steps", std::move(steps)}};
}

nlohmann::ordered_json document_of(const Run& run, std::optional<int> rank) {
  nlohmann::ordered_json document{{"root", 0},
                                  {"elements", run.recording.m},
                                  {"element_bytes", run.recording.params.element_bytes},
                                  {"price_s", nullptr},
                                  {"lower_bound_s", nullptr},
                                  {"transfers", nlohmann::ordered_json::array()},
                                  {"ranks", nlohmann::ordered_json::array()}};
  if (run.is_priced()) document["price_s"] = model::price(run.recording, run.machine);
  if (const std::optional<double> bound = run.lower_bound()) document["lower_bound_s"] = *bound;
  for (const model::Transfer& transfer : run.transfers())
    if (!rank || transfer.from == *rank || transfer.to == *rank) document["transfers"].push_back(json_of(transfer));
  for (int r = 0; r < run.recording.p; ++r)
    if (!rank || r == *rank) document["ranks"].push_back(json_of(run, r));
  return document;
}

int write_goal_file(const std::string& name, const Run& run) {
  if (run.info.placement == Placement::one)
    return fail(
        "--goal: the algorithm passes data through shared memory, but GOAL has only messages; name another "
        "one by --force");
  if (const std::string problem = unwritable("--goal", name); !problem.empty()) return fail(problem);
  std::ostringstream text;
  analysis::write_goal(text, run.recording, run.machine);
  const std::string problem = table::replace_file(name, text.view());
  return problem.empty() ? ok : fail("--goal: " + problem);
}

}  // namespace

int show_schedule(const ExplainOptions& options, const Situation& now, const table::Query& query,
                  analysis::Explanation explanation) {
  if (explanation.choice.algorithm == table::native)
    return fail("--schedule: the call is native (" + explanation.reason + explanation.further +
                "); name an algorithm by --force");
  const std::optional<std::int64_t> of_rank = table::parse_count(options.schedule);  // none: of all
  if (of_rank && *of_rank >= query.ranks) return fail("--schedule: there is no rank " + options.schedule);
  if (query.ranks > most_ranks)
    return fail("--schedule: there are more than " + std::to_string(most_ranks) + " ranks; name fewer");
  const std::optional<int> rank = of_rank;
  const Machine& machine = now.loaded.table.machine;
  const analysis::Operation operation = analysis::operation_of(query, explanation.choice, now.settings, machine);
  try {
    const AlgorithmInfo& info = info_of(explanation.choice.algorithm);
    const Run run{query, info, machine,
                  model::record(info, static_cast<int>(query.ranks), operation.elements, operation.params)};
    if (!options.goal.empty()) return write_goal_file(options.goal, run);
    if (options.json) {
      nlohmann::ordered_json document{{"algorithm", name_of(explanation.choice)}};
      document["schedule"] = document_of(run, rank);
      return print(document, ok);
    }
    explanation.rounds = model::cost_of(run.recording).rounds;
    return print(answer_of(now.loaded, explanation) + run.head() +
                     (rank ? steps_text(run, *rank) : how_to_read + transfers_text(run)) + price_of(run),
                 ok);
  } catch (const std::length_error& error) {
    return fail(std::string("--schedule: ") + error.what() + "; name fewer ranks or bytes");
  }
}

}  // namespace mpigraft::command
