// SPDX-License-Identifier: MIT
// Decisions about giving a core away, and about the extent of a node, from facts made up here.
#include "shim/agree/nodes.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace mpigraft;
using namespace mpigraft::base;

namespace {

HostFacts rank_on(std::uint64_t host, std::uint64_t cpus, std::int64_t simulated = 0) {
  HostFacts facts;
  facts.host = host;
  facts.cpus = cpus;
  facts.cores = 4;
  facts.simulated_node = simulated;
  return facts;
}

bool oversubscribed(const std::vector<HostFacts>& facts) { return agree::more_ranks_than_cores(facts[0], facts); }

/// The nodes of these ranks, whose facts are then sorted by node.
struct Nodes {
  explicit Nodes(std::vector<HostFacts> ranks) : facts(std::move(ranks)) {}

  std::vector<HostFacts> facts;
  std::vector<int> first;
  const agree::NodeCounts counts = agree::count_nodes(facts, first);
};

/// Ranks of one node with these caches and this memory.
std::vector<int> cache_groups(const std::vector<std::int64_t>& caches, std::vector<std::int64_t> memory = {}) {
  memory.resize(caches.size(), unknown_locality);
  std::vector<HostFacts> facts;
  for (std::size_t rank = 0; rank < caches.size(); ++rank) {
    facts.push_back(rank_on(1, 1));
    facts.back().cache = caches[rank];
    facts.back().memory = memory[rank];
  }
  std::vector<int> first;
  agree::find_cache_groups(facts, first);
  return first;
}

/// A folder as /sys, in which four processors share two caches and all memory is of node 1.
class FakeSys {
 public:
  FakeSys() {
    char name[] = "/tmp/mpigraft-sys-XXXXXX";
    folder_ = mkdtemp(name);
    for (const int cpu : {0, 1, 2, 3}) {
      const std::string cache = "devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index3/";
      write(cache + "level", "3");
      write(cache + "shared_cpu_list", cpu < 2 ? "0-1" : "2,3");
    }
    write("devices/system/node/online", "0-1");
    write("devices/system/node/node0/cpulist", "");
    write("devices/system/node/node1/cpulist", "0-3");
  }
  ~FakeSys() { std::filesystem::remove_all(folder_); }
  FakeSys(const FakeSys&) = delete;
  FakeSys& operator=(const FakeSys&) = delete;

  Locality of(std::uint64_t cpus) const { return locality_of(cpus, folder_.c_str()); }

 private:
  void write(const std::string& file, const char* text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_ + "/" + file).parent_path());
    std::ofstream(folder_ + "/" + file) << text << '\n';
  }
  std::string folder_;
};

}  // namespace

TEST_CASE("cache groups are of ranks that share a cache, or else memory") {
  CHECK(cache_groups({0, 0, 4, 4, 4}) == std::vector{0, 2});
  CHECK(cache_groups({0, 0, 4, 4, 0}).empty());  // not consecutive
  CHECK(cache_groups({0, 0, 0}).empty());        // only one
  CHECK(cache_groups({0, 1, 2}).empty());        // each has its own
  CHECK(cache_groups({0, 1, 2, 3}, {0, 0, 1, 1}) == std::vector{0, 2});
  CHECK(cache_groups({0, unknown_locality, 2}, {0, 0, 1}) == std::vector{0, 2});
  CHECK(cache_groups({0, unknown_locality, 2}).empty());
}

TEST_CASE("several nodes have no cache groups") {
  std::vector<HostFacts> facts{rank_on(1, 1), rank_on(1, 1), rank_on(2, 1), rank_on(2, 1)};
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) facts[rank].cache = rank / 2;
  std::vector<int> first;
  agree::find_cache_groups(facts, first);
  CHECK(first.empty());
}

TEST_CASE("the kernel tells the locality of a process") {
  const FakeSys sys;
  CHECK(sys.of(0b0001).cache == 0);
  CHECK(sys.of(0b1100).cache == 2);
  CHECK(sys.of(0b0110).cache == unknown_locality);
  CHECK(sys.of(0b0110).memory == 1);
  CHECK(sys.of(0b10000).memory == unknown_locality);
  CHECK(sys.of(0).memory == unknown_locality);
  CHECK(locality_of({1}, "/nowhere").cache == unknown_locality);
}

