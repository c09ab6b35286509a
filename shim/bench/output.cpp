// SPDX-License-Identifier: MIT
#include "shim/bench/output.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "config/table/size.hpp"
#include "config/table/table_file.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/version.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::bench {
namespace {

std::string microseconds(double us) { return table::formatted("%.*f", us < 100 ? 2 : us < 10'000 ? 1 : 0, us); }

/// The name of an arm. One that is no algorithm's name tells what it ran.
std::string label(const Measured& arm) {
  const bool tells = arm.ran.algorithm == arm.arm || arm.ran.reason == "PMPI";
  return tells ? arm.arm : arm.arm + " = " + arm.ran.algorithm;
}

void print(const Cell& cell, const Measured& arm) {
  const std::string verdict(arm.agrees() ? name_of(arm.verdict) : "WRONG");
  const std::string batch = cell.calls > 1 ? " x " + std::to_string(cell.calls) : "";
  std::printf("%-14s %6s  %-38s %9s %9s  [%9s,%9s] %8.2f %-6s %5zu%s\n", cell.problem.name().data(),
              table::format_size(cell.problem.bytes()).c_str(), label(arm).c_str(),
              microseconds(arm.us.minimum).c_str(), microseconds(arm.us.median).c_str(),
              microseconds(arm.us.low).c_str(), microseconds(arm.us.high).c_str(), arm.ratio, verdict.c_str(),
              cell.repetitions, batch.c_str());
}

void print_header(const nlohmann::ordered_json& from, const Kind& kind) {
  const auto text = [&](const char* key) { return from[key].get<std::string>(); };
  std::printf("mpigraft %s, %s, %s: %d ranks on %d cores, load %.1f, %s\n%s %s\n\n", text("mpigraft").c_str(),
              text("date").c_str(), text("host").c_str(), from["ranks"].get<int>(), from["cores"].get<int>(),
              from["load"].get<double>(), text("mpi").c_str(), kind.type.c_str(), kind.op.c_str());
  std::printf("%-14s %6s  %-38s %9s %9s  [%19s] %8s %-6s %s\n", "collective", "bytes", "arm", "min us", "median us",
              "95 % interval", "ratio", "", "reps x calls");
}

/// One line for every arm whose result is not native's, on stderr.
void print_differences(const Cell& cell) {
  for (const Measured& arm : cell.arms)
    if (!arm.agrees())
      std::fprintf(stderr, "mpigraft-bench: wrong result: %s of %s bytes, %s: rank %d differs from native\n",
                   cell.problem.name().data(), table::format_size(cell.problem.bytes()).c_str(), label(arm).c_str(),
                   arm.differing_rank);
}

nlohmann::ordered_json document_of(const Measured& arm) {
  return {{"arm", arm.arm},           {"ran", arm.ran.algorithm},   {"reason", arm.ran.reason},
          {"min_us", arm.us.minimum}, {"median_us", arm.us.median}, {"low_us", arm.us.low},
          {"high_us", arm.us.high},   {"ratio", arm.ratio},         {"verdict", name_of(arm.verdict)},
          {"agrees", arm.agrees()}};
}

nlohmann::ordered_json document_of(const Cell& cell) {
  const Problem& problem = cell.problem;
  nlohmann::ordered_json document{{"collective", problem.name()},    {"bytes", problem.bytes()},
                                  {"type", problem.kind.type},       {"op", problem.kind.op},
                                  {"repetitions", cell.repetitions}, {"calls", cell.calls}};
  auto& arms = document["arms"] = nlohmann::ordered_json::array();
  for (const Measured& arm : cell.arms) arms.push_back(document_of(arm));
  return document;
}

}  // namespace

nlohmann::ordered_json provenance(int argc, char** argv, int ranks) {
  std::string command = "mpigraft-bench";
  for (int i = 1; i < argc; ++i) command.append(" ").append(argv[i]);
  double load = 0;  // of the last minute, before the run: other work disturbs
  getloadavg(&load, 1);
  const entry::Communicator* const world = entry::communicator_of(abi::comm_world);
  const agree::Negotiated agreed = world ? world->agreed : agree::Negotiated(abi::comm_world);  // of one rank
  const table::Surroundings here = table::surroundings_here(abi::library_version());
  return {{"mpigraft", base::version},
          {"date", observe::this_job(ranks).date},
          {"host", here.host},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"load", load},
          {"ranks", ranks},
          {"more_ranks_than_cores", agreed.oversubscribed},
          {"nodes", agreed.node_count},
          {"ranks_per_node", {agreed.ranks_per_node.min, agreed.ranks_per_node.max}},
          {"mpi", here.mpi},
          {"compiler", MPIGRAFT_COMPILER},
          {"command", command}};
}

Output::Output(const Options& options, const nlohmann::ordered_json& provenance)
    : options_(options), document_(provenance) {
  document_["cells"] = nlohmann::ordered_json::array();
  if (options.json == "-") return;
  if (!options.json.empty()) file_.open(options.json);
  if (file_) print_header(provenance, options.problems.front().kind);
}

void Output::add(const Cell& cell) {
  document_["cells"].push_back(document_of(cell));
  if (options_.json != "-") {
    for (const Measured& arm : cell.arms) print(cell, arm);
    std::printf("\n");
    std::fflush(stdout);
  }
  print_differences(cell);
}

void Output::finish() {
  if (!options_.json.empty()) json() << text_of(document_, 2) << std::endl;
}

std::ostream& Output::json() { return options_.json == "-" ? std::cout : file_; }

bool Output::failed() {
  if (json()) return false;
  std::fprintf(stderr, "mpigraft-bench: cannot write %s: %s\n", options_.json.c_str(), std::strerror(errno));
  return true;
}

}  // namespace mpigraft::bench
