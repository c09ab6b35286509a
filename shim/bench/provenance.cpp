// SPDX-License-Identifier: MIT
#include "shim/bench/provenance.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdlib>

#include "config/table/requirements.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/version.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/observe/this_job.hpp"

namespace mpigraft::bench {

nlohmann::ordered_json provenance(int argc, char** argv, int ranks) {
  std::string command = "mpigraft-bench";
  for (int i = 1; i < argc; ++i) command.append(" ").append(argv[i]);
  double load = 0;  // of the last minute, before the run: other work disturbs
  getloadavg(&load, 1);
  MPI_Bcast(nullptr, 0, MPI_BYTE, 0, MPI_COMM_WORLD);  // the first call: the ranks tell each other their nodes
  const entry::Communicator* const world = entry::communicator_of(abi::comm_world);
  const agree::Negotiated agreed = world ? world->agreed : agree::Negotiated(abi::comm_world);  // of one rank
  const table::Surroundings here = table::surroundings_here(abi::library_version().data());
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

}  // namespace mpigraft::bench
