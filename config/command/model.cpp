// SPDX-License-Identifier: MIT
// mpigraft model
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "algorithms/catalogue.hpp"
#include "config/analysis/explanation.hpp"
#include "config/analysis/prediction.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* footer =
    R"(The model: a rank has one full-duplex port, and it either communicates or combines. A message of s bytes takes
latency + s/bandwidth, from the moment that both its ranks wait for this message or another. Combining s bytes takes
s/rate. It begins when all sends that the rank has begun, and all else under way there, are over. Receives that are only
announced come after it, so early requests gain nothing. Copies are free. The root is rank 0.

A pipelined algorithm cuts the vector as it does where a rule names no segment. In a long pipeline, once each further
segment takes the same time, the rest is computed, not replayed.

The model leaves out runs with more than 33 million requests and applications, and node-aware algorithms, because all
its links are alike. A k-ported algorithm gets one port.)";

struct Options {
  std::vector<Collective> collectives;
  std::vector<std::int64_t> ranks, bytes;
  std::optional<double> latency, per_byte, combine_per_byte;  // instead of the table's
  std::string table;                                          // empty: the one in force
  bool json = false;
  std::string html;  // a file, or empty
};

std::string segment_words(std::int64_t segment) {
  return segment == 0 ? "" : segment == table::unsegmented ? "none" : table::format_size(segment);
}

std::string as_table(const std::vector<analysis::Cell>& cells) {
  std::vector<std::vector<std::string>> rows{
      {"COLLECTIVE", "RANKS", "BYTES", "ALGORITHM", "US", "OVER BOUND", "SEGMENT"}};
  for (const analysis::Cell& cell : cells) {
    const auto add = [&](std::string_view algorithm, double seconds, const std::string& segment) {
      const bool priced = seconds != analysis::not_priced;
      const double over_bound = cell.lower_bound > 0 ? seconds / cell.lower_bound : 1;
      rows.push_back({std::string(name_of(cell.collective)), std::to_string(cell.ranks), table::format_size(cell.bytes),
                      std::string(algorithm),
                      priced ? table::formatted("%.2f", seconds * 1e6) : "not priced: too large to record",
                      priced ? table::formatted("%.2f", over_bound) : "", segment});
    };
    add("lower bound", cell.lower_bound, "");
    for (const analysis::Prediction& p : cell.predictions) add(p.algorithm, p.seconds, segment_words(p.segment));
  }
  return columns(rows);
}

nlohmann::ordered_json as_json(const std::vector<analysis::Cell>& cells) {
  auto document = nlohmann::ordered_json::array();
  for (const analysis::Cell& cell : cells) {
    auto algorithms = nlohmann::ordered_json::array();
    for (const analysis::Prediction& p : cell.predictions) {
      nlohmann::ordered_json seconds, segment;
      if (p.seconds != analysis::not_priced) seconds = p.seconds;
      if (p.segment == table::unsegmented) segment = "none";
      if (p.segment > 0 && p.segment != table::unsegmented) segment = p.segment;
      algorithms.push_back({{"algorithm", p.algorithm}, {"predicted_s", seconds}, {"segment", segment}});
    }
    document.push_back({{"collective", name_of(cell.collective)},
                        {"ranks", cell.ranks},
                        {"bytes", cell.bytes},
                        {"lower_bound_s", cell.lower_bound},
                        {"algorithms", algorithms}});
  }
  return document;
}

/// One algorithm on more ranks takes minutes.
constexpr std::int64_t most_ranks = 1 << 16;

/// The machine of options and table; empty, after telling why, if the table cannot be used.
std::optional<Machine> machine_of(const Options& options) {
  const analysis::LoadedTable loaded = analysis::load_table(options.table, current_settings());
  for (const std::string& problem : loaded.problems) fail(problem);
  if (!loaded.problems.empty()) return {};
  const Machine& machine = loaded.table.machine;
  return Machine{.latency = options.latency.value_or(machine.latency),
                 .per_byte = options.per_byte.value_or(machine.per_byte),
                 .combine_per_byte = options.combine_per_byte.value_or(machine.combine_per_byte)};
}

std::vector<std::int64_t> bytes_for(Collective collective, const Options& options) {
  return info_of(collective).moves_data() ? options.bytes : std::vector<std::int64_t>{0};
}

