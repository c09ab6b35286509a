// SPDX-License-Identifier: MIT
// mpigraft list
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/catalogue.hpp"
#include "algorithms/composition.hpp"
#include "algorithms/model/recording.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::command {

namespace {

/// In the order of Cuts: which parts the operator gets.
constexpr std::array<std::string_view, 4> cuts_words{
    "the operator gets whole vectors", "the operator gets parts unless the segment is \"none\"",
    "the operator gets parts of vectors above 8 KiB", "the operator gets parts"};

/// The name of `cuts`; empty if the collective has no operator.
std::string_view cuts_of(const AlgorithmInfo& info) {
  return info_of(info.collective).combines() ? cuts_names[static_cast<std::size_t>(info.cuts)] : "";
}

/// The facts, besides ranks, root and vector, that the bits of floating-point sums depend on.
std::vector<std::string> bits_vary_with(const AlgorithmInfo& info) {
  std::vector<std::string> what;
  if (info.varies_with_length) what.push_back("length");
  if (info.varies_with_blocks) what.push_back("blocks");
  if (info.varies_with_nodes()) what.push_back("nodes");
  return what;
}

std::string bits_text(const AlgorithmInfo& info) {
  std::string text;
  for (const std::string& word : bits_vary_with(info)) text += (text.empty() ? "" : ",") + word;
  return (text.empty() ? "fixed" : text) + (info_of(info.collective).gives_all_the_same() ? ",alike" : "");
}

/// Null if no two ranks get the same combination. Proofs show that otherwise they get the same bits.
nlohmann::ordered_json same_on_all_ranks(const AlgorithmInfo& info) {
  if (!info_of(info.collective).gives_all_the_same()) return nullptr;
  return true;
}

/// The call for which the volume is shown: 1 MiB, as elements of 8 bytes.
constexpr int sample_ranks = 36;
constexpr std::array sample_nodes{0, 6, 12, 18, 24, 30};
constexpr std::int64_t sample_elements = (1 << 20) / 8;

/// The most that a rank sends or receives, in vectors, to two digits.
double volume(const AlgorithmInfo& info) {
  const model::Volumes most = model::record(info, sample_ranks, sample_elements, {.nodes = sample_nodes}).most;
  const std::int64_t hundredths = (100 * std::max(most.sent, most.received) + sample_elements / 2) / sample_elements;
  return static_cast<double>(hundredths) / 100;
}

/// All that an algorithm states, a line each.
std::string details(const Listed& listed) {
  const AlgorithmInfo& info = *listed.info;
  std::string text;
  const auto add = [&](std::string name, std::string_view value) {
    name.resize(12, ' ');
    text += wrapped(name, value);
  };
  add("name", listed.name);
  add("summary", info.summary);
  add("paper", info.paper);
  add("rounds", std::string(info.rounds) + " (p ranks, q = ceil(log2 p), b blocks)");
  add("volume", table::formatted("%.2f", volume(info)) + " vectors at most that a rank sends or receives, for " +
                    std::to_string(sample_ranks) + " ranks on " + std::to_string(sample_nodes.size()) +
                    " nodes and 1 MiB");
  if (info_of(info.collective).combines()) {
    add("operator", info.commutative ? "commutative" : "any");
    add("cuts", std::string(cuts_of(info)) + ": " + std::string(cuts_words[static_cast<std::size_t>(info.cuts)]));
    add("bits",
        bits_text(info) + ": what the last bits of floating-point sums vary with; alike: the same on all ranks");
  }
  add("nodes", placement_names[static_cast<std::size_t>(info.placement)]);
  if (!info.flat.empty()) add("elsewhere", std::string(info.flat) + " runs where the nodes are not so");
  return text;
}

struct Options {
  std::optional<Collective> collective;  // none: all
  std::string name;                      // of an algorithm to show in full; empty: none
  bool json = false;
};

bool is_asked_for(const Listed& listed, const Options& options) {
  return (!options.collective || listed.info->collective == *options.collective) &&
         (options.name.empty() || listed.name == options.name);
}

nlohmann::ordered_json list_document(const Options& options) {
  auto document = nlohmann::ordered_json::array();
  for (const Listed& each : listed) {
    if (!is_asked_for(each, options)) continue;
    const auto& [name, info] = each;
    document.push_back({{"name", name},
                        {"collective", name_of(info->collective)},
                        {"function", info_of(info->collective).function},
                        {"moves_data", info_of(info->collective).moves_data()},
                        {"paper", info->paper},
                        {"rounds", info->rounds},
                        {"volume", volume(*info)},
                        {"commutative", info->commutative},
                        {"cuts", cuts_of(*info)},
                        {"bits_vary_with", bits_vary_with(*info)},
                        {"same_on_all_ranks", same_on_all_ranks(*info)},
                        {"flat", info->flat},
                        {"nodes", placement_names[static_cast<std::size_t>(info->placement)]},
                        {"summary", info->summary}});
  }
  return document;
}

/// "  scan_reduce: fused, apart", a line for each composition.
std::string compositions_text() {
  std::string text;
  for (const CompositionInfo& info : compositions) {
    std::vector<std::string_view> variants;
    for (const Variant variant : all_variants)
      if (info.has(variant)) variants.push_back(name_of(variant));
    text.append("  ").append(info.name).append(": ").append(table::joined(variants)) += '\n';
  }
  return text;
}

int list(const Options& options) {
  const int named = find_algorithm(options.name);
  if (!options.name.empty() && named < 0) {
    std::vector<std::string_view> names;
    for (const Listed& each : listed) names.push_back(each.name);
    return fail("unknown algorithm " + table::in_quotes(options.name) + "; " +
                table::did_you_mean(options.name, names, "`mpigraft list` shows their full names"));
  }
  if (options.json) return print(list_document(options), ok);
  if (!options.name.empty()) return print(details(listed[static_cast<std::size_t>(named)]), ok);
  std::size_t longest = 0;
  for (const Listed& each : listed) longest = std::max(longest, each.name.size());
  std::string text;
  for (const Listed& each : listed) {
    if (!is_asked_for(each, options)) continue;
    std::string name(each.name);
    name.resize(longest + 2, ' ');
    text += wrapped(name, each.info->summary);
  }
  text += "\n`mpigraft list NAME` shows all about one: paper, rounds, volume, operators, bits.\n";
  if (!options.collective)
    text += "Variants of the calls of mpigraft.h, a scan and another call on its result:\n" + compositions_text();
  return print(text, ok);
}

}  // namespace

Action add_list(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  auto* name = verb.add_option("NAME", options->name, "Full name of an algorithm, to show all that it states");
  add_collective(verb, options->collective, "Collective whose algorithms are shown. Default: all")->excludes(name);
  verb.add_flag("--json", options->json, "Print JSON");
  end_help(verb, R"(
  mpigraft list
  mpigraft list --collective bcast
  mpigraft list bcast/two_tree)");
  return [options] { return list(*options); };
}

}  // namespace mpigraft::command
