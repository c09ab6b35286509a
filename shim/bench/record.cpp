// SPDX-License-Identifier: MIT
#include "shim/bench/record.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>

#include "shim/base/version.hpp"
#include "shim/entry/communicator.hpp"

namespace mpigraft::bench {
namespace {

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

double load() {
  double last_minute = 0;
  getloadavg(&last_minute, 1);
  return last_minute;
}

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view all(text);  // Open MPI counts its end, too
  std::string line(all.substr(0, all.find('\n')));
  std::ranges::replace(line, '\t', ' ');
  return line;
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

Provenance provenance(int argc, char** argv, int ranks) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::string command = "mpigraft-bench";
  for (int i = 1; i < argc; ++i) command.append(" ").append(argv[i]);
  MPI_Bcast(nullptr, 0, MPI_BYTE, 0, MPI_COMM_WORLD);  // the first call: the ranks tell each other their nodes
  const entry::Communicator* const world = entry::communicator_of(abi::comm_world);
  const agree::Negotiated agreed = world ? world->agreed : agree::Negotiated(abi::comm_world);  // of one rank
  return {.date = date_now(),
          .host = host,
          .mpi = mpi_version(),
          .command = command,
          .load = load(),
          .cores = sysconf(_SC_NPROCESSORS_ONLN),
          .ranks = ranks,
          .oversubscribed = agreed.oversubscribed,
          .nodes = agreed.node_count,
          .ranks_per_node = agreed.ranks_per_node};
}

nlohmann::ordered_json document_of(const Provenance& from) {
  return {{"mpigraft", base::version},
          {"date", from.date},
          {"host", from.host},
          {"cores", from.cores},
          {"load", from.load},
          {"ranks", from.ranks},
          {"more_ranks_than_cores", from.oversubscribed},
          {"nodes", from.nodes},
          {"ranks_per_node", {from.ranks_per_node.min, from.ranks_per_node.max}},
          {"mpi", from.mpi},
          {"compiler", MPIGRAFT_COMPILER},
          {"command", from.command}};
}

Record::Record(const Provenance& from, const std::string& file) : name_(file), document_(document_of(from)) {
  document_["cells"] = nlohmann::ordered_json::array();
  if (name_.empty() || name_ == "-") return;
  file_.open(name_);
  if (!file_) fail();
}

void Record::add(const Cell& cell) { document_["cells"].push_back(document_of(cell)); }

void Record::finish() {
  if (name_.empty()) return;
  std::ostream& out = name_ == "-" ? std::cout : file_;
  // the command line may not be UTF-8
  out << document_.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  if (!out) fail();
}

void Record::fail() { problem_ = "cannot write " + name_ + ": " + std::strerror(errno); }

}  // namespace mpigraft::bench
