// SPDX-License-Identifier: MIT
// What `mpigraft doctor` says of the table in force.
#include <algorithm>
#include <array>
#include <cstdio>
#include <thread>
#include <utility>

#include "config/analysis/comparison.hpp"
#include "config/analysis/explanation.hpp"
#include "config/command/findings.hpp"
#include "config/table/digest.hpp"
#include "config/table/size.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

constexpr std::array<std::int64_t, 12> typical_ranks{16, 8, 32, 4, 64, 2, 128, 256, 512, 1024, 2048, 4096};
const std::vector<std::int64_t> typical_bytes{8, 64 << 10, 4 << 20};

std::string in_hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

table::Choice choice_of(Collective collective, std::int64_t ranks, std::int64_t a_node, std::int64_t bytes,
                        const table::Settings& settings, const table::Table& table) {
  const analysis::Placing placing{.ranks_per_node = a_node};
  return analysis::selection_of(analysis::query_of(collective, placing, ranks, bytes), settings, table).choice;
}

/// Tells what would run on so many ranks, of which a node has `a_node`; false, without telling anything, if all of it
/// is native.
bool look_at_calls(Findings& findings, std::int64_t ranks, std::int64_t a_node, const table::Settings& settings,
                   const table::Table& table) {
  bool any = false;
  std::vector<std::string> lines;
  for (const Collective c : all_collectives) {
    std::string& text = lines.emplace_back(name_of(c));
    text += " on " + std::to_string(ranks) +
            (a_node >= ranks ? " ranks of one node:" : " ranks, " + std::to_string(a_node) + " a node:");
    const bool moves_data = info_of(c).moves_data();
    for (const std::int64_t bytes : moves_data ? typical_bytes : std::vector<std::int64_t>{0}) {
      const table::Choice choice = choice_of(c, ranks, a_node, bytes, settings, table);
      text += (text.back() == ':' ? " " : ", ") + (moves_data ? table::format_size(bytes) + " bytes " : "") +
              std::string(name_of(choice));
      any = any || choice.algorithm != table::native;
    }
  }
  if (any)
    for (const std::string& line : lines) findings.well("calls", line);
  return any;
}

/// Looks for ranks with a call that is not native, first for one on each core of this machine: a table may only be for
/// a few numbers of ranks, or for one node.
void look_at_calls(Findings& findings, const table::Settings& settings, const table::Table& table) {
  const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (cores > 1 && look_at_calls(findings, cores, cores, settings, table)) return;
  for (const std::int64_t ranks : typical_ranks)
    for (const std::int64_t a_node : {cores, std::int64_t{1}, ranks})
      if (look_at_calls(findings, ranks, a_node, settings, table)) return;
  findings.problem("calls", "every call on 2 to 4096 ranks is native; `mpigraft explain` says why");
}

/// Replaces the table by the embedded one if the job would, by the same comparison.
void look_at_requirements(Findings& findings, analysis::LoadedTable& loaded, table::Interface interface,
                          const std::string& version) {
  table::Requirements required = loaded.table.required;
  if (version.empty() && !std::exchange(required.mpi, "").empty())
    findings.well("table", loaded.origin + " requires an MPI library, which does not tell its version here");
  const std::string reason = table::why_not_in_force(loaded.origin, required, table::surroundings_here(version));
  if (reason.empty()) return;
  findings.problem("table", "not in force: " + reason);
  const table::TableFile file = table::embedded_table(interface);
  loaded = {file.origin, file.origin, file.text, table::parse_table(file.text).table, {}};
}

}  // namespace

void look_at_table(Findings& findings, const table::Settings& settings, table::Interface interface,
                   const std::string& version) {
  analysis::LoadedTable loaded = analysis::load_table({}, settings, interface);
  for (const std::string& problem : loaded.problems) findings.problem("table", problem);
  if (!loaded.problems.empty()) return;
  look_at_requirements(findings, loaded, interface, version);
  findings.well("table", loaded.origin + (loaded.source == loaded.origin ? "" : " (" + loaded.source + ")") +
                             ", rules " + std::to_string(loaded.table.rules.size()) + ", digest " +
                             in_hex(table::digest(loaded.text.data(), loaded.text.size())));
  if (settings.errors.empty()) look_at_calls(findings, settings, loaded.table);
}

}  // namespace mpigraft::command
