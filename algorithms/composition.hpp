// SPDX-License-Identifier: MIT
// THE table of compositions: a scan, and a collective on its result, merged into one collective of pairs by the rules
// of Gorlatch and Lengauer (1997, section 3). They apply where an operator (x) distributes over (+), as + does over
// max.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "algorithms/collective.hpp"
#include "algorithms/info.hpp"

namespace mpigraft {

// Columns: name in tables; function; the collective that follows the scan (on pairs, it replaces both calls).
#define MPIGRAFT_COMPOSITIONS(X)               \
  X(scan_reduce, Scan_reduce, reduce)          \
  X(scan_allreduce, Scan_allreduce, allreduce) \
  X(scan_scan, Scan_scan, scan)
// clang-format on

#define X(name, ...) name,
enum class Composition { MPIGRAFT_COMPOSITIONS(X) };
#undef X

/// The variants of a composition.
enum class Variant {
  fused,       // one collective of pairs: Theorems 1 and 2
  decomposed,  // scan and allreduce only: reduce-scatter of pairs, then allgather of its sums; eq. (30)
  apart,       // the two calls, one after the other
};
inline constexpr std::array all_variants{Variant::fused, Variant::decomposed, Variant::apart};
inline constexpr std::array<std::string_view, all_variants.size()> variant_names{"fused", "decomposed", "apart"};
constexpr std::string_view name_of(Variant variant) { return variant_names[static_cast<std::size_t>(variant)]; }

struct CompositionInfo {
  std::string_view name;      // as in tables: "scan_reduce"
  std::string_view function;  // "MPIGRAFT_Scan_reduce"
  Collective second;

  constexpr bool has(Variant variant) const {
    return variant != Variant::decomposed || second == Collective::allreduce;
  }
};

#define X(name, function, second) CompositionInfo{#name, "MPIGRAFT_" #function, Collective::second},
inline constexpr std::array compositions{MPIGRAFT_COMPOSITIONS(X)};
#undef X
inline constexpr std::size_t composition_count = compositions.size();
constexpr const CompositionInfo& info_of(Composition c) { return compositions[static_cast<std::size_t>(c)]; }
constexpr std::string_view name_of(Composition c) { return info_of(c).name; }

/// An element that holds the sum of a block's prefixes, and the product of the block.
template <class Sum, class Product = Sum>
struct Pair {
  Sum sum;
  Product product;
};

/// The operator <(+),(x)> of eq. (10), which is associative where (x) distributes over (+).
template <class Plus, class Times, class P>
constexpr P paired(Plus plus, Times times, const P& lower, const P& upper) {
  return {plus(lower.sum, times(lower.product, upper.sum)), times(lower.product, upper.product)};
}

/// Seconds that a composition takes on a hypercube of p ranks, with vectors of `bytes` bytes and q = ceil(log2 p)
/// start-ups a collective (sections 5.1, 5.2 and 6.3). The paper's thresholds follow. Fusing a scan and a reduction
/// never costs more. Fusing two scans pays where a start-up takes longer than combining two vectors. Decomposing pays
/// where vectors are long.
constexpr double hypercube_seconds(Composition composition, Variant variant, int p, double bytes,
                                   const Machine& machine) {
  const double q = ceil_log2(p), t_s = machine.latency;
  const double sent = bytes * machine.per_byte, combined = bytes * machine.combine_per_byte;
  const bool two_scans = info_of(composition).second == Collective::scan;
  switch (variant) {
    case Variant::fused:
      return q * (t_s + 2 * sent + (two_scans ? 6 : 3) * combined);
    case Variant::decomposed:
      return 2 * q * t_s + (4 * sent + 3 * combined) * (p - 1) / p;
    case Variant::apart:
      break;
  }
  return q * (2 * t_s + 2 * sent + (two_scans ? 4 : 3) * combined);
}

/// The variant with the least `hypercube_seconds`; in a tie the first of `all_variants`.
constexpr Variant fastest_variant(Composition composition, int p, double bytes, const Machine& machine) {
  const auto seconds = [&](Variant variant) { return hypercube_seconds(composition, variant, p, bytes, machine); };
  Variant fastest = Variant::fused;
  for (const Variant variant : all_variants)
    if (info_of(composition).has(variant) && seconds(variant) < seconds(fastest)) fastest = variant;
  return fastest;
}

}  // namespace mpigraft
