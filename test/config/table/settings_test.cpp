// SPDX-License-Identifier: MIT
#include "config/table/settings.hpp"
#include "config/table/choice.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

std::map<std::string, std::string> environment;

Settings read(std::map<std::string, std::string> given) {
  environment = std::move(given);
  return read_settings([](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("unset and empty variables are the defaults") {
  std::map<std::string, std::string> empty;
  for (const Variable& variable : variables) empty[std::string(variable.name)] = "";
  Settings standard;
  CHECK((standard.shared && standard.enabled && standard.answer == 60));
  standard.decisive = read({}).decisive;
  CHECK(read({}) == standard);
  CHECK(read(empty) == standard);
}

TEST_CASE("plain values") {
  const Settings settings = read({{"MPIGRAFT_TABLE", "/a b"},
                                  {"MPIGRAFT_VERBOSE", "2"},
                                  {"MPIGRAFT_REPORT", "stderr,sites"},
                                  {"MPIGRAFT_REPRODUCIBLE", "order"}});
  CHECK(settings.errors.empty());
  CHECK(settings.table == "/a b");
  CHECK(settings.verbose == 2);
  CHECK(settings.report_sites);
  CHECK(settings.report == "stderr");
  CHECK((settings.fixed_order && !settings.float_native));
  CHECK(read({{"MPIGRAFT_REPRODUCIBLE", "native"}}).float_native);
  CHECK_FALSE(read({{"MPIGRAFT_DISABLE", "0"}}).disable);
  const Settings disabled = read({{"MPIGRAFT_DISABLE", "1"}, {"MPIGRAFT_REPORT", "f"}, {"MPIGRAFT_FORCE", "nonsense"}});
  CHECK((disabled.disable && disabled.report.empty() && disabled.errors.empty()));
  CHECK(read({{"MPIGRAFT_CHECK", "1"}}).check);
  for (const char* signal : {"USR2", "SIGUSR2"}) CHECK(read({{"MPIGRAFT_SIGNAL", signal}}).signal == SIGUSR2);
  CHECK((read({{"MPIGRAFT_ABI", "mpich"}}).mpich_abi && !read({}).mpich_abi));
  CHECK(read({{"MPIGRAFT_WAIT", "native"}}).waiting == Waiting::native);
  CHECK(read({{"MPIGRAFT_WAIT", "patient"}}).waiting == Waiting::patient);
  CHECK((read({{"MPIGRAFT_TIMEOUT", "60"}}).timeout == 60 && read({{"MPIGRAFT_VERIFY", "100"}}).verify == 100));
  CHECK((read({}).answer == 60 && read({{"MPIGRAFT_ANSWER", "5"}}).answer == 5));
}

TEST_CASE("what ranks of a node share") {
  const auto shared = [](const char* value) { return read({{"MPIGRAFT_SHARED", value}}); };
  CHECK((shared("1").shared && shared("1").single_copy == SingleCopy::where_permitted));
  CHECK((shared("no-cma").shared && shared("no-cma").single_copy == SingleCopy::never));
  CHECK((shared("ptracer").shared && shared("ptracer").single_copy == SingleCopy::ptracer));
  CHECK_FALSE(shared("0").shared);
}

TEST_CASE("seconds fit into nanoseconds") {
  const Settings settings = read({{"MPIGRAFT_ANSWER", "10000000000"}, {"MPIGRAFT_TIMEOUT", "9223372036854775807"}});
  CHECK((settings.answer == 1'000'000'000 && settings.timeout == 1'000'000'000));
}

TEST_CASE("a job learns on floats only if it says so") {
  const Settings exact = read({{"MPIGRAFT_LEARN", "a,b.json"}});
  CHECK((exact.learn == "a,b.json" && !exact.learn_float));
  const Settings floats = read({{"MPIGRAFT_LEARN", "a.json,float"}});
  CHECK((floats.learn == "a.json" && floats.learn_float));
}

TEST_CASE("a choice in the words of MPIGRAFT_FORCE") {
  for (const std::string words : {"exscan=k_ported@64K@ports=3", "scan=binomial@barrier", "bcast=two_tree@none"}) {
    const Settings settings = read({{"MPIGRAFT_FORCE", words}});
    REQUIRE(settings.errors.empty());
    for (const auto& all : settings.force)
      for (const Forced& forced : all) CHECK(forced_words(forced.choice) == words);
  }
}

TEST_CASE("simulated nodes") {
  const SimulatedGroups blocks = read({{"MPIGRAFT_NODES", "4"}}).nodes;
  CHECK(blocks.any());
  CHECK(blocks.of(3) == 0);
  CHECK(blocks.of(4) == 1);
  const SimulatedGroups ranges = read({{"MPIGRAFT_NODES", "4-7,0-2,9"}}).nodes;
  CHECK(ranges.any());
  for (const auto& [rank, node] : {std::pair{4, 0}, {7, 0}, {0, 1}, {2, 1}, {9, 2}, {3, -1}, {8, -1}, {10, -1}})
    CHECK(ranges.of(rank) == node);
}

TEST_CASE("simulated cache groups") {
  CHECK_FALSE(read({}).cache_groups.any());
  CHECK(read({{"MPIGRAFT_NODES", "8/4"}}).cache_groups.of(4) == 1);
  CHECK(read({{"MPIGRAFT_NODES", "/0-1,2-9"}}).cache_groups.of(2) == 1);
  CHECK(read({{"MPIGRAFT_NODES", "/0"}}).cache_groups.any());
  CHECK(read({{"MPIGRAFT_NODES", "/0"}}).cache_groups.of(1000) == 0);
}

TEST_CASE("what influences a decision is in the digest, and nothing else is") {
  const std::string none = read({}).decisive;
  for (const char* name : {"MPIGRAFT_TABLE", "MPIGRAFT_LEARN", "MPIGRAFT_FORCE", "MPIGRAFT_NODES",
                           "MPIGRAFT_REPRODUCIBLE", "MPIGRAFT_SHARED", "MPIGRAFT_VERIFY"}) {
    CAPTURE(name);
    CHECK(read({{name, "0"}}).decisive != none);
    CHECK(read({{name, "0"}}).decisive != read({{name, "1"}}).decisive);
  }
  CHECK(read({{"MPIGRAFT_VERBOSE", "1"},
              {"MPIGRAFT_REPORT", "f,sites"},
              {"MPIGRAFT_LAUNCHER", "srun -n {n}"},
              {"MPIGRAFT_WAIT", "patient"},
              {"MPIGRAFT_TIMEOUT", "60"},
              {"MPIGRAFT_CHECK", "1"}})
            .decisive == none);
  // values do not run into each other
  CHECK(read({{"MPIGRAFT_TABLE", "xMPIGRAFT_FORCE="}, {"MPIGRAFT_FORCE", "y"}}).decisive !=
        read({{"MPIGRAFT_TABLE", "x"}, {"MPIGRAFT_FORCE", "MPIGRAFT_FORCE=y"}}).decisive);
}

TEST_CASE("no variable of ours is unknown") {
  CHECK(unknown_variables(nullptr).empty());  // after clearenv()
  for (const Variable& variable : variables) {
    const std::string entry = std::string(variable.name) + "=1";
    const char* known[] = {entry.c_str(), nullptr};
    CHECK(unknown_variables(known).empty());
  }
}