TEST_CASE("a bound rank is never oversubscribed, however many ranks the node has") {
  std::vector<HostFacts> bound{rank_on(1, 0b0001), rank_on(1, 0b0010), rank_on(1, 0b0100), rank_on(1, 0b1000)};
  for (HostFacts& facts : bound) facts.ranks_on_host = 64;
  CHECK_FALSE(oversubscribed(bound));
  bound.pop_back();
  CHECK_FALSE(oversubscribed(bound));
}

TEST_CASE("oversubscribed is more ranks than the union of the masks") {
  CHECK_FALSE(oversubscribed({rank_on(1, 0b11), rank_on(1, 0b11)}));
  CHECK(oversubscribed({rank_on(1, 0b11), rank_on(1, 0b11), rank_on(1, 0b11)}));
  CHECK_FALSE(oversubscribed({rank_on(1, 0b11), rank_on(1, 0b11), rank_on(1, 0b110)}));
  CHECK(oversubscribed({rank_on(1, 1), rank_on(1, 1)}));
}

TEST_CASE("masks that are not known, on a machine of very many processors, stand for all of them") {
  const std::vector<HostFacts> ranks(4, rank_on(1, 0));
  CHECK_FALSE(oversubscribed(ranks));
  CHECK(oversubscribed(std::vector<HostFacts>(5, rank_on(1, 0))));
}

TEST_CASE("ranks of other hosts do not count, simulated nodes do not split the cores") {
  CHECK_FALSE(oversubscribed({rank_on(1, 0b11), rank_on(1, 0b11), rank_on(2, 0b11), rank_on(2, 0b11)}));
  CHECK(oversubscribed({rank_on(1, 1, 0), rank_on(1, 1, 1)}));
}

TEST_CASE("a cgroup quota caps the cores") {
  std::vector<HostFacts> ranks{rank_on(1, 0b1111), rank_on(1, 0b1111), rank_on(1, 0b1111)};
  CHECK_FALSE(oversubscribed(ranks));
  ranks[0].quota = 2;
  CHECK(oversubscribed(ranks));
}

TEST_CASE("unbound ranks outside the communicator count where the launcher tells their number") {
  std::vector<HostFacts> two{rank_on(1, 0b1111), rank_on(1, 0b1111)};
  CHECK_FALSE(oversubscribed(two));
  two[0].ranks_on_host = 8;
  CHECK(oversubscribed(two));
}

TEST_CASE("a communicator is oversubscribed where any host is, or any rank knows of it") {
  const auto anywhere = [](const std::vector<HostFacts>& facts) {
    return agree::oversubscribed_anywhere(Nodes(facts).facts);
  };
  const HostFacts alone = rank_on(1, 0b11), one_of_two = rank_on(2, 0b1);
  CHECK_FALSE(anywhere({alone, one_of_two}));
  CHECK(anywhere({one_of_two, alone, one_of_two}));
  CHECK(anywhere({rank_on(3, 1, 0), alone, rank_on(3, 1, 1)}));  // simulated nodes of one host
  HostFacts knows = alone;
  knows.oversubscribed = 1;
  CHECK(anywhere({one_of_two, knows}));
}

TEST_CASE("ranks per node: fewest and most, in any order of ranks, simulated nodes apart") {
  CHECK(Nodes({rank_on(7, 1), rank_on(3, 1), rank_on(7, 1), rank_on(7, 1)}).counts.ranks == table::Range{1, 3});
  CHECK(Nodes({rank_on(7, 1, 0), rank_on(7, 1, 1), rank_on(7, 1, 0), rank_on(7, 1, 1)}).counts.ranks ==
        table::Range{2, 2});
  CHECK(Nodes({rank_on(7, 1)}).counts.ranks == table::Range{1, 1});
  CHECK(Nodes({rank_on(7, 1), rank_on(3, 1), rank_on(7, 1), rank_on(5, 1)}).counts.nodes == 3);
}

TEST_CASE("the first ranks of nodes, unless a node's ranks are apart") {
  CHECK(Nodes({rank_on(7, 1), rank_on(7, 1), rank_on(3, 1), rank_on(9, 1)}).first == std::vector{0, 2, 3});
  CHECK(Nodes({rank_on(7, 1, 1), rank_on(7, 1, 0), rank_on(7, 1, 0)}).first == std::vector{0, 1});
  CHECK(Nodes({rank_on(7, 1), rank_on(7, 1)}).first == std::vector{0});
  CHECK(Nodes({rank_on(7, 1), rank_on(3, 1), rank_on(7, 1)}).first.empty());
  CHECK(Nodes({rank_on(7, 1, 0), rank_on(7, 1, 1), rank_on(7, 1, 0), rank_on(7, 1, 1)}).first.empty());
}
