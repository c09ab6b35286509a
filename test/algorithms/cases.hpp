// SPDX-License-Identifier: MIT
// The runs that are proved: all small ones, and a fixed sample of the large ones.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/check.hpp"
#include "algorithms/patterns/nodes.hpp"

namespace mpigraft::proof {

/// MPIGRAFT_FULL=1 asks for the wider tier.
inline bool full() {
  const char* value = std::getenv("MPIGRAFT_FULL");
  return value && std::string_view(value) == "1";
}

/// The algorithm that MPIGRAFT_PROVE names; empty: all are proved.
inline std::string_view only() {
  static const std::string_view name = [] {
    const char* const value = std::getenv("MPIGRAFT_PROVE");
    if (!value) return std::string_view();
    if (find_algorithm(value) >= 0) return std::string_view(value);
    std::fprintf(stderr, "MPIGRAFT_PROVE: there is no algorithm \"%s\"\n", value);
    std::exit(2);  // it would prove nothing
  }();
  return name;
}

/// REQUIRES: there is such an algorithm.
inline const AlgorithmInfo& named(std::string_view name) { return info_of(find_algorithm(name)); }

/// Calls f for every algorithm that is proved, in order.
template <class F>
void for_each_proved(F f) {
  for (const Listed& A : listed) {
    if (only().empty() || A.name == only()) f(A);
  }
}

/// Up to these numbers of ranks everything is proved.
inline const int all_ranks = full() ? 4096 : 1024;
inline const int all_roots = full() ? 160 : 64;
inline const int all_sizes = full() ? 1024 : 192;
inline const int all_options = full() ? 4096 : 512;
inline const int all_failures = full() ? 48 : 24;

/// Bytes of an element with which latency decides, nothing decides alone, or latency is nothing.
constexpr std::int64_t small = 8, medium = 20'000, large = 1 << 20;

/// Random numbers that are the same on every machine, unlike those of std::uniform_int_distribution.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// In [0, n).
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 engine_;
};

/// True if the algorithm can get p ranks: those for ranks that read one page never have more than max_readers.
constexpr bool is_for(const AlgorithmInfo& info, int p) { return info.placement != Placement::one || p <= max_readers; }

/// These roots, if the collective has any.
inline std::set<int> roots_among(Collective collective, const std::set<int>& roots) {
  return info_of(collective).rooted() ? roots : std::set{0};
}

inline std::vector<int> roots(Collective collective, int p) {
  if (!info_of(collective).rooted()) return {0};
  std::vector<int> chosen;
  if (p <= all_roots) {
    for (int root = 0; root < p; ++root) chosen.push_back(root);
  } else {
    Random random(static_cast<unsigned>(p));
    chosen = {0, p % 2 == 0 ? p - 1 : random.below(p)};
    if (full()) chosen = {0, 1, p / 2, p - 1, random.below(p), random.below(p)};
  }
  return chosen;
}

/// The parameters, once for each option that an algorithm offers; with very many ranks only the default.
inline std::vector<Params> variants(const AlgorithmInfo& info, int p, Params params) {
  std::vector<Params> result{params};
  if (p > all_options) return result;
  if (info.k_ported)
    for (const int ports : {1, 3, 4, max_ports}) result.emplace_back(params).ports = ports;
  if (info.barrier) result.emplace_back(params).barrier = true;
  return result;
}

/// Without and with MPI_IN_PLACE, if an algorithm can tell. With many ranks only root 0 tries both.
inline std::vector<bool> in_place_modes(Collective collective, int p = 1, int root = 0) {
  if (info_of(collective).shows_in_place() && (p <= all_roots || root == 0)) return {false, true};
  return {false};
}

/// A division of ranks into nodes: their first ranks.
using Shape = std::vector<int>;

/// Nodes of c ranks, the last one maybe smaller.
inline Shape of_size(int p, int c) {
  Shape nodes;
  for (int first = 0; first < p; first += c) nodes.push_back(first);
  return nodes;
}

/// Nodes of 1 to `most` ranks.
inline Shape irregular(int p, int most, Random& random) {
  Shape nodes;
  for (int first = 0; first < p; first += 1 + random.below(most)) nodes.push_back(first);
  return nodes;
}

/// One node, nodes of one rank, equal ones, a smaller last one, and random ones.
inline std::vector<Shape> shapes(int p) {
  Random random(static_cast<unsigned>(p));
  std::vector<Shape> all{of_size(p, p), of_size(p, 1), of_size(p, 1 + random.below(p))};
  for (const int c : {2, 3, 4, 5, 8})
    if (p % c == 0) all.push_back(of_size(p, c));
  for (const int most : {3, 8, 1 + random.below(p)}) all.push_back(irregular(p, most, random));
  return all;
}

/// Fails unless the verdict on a run of this algorithm is good, and says which run it was.
inline void expect(std::string_view name, const model::Recording& run, const model::Verdict& verdict) {
  if (verdict) {
    SUCCEED();  // counts: a test of no runs fails, as meson.build asks
    return;
  }
  const Params& params = run.params;
  std::ostringstream text;
  text << name << " on p = " << run.p << " ranks, m = " << run.m << " elements of " << params.element_bytes
       << " bytes, root " << params.root << ", segment " << params.segment << ", ports " << params.ports;
  if (params.barrier) text << ", barriers";
  if (run.in_place) text << ", in place";
  if (!params.nodes.empty()) text << ", nodes from ranks";
  for (const int first : params.nodes) text << ' ' << first;
  if (!params.parts.firsts.empty()) text << ", parts from elements";
  for (const std::int64_t first : params.parts.firsts) text << ' ' << first;
  FAIL(text.str() << ": " << verdict.text);
}

}  // namespace mpigraft::proof
