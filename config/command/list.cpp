// SPDX-License-Identifier: MIT
// mpigraft list, mpigraft env
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "algorithms/catalogue.hpp"
#include "algorithms/composition.hpp"
#include "config/command/command.hpp"
#include "config/command/output.hpp"

namespace mpigraft::command {

namespace {

std::string operator_need(const AlgorithmInfo& info) {
  if (!info_of(info.collective).combines()) return "-";
  return info.commutative ? "commutative" : "any";
}

/// The name of `cuts`; empty if the collective has no operator.
std::string_view cuts_of(const AlgorithmInfo& info) {
  return info_of(info.collective).combines() ? cuts_names[static_cast<std::size_t>(info.cuts)] : "";
}

/// The facts, besides ranks, root and vector, that the bits of floating-point sums depend on.
std::vector<std::string> bits_vary_with(const AlgorithmInfo& info) {
  std::vector<std::string> what;
  if (info.varies_with_length) what.push_back("length");
  if (info.varies_with_blocks) what.push_back("blocks");
  if (info.varies_with_nodes) what.push_back("nodes");
  return what;
}

std::string bits_text(const AlgorithmInfo& info) {
  if (!info_of(info.collective).combines()) return "-";
  std::string text;
  for (const std::string& word : bits_vary_with(info)) text += (text.empty() ? "" : ",") + word;
  return (text.empty() ? "fixed" : text) + (info.same_on_all_ranks ? ",alike" : "");
}

/// Null if no two ranks get the same combination.
nlohmann::ordered_json same_on_all_ranks(const AlgorithmInfo& info) {
  if (!info_of(info.collective).gives_all_the_same()) return nullptr;
  return info.same_on_all_ranks;
}

/// The call for which the volume is shown: 1 MiB, as elements of 8 bytes.
constexpr int sample_ranks = 36;
constexpr std::array sample_nodes{0, 6, 12, 18, 24, 30};
constexpr std::int64_t sample_elements = (1 << 20) / 8;

/// The most that a rank sends or receives, in hundredths of the vector, as the (proven) theorem states it.
std::int64_t volume(const AlgorithmInfo& info) {
  const Theorem stated = info.theorem(sample_ranks, sample_elements, {.nodes = sample_nodes});
  return (100 * std::max(stated.sent, stated.received) + sample_elements / 2) / sample_elements;
}

std::string volume_text(const AlgorithmInfo& info) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(volume(info)) / 100);
  return text;
}

nlohmann::ordered_json list_document() {
  auto document = nlohmann::ordered_json::array();
  for (const auto& [name, info] : listed)
    document.push_back({{"name", name},
                        {"collective", name_of(info->collective)},
                        {"function", info_of(info->collective).function},
                        {"moves_data", info_of(info->collective).moves_data()},
                        {"paper", info->paper},
                        {"rounds", info->rounds},
                        {"volume", static_cast<double>(volume(*info)) / 100},
                        {"commutative", info->commutative},
                        {"cuts", cuts_of(*info)},
                        {"bits_vary_with", bits_vary_with(*info)},
                        {"same_on_all_ranks", same_on_all_ranks(*info)},
                        {"flat", info->flat},
                        {"nodes", placement_names[static_cast<std::size_t>(info->placement)]},
                        {"summary", info->summary}});
  return document;
}

/// "  scan_reduce: fused, apart", a line for each composition.
std::string compositions_text() {
  std::string text;
  for (const CompositionInfo& info : compositions) {
    text.append("  ").append(info.name);
    const char* separator = ": ";
    for (const Variant variant : all_variants) {
      if (!info.has(variant)) continue;
      text.append(separator).append(name_of(variant));
      separator = ", ";
    }
    text += '\n';
  }
  return text;
}

}  // namespace

int list(bool json) {
  if (json) return print(list_document(), ok);
  std::vector<std::vector<std::string>> rows{
      {"NAME", "PAPER", "ROUNDS", "VOLUME", "OPERATOR", "CUTS", "BITS", "SUMMARY"}};
  for (const auto& [name, info] : listed)
    rows.push_back({std::string(name), std::string(info->paper), std::string(info->rounds), volume_text(*info),
                    operator_need(*info), cuts_of(*info).empty() ? "-" : std::string(cuts_of(*info)), bits_text(*info),
                    std::string(info->summary)});
  return print(
      columns(rows) + "q = ceil(log2 p); VOLUME: the most that a rank sends or receives, in vectors, on " +
          std::to_string(sample_ranks) + " ranks of " + std::to_string(sample_nodes.size()) +
          " nodes with 1 MiB\n"
          "CUTS: the operator gets whole vectors (never), parts unless the segment is \"none\" (blocks), "
          "parts of vectors "
          "above 8 KiB (pages), parts (always)\n"
          "BITS: floating-point sums have the same bits whatever the vector's length, the segment size and the nodes "
          "(fixed), or they vary with these; alike on all ranks\n"
          "Variants of the calls of mpigraft.h, a scan and another call on its result:\n" +
          compositions_text(),
      ok);
}

table::Settings current_settings() {
  return table::read_settings([](const char* name) -> const char* { return std::getenv(name); });
}

int environment() {
  std::vector<std::vector<std::string>> rows{{"VARIABLE", "VALUES", "MEANING"}};
  for (const table::Variable& variable : table::variables)
    rows.push_back({std::string(variable.name), std::string(variable.values), std::string(variable.meaning)});
  std::vector<std::string> problems = table::unknown_variables(environ);
  const table::Settings settings = current_settings();
  problems.insert(problems.end(), settings.errors.begin(), settings.errors.end());
  for (const std::string& problem : problems) fail(problem);
  return print(columns(rows), problems.empty() ? ok : found_problems);
}

}  // namespace mpigraft::command
