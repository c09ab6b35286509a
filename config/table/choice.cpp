// SPDX-License-Identifier: MIT
#include "config/table/choice.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

std::string_view short_name(std::string_view full) { return full.substr(full.find('/') + 1); }

/// What the literature, MPICH and Open MPI call algorithms that have another name here.
struct OtherName {
  Collective collective;
  std::string_view name, ours;
};
constexpr std::array other_names{
    OtherName{Collective::scan, "simultaneous_binomial", "hillis_steele"},
    OtherName{Collective::scan, "kogge_stone", "hillis_steele"},
    OtherName{Collective::scan, "recursive_doubling", "butterfly"},
    OtherName{Collective::bcast, "chain", "linear_pipeline"},
    OtherName{Collective::bcast, "pipeline", "linear_pipeline"},
    OtherName{Collective::bcast, "split_binary_tree", "split_binary"},
    OtherName{Collective::bcast, "scatter_recursive_doubling_allgather", "scatter_allgather"},
    OtherName{Collective::bcast, "scatter_ring_allgather", "scatter_allgather"},
    OtherName{Collective::bcast, "scatter_allgather_ring", "scatter_allgather"},
    OtherName{Collective::reduce, "chain", "linear_pipeline"},
    OtherName{Collective::reduce, "pipeline", "linear_pipeline"},
    OtherName{Collective::reduce, "rabenseifner", "butterfly"},
    OtherName{Collective::reduce, "reduce_scatter_gather", "butterfly"},
    OtherName{Collective::allreduce, "reduce_scatter_allgather", "rabenseifner"},
    OtherName{Collective::allgather, "brucks", "bruck"},
    OtherName{Collective::allgather, "neighbor", "neighbor_exchange"},
    OtherName{Collective::bcast, "binary_tree", "two_tree"},
    OtherName{Collective::bcast, "pipelined_binary_tree", "two_tree"},
    OtherName{Collective::reduce, "binary", "pipelined_binary_tree"},
    OtherName{Collective::reduce, "in-order_binary", "pipelined_binary_tree"},
    OtherName{Collective::barrier, "bruck", "dissemination"},
    OtherName{Collective::barrier, "k_dissemination", "dissemination"},
    OtherName{Collective::scan, "smp", "hierarchical"},
    OtherName{Collective::bcast, "smp", "hierarchical"},
    OtherName{Collective::reduce, "smp", "hierarchical"},
    OtherName{Collective::allreduce, "smp", "hierarchical"},
    OtherName{Collective::barrier, "smp", "hierarchical"},
};

/// Hint for a name that is no algorithm of `collective`.
std::string algorithm_hint(Collective collective, std::string_view name) {
  std::vector<std::string_view> near{"native"}, elsewhere;
  for (const Listed& entry : listed) {
    if (entry.info->collective == collective)
      near.push_back(short_name(entry.name));
    else if (short_name(entry.name) == short_name(name))
      elsewhere.push_back(name_of(entry.info->collective));
  }
  if (!elsewhere.empty()) return "it is an algorithm of " + joined(elsewhere);
  return did_you_mean(short_name(name), near, "`mpigraft list` shows the algorithms");
}

/// Adds an option: SEGMENT, ports=K or barrier.
void add_option(Resolved& resolved, std::string_view option) {
  Choice& choice = resolved.choice;
  if (option == "barrier") {
    choice.barrier = true;
    resolved.problem = refusal(choice, "barrier");
  } else if (option.starts_with("ports=")) {
    const auto ports = parse_count(option.substr(option.find('=') + 1));
    if (!ports || *ports < 1 || *ports > max_ports) {
      resolved.problem = in_quotes(option) + " is not a number of ports";
      resolved.hint = "write 1 to " + std::to_string(max_ports);
      return;
    }
    choice.ports = static_cast<int>(*ports);
    resolved.problem = refusal(choice, "ports");
  } else if (const auto segment = parse_segment(option)) {
    choice.segment = *segment;
    resolved.problem = refusal(choice, "segment");
  } else {
    resolved.problem = in_quotes(option) + " is not a segment";
    resolved.hint = "write a size such as 8K, none, ports=K or barrier";
    return;
  }
  if (!resolved.problem.empty()) resolved.hint = "remove @" + std::string(option);
}

}  // namespace

std::optional<Collective> find_collective(std::string_view name) {
  const bool as_in_mpi = name.starts_with("MPI_");
  std::string ours(name.substr(as_in_mpi ? 4 : 0));
  if (as_in_mpi)
    for (char& c : ours) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto* found = std::ranges::find(collective_names, ours);
  if (found == collective_names.end()) return {};
  return static_cast<Collective>(found - collective_names.begin());
}

Resolved resolve_algorithm(Collective collective, std::string_view name) {
  if (name == "native") return {};
  const std::string prefix = std::string(name_of(collective)) + '/';
  const int index = find_algorithm(name.starts_with(prefix) ? name : prefix + std::string(name));
  if (index >= 0) return {.choice = {index}};
  for (const OtherName& other : other_names)
    if (other.collective == collective && (name == other.name || name == prefix + std::string(other.name)))
      return {.choice = {find_algorithm(collective, other.ours)},
              .note = in_quotes(other.name) + " is called " + in_quotes(other.ours) + " here"};
  return {.problem = in_quotes(name) + " is not an algorithm of " + std::string(name_of(collective)),
          .hint = algorithm_hint(collective, name)};
}

Resolved resolve_choice(Collective collective, std::string_view words) {
  const std::vector<std::string_view> parts = parts_of(words, '@');
  Resolved resolved = resolve_algorithm(collective, parts[0]);
  for (std::size_t i = 1; i < parts.size() && resolved.problem.empty(); ++i) add_option(resolved, parts[i]);
  return resolved;
}

std::optional<Composition> find_composition(std::string_view name) {
  const auto* found = std::ranges::find(compositions, name, &CompositionInfo::name);
  if (found == compositions.end()) return {};
  return static_cast<Composition>(found - compositions.begin());
}

Resolved resolve_variant(Composition composition, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Variant variant : all_variants) {
    if (!info_of(composition).has(variant)) continue;
    if (name == name_of(variant)) return {.variant = variant};
    names.push_back(name_of(variant));
  }
  return {.problem = in_quotes(name) + " is not a variant of " + std::string(name_of(composition)),
          .hint = suggestion(name, names)};
}

std::optional<std::int64_t> parse_segment(std::string_view text) {
  if (text == "none") return unsegmented;
  const auto size = parse_size(text);
  return size && *size > 0 ? size : std::nullopt;
}

std::string format_segment(std::int64_t segment) { return segment == unsegmented ? "none" : format_size(segment); }

std::string refusal(Choice choice, std::string_view option) {
  if (choice.algorithm != native) {
    const AlgorithmInfo& info = info_of(choice.algorithm);
    if (option == "segment" || (option == "ports" ? info.k_ported : info.barrier)) return {};
  }
  return std::string(name_of(choice)).append(" takes no ").append(option);
}

std::string words_of(Choice choice) {
  std::string text(name_of(choice));
  if (choice.segment != 0) text += "@" + format_segment(choice.segment);
  if (choice.ports != 0) text += "@ports=" + std::to_string(choice.ports);
  if (choice.barrier) text += "@barrier";
  return text;
}

std::string forced_words(Choice choice) {
  std::string text = words_of(choice);
  text.replace(text.find('/'), 1, "=");
  return text;
}

}  // namespace mpigraft::table
