// SPDX-License-Identifier: MIT
// mpigraft explain --all
#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/catalogue.hpp"
#include "config/command/explain.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

namespace {

constexpr int most_ranks = 1 << 16;
constexpr std::int64_t most_bytes = 256 << 20;
constexpr std::size_t columns_per_label = 10;  // 1, 1K, 1M

/// The algorithms for bytes that are powers of two (for barriers 0), and ranks that are so or one and a half times
/// that.
struct Map {
  Collective collective;
  std::vector<int> ranks;
  std::vector<std::int64_t> bytes;
  std::vector<std::vector<int>> algorithms;  // by ranks and bytes; indices into `listed`, or native
};

Map map_of(Collective collective, const analysis::Placing& placing, const Situation& now) {
  Map map{collective, {}, {}, {}};
  for (int p = 2; p <= most_ranks; p *= 2) {
    map.ranks.push_back(p);
    if (p < most_ranks) map.ranks.push_back(p / 2 * 3);
  }
  for (std::int64_t m = 1; m <= most_bytes; m *= 2) map.bytes.push_back(m);
  if (!info_of(collective).moves_data()) map.bytes = {0};
  for (const int p : map.ranks) {
    std::vector<int>& row = map.algorithms.emplace_back();
    for (const std::int64_t m : map.bytes)
      row.push_back(
          analysis::selection_of(analysis::query_of(collective, placing, p, m), now.settings, now.loaded.table)
              .choice.algorithm);
  }
  return map;
}

/// The algorithms on the map besides native, in the order of the catalogue.
std::vector<int> shown(const Map& map) {
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(listed.size()); ++i)
    if (std::ranges::any_of(map.algorithms, [=](const auto& row) { return std::ranges::find(row, i) != row.end(); }))
      found.push_back(i);
  return found;
}

std::string title_of(const Map& map, const analysis::Placing& placing) {
  const std::string ranks = std::to_string(placing.ranks_per_node);
  return std::string(name_of(map.collective)) +
         (ranks == "1" ? ", 1 rank a node" : ", up to " + ranks + " ranks a node") +
         (placing.oversubscribed ? ", more ranks than cores" : "") + (placing.floating ? ", floating point" : "");
}

std::string text_of(const Map& map, const analysis::Placing& placing) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::vector<int> algorithms = shown(map);
  const auto letter = [&](int algorithm) {
    if (algorithm == table::native) return '.';
    return letters[static_cast<std::size_t>(std::ranges::find(algorithms, algorithm) - algorithms.begin()) %
                   letters.size()];
  };
  std::string text = title_of(map, placing) + '\n', scale = "bytes  ";
  for (std::size_t i = 0; i < map.bytes.size(); i += columns_per_label) {
    scale += table::format_size(map.bytes[i]);
    scale.resize(7 + i + columns_per_label, ' ');
  }
  text += scale.substr(0, scale.find_last_not_of(' ') + 1) + '\n';
  for (std::size_t i = 0; i < map.ranks.size(); ++i) {
    const std::string p = std::to_string(map.ranks[i]);
    text += std::string(5 - p.size(), ' ') + p + "  ";
    for (const int algorithm : map.algorithms[i]) text += letter(algorithm);
    text += '\n';
  }
  for (const int algorithm : algorithms)
    text += std::string("  ") + letter(algorithm) + ' ' + std::string(name_of(table::Choice{algorithm})) + '\n';
  return text + "  . native\n";
}

nlohmann::ordered_json panel_of(const Map& map, const analysis::Placing& placing) {
  nlohmann::ordered_json panel{{"title", title_of(map, placing)}, {"ranks", map.ranks}, {"bytes", map.bytes}};
  for (const std::vector<int>& row : map.algorithms) {
    nlohmann::ordered_json& names = panel["algorithms"].emplace_back();
    for (const int algorithm : row) names.push_back(name_of(table::Choice{algorithm}));
  }
  return panel;
}

}  // namespace

int show_map(const ExplainOptions& options, const Situation& now) {
  std::string text;
  nlohmann::ordered_json page{{"table", now.loaded.source}};
  for (const Collective collective : all_collectives) {
    if (options.collective && options.collective != collective) continue;
    const Map map = map_of(collective, options.placing, now);
    text += (text.empty() ? "" : "\n") + text_of(map, options.placing);
    page["panels"].push_back(panel_of(map, options.placing));
  }
  return options.html.empty() ? print(text, ok) : make_page("map", page.dump(), options.html);
}

}  // namespace mpigraft::command
