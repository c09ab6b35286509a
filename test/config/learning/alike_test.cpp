// SPDX-License-Identifier: MIT
// The groups of algorithms whose sums have the same bits, against the associations of recorded runs.
#include "config/learning/candidates.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/check.hpp"
#include "config/analysis/prediction.hpp"

namespace mpigraft::learning {
namespace {

using Hashes = std::vector<std::uint64_t>;

/// The associations, apart from swapped operands, in runs of several lengths and blocks.
Hashes associations_of(int algorithm, int ranks) {
  Hashes all;
  for (const std::int64_t bytes :
       {std::int64_t{8}, 8 * std::int64_t{ranks}, std::int64_t{8} * 700, std::int64_t{8} << 12})
    for (const std::int64_t segment : {0, 8, 640}) {
      const Hashes one = model::associations(analysis::recording_of(algorithm, ranks, bytes, {}, segment), true);
      all.insert(all.end(), one.begin(), one.end());
    }
  return all;
}

bool depends_on_nodes(const AlgorithmInfo& info) {
  if (info.placement == Placement::any) return info.varies_with_nodes;
  return info.placement != Placement::one;  // elsewhere another algorithm runs, which then is the candidate
}

}  // namespace

TEST_CASE("algorithms that associate alike are known, and no others") {
  std::map<int, Hashes> seen;
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const AlgorithmInfo& info = *listed[static_cast<std::size_t>(i)].info;
    if (!info_of(info.collective).combines() || depends_on_nodes(info)) continue;
    for (const int ranks : {3, 4, 5, 6, 7, 8, 12, 16, 17}) {
      const Hashes here = associations_of(i, ranks);
      seen[i].insert(seen[i].end(), here.begin(), here.end());
    }
  }
  for (const auto& [one, hashes] : seen)
    for (int other = 0; other < static_cast<int>(listed.size()); ++other)
      if (!seen.contains(other)) {
        INFO(listed[static_cast<std::size_t>(one)].name << ", " << listed[static_cast<std::size_t>(other)].name);
        CHECK_FALSE(associate_alike({.algorithm = one}, {.algorithm = other}, 3));
      }
  for (const auto& [one, hashes] : seen)
    for (const auto& [other, others] : seen) {
      if (listed[static_cast<std::size_t>(one)].info->collective !=
          listed[static_cast<std::size_t>(other)].info->collective)
        continue;
      INFO(listed[static_cast<std::size_t>(one)].name << ", " << listed[static_cast<std::size_t>(other)].name);
      CHECK(associate_alike({.algorithm = one}, {.algorithm = other}, 3) == (hashes == others));
    }
}

TEST_CASE("two operands have one association, and that of a native call with more is unknown") {
  const table::Choice scan{.algorithm = find_algorithm("scan/butterfly")}, native{.algorithm = table::native};
  CHECK(associate_alike(scan, native, 2));
  CHECK_FALSE(associate_alike(scan, native, 3));
  CHECK(associate_alike(native, native, 3));
}

}  // namespace mpigraft::learning