/// Predicts every cell. If that takes long, a line on stderr tells how far it is: on a terminal always the same one,
/// which goes at the end, and elsewhere a new one now and then.
std::vector<analysis::Cell> predict_all(const Options& options, const std::vector<Collective>& collectives,
                                        const Machine& machine) {
  std::size_t all = 0, begun = 0;
  for (const Collective collective : collectives)
    all += analysis::priced_algorithms(collective) * options.ranks.size() * bytes_for(collective, options).size();
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds interval{2};
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  const char *const start = is_terminal ? "\r\033[K" : "", *const end = is_terminal ? "" : "\n";
  const Clock::time_point begin = Clock::now();
  Clock::time_point next = begin + interval;
  std::string place;
  analysis::Predictor predictor(machine, [&](std::string_view algorithm) {
    const std::size_t done = begun++;
    const Clock::time_point now = Clock::now();
    if (now < next) return;
    if (!is_terminal) next = now + interval;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin).count();
    std::cerr << start << done << "/" << all << ", " << seconds << " s: " << algorithm << place << end << std::flush;
  });
  std::vector<analysis::Cell> cells;
  for (const Collective collective : collectives)
    for (const std::int64_t ranks : options.ranks)
      for (const std::int64_t bytes : bytes_for(collective, options)) {
        place = ", " + std::to_string(ranks) + (ranks == 1 ? " rank, " : " ranks, ") + table::format_size(bytes);
        cells.push_back(predictor.predict(collective, static_cast<int>(ranks), bytes));
      }
  if (Clock::now() >= next) std::cerr << start << std::flush;
  return cells;
}

int predict(const Options& options) {
  const std::optional<Machine> machine = machine_of(options);
  if (!machine) return cannot_run;
  std::vector<Collective> collectives = options.collectives;
  if (collectives.empty()) collectives.assign(all_collectives.begin(), all_collectives.end());
  const std::vector<analysis::Cell> cells = predict_all(options, collectives, *machine);
  if (!options.html.empty()) {
    const nlohmann::ordered_json page{{"machine", table::describe(*machine)}, {"cells", as_json(cells)}};
    return make_page("model", page.dump(), options.html);
  }
  if (options.json) return print(as_json(cells), ok);
  return print(as_table(cells), ok);
}

}  // namespace

Action add_model(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  Options& o = *options;
  verb.add_option_function<std::vector<std::string>>(
          "--collective",
          [&o](const std::vector<std::string>& names) {
            for (const std::string& name : names) o.collectives.push_back(*table::find_collective(name));
          },
          "Collectives, separated by commas. Default: all")
      ->delimiter(',')
      ->check(is_name());
  add_sizes(verb, "--ranks", o.ranks, "RANKS", "Sizes of the communicator, up to 65536: 36 or 36,1152 or 2..1024")
      ->required();
  add_sizes(verb, "--bytes", o.bytes, "BYTES",
            "Packed sizes of one rank's data, of the whole vector for reduce_scatter and allgather: 8,64K or 1K..64M "
            "(powers of two between)")
      ->required();
  const auto figure = [&verb](const char* name, std::optional<double>& into, table::Unit unit, const char* meaning) {
    const auto parse = [unit](const std::string& text) { return table::parse_figure(text, unit); };
    add_parsed(verb, name, into, parse, unit == table::Unit::seconds ? "TIME" : "RATE", meaning,
               "is not understood; " + std::string(table::figure_hint(unit)));
  };
  figure("--latency", o.latency, table::Unit::seconds, "Latency of a message. Default: the table's, else 1.5us");
  figure("--bandwidth", o.per_byte, table::Unit::seconds_per_byte,
         "Bandwidth of a link in each direction. Default: the table's, else 12.5GB/s");
  figure("--combine", o.combine_per_byte, table::Unit::seconds_per_byte,
         "Rate at which the operator combines. Default: the table's, else 10GB/s");
  add_word(verb, "--table", o.table, "Tuning table whose machine is used, instead of the table in force");
  auto* json = verb.add_flag("--json", o.json, "Print JSON");
  add_word(verb, "--html", o.html, "Write curves and figures into this file as one self-contained page")
      ->excludes(json);
  end_help(verb, R"(
  mpigraft model --collective scan --ranks 36 --bytes 1K..64M
  mpigraft model --ranks 2..64 --bytes 8,64K --latency 2us --bandwidth 25GB/s --html model.html)",
           footer);
  return [options] {
    if (std::ranges::max(options->ranks) > most_ranks)
      throw CLI::ValidationError("--ranks", "more than " + std::to_string(most_ranks) + " take minutes; name fewer");
    return predict(*options);
  };
}

}  // namespace mpigraft::command
