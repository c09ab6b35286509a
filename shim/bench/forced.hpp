// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include "algorithms/catalogue.hpp"
#include "config/table/choice.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/communicator.hpp"

namespace mpigraft::test {

/// Makes calls on a communicator of several ranks until they agree on the current settings. Calls without bytes cost
/// nothing natively.
inline void agree_on(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  constexpr int most = 10'000;
  int calls = 0;
  do MPI_Bcast(nullptr, 0, MPI_BYTE, 0, comm);  // the first one finds MPI
  while (size > 1 && ++calls < most && !entry::communicator_of(abi::passed<abi::Comm>(comm)));
}

/// A copy of MPI_COMM_WORLD whose ranks have agreed on the settings that `change` makes. It returns errors.
class AgreedCopy {
 public:
  template <class Change>
  explicit AgreedCopy(Change change) {
    change(base::settings());
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    agree_on(comm_);
  }
  ~AgreedCopy() { MPI_Comm_free(&comm_); }
  AgreedCopy(const AgreedCopy&) = delete;
  AgreedCopy& operator=(const AgreedCopy&) = delete;

  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A copy on simulated nodes and cache groups, if there are any. An algorithm of the catalogue, or its flat form, must
/// run on it: strict makes anything else an error.
class Forced : public AgreedCopy {
 public:
  explicit Forced(table::Choice choice, const table::SimulatedGroups& nodes = {},
                  const table::SimulatedGroups& cache_groups = {})
      : AgreedCopy([&](table::Settings& settings) {
          const AlgorithmInfo& info = info_of(choice.algorithm);
          settings.force = {};
          settings.force[static_cast<std::size_t>(info.collective)] = {{choice}};
          settings.strict = settings.allows_flat = true;
          settings.nodes = nodes;
          settings.cache_groups = cache_groups;
          settings.decisive = words_of(choice);
        }) {}
};

}  // namespace mpigraft::test
