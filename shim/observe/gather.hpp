// SPDX-License-Identifier: MIT
// Merges the reports of all ranks into one report of the job.
#pragma once

#include "config/report/report.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::observe {

/// Called after a negotiation in which all ranks of MPI_COMM_WORLD took part and all asked for a report: they will all
/// take part in the gathering. Called on all ranks or on none.
void expect_all_to_gather();

/// The gathering of all ranks' reports in MPI_Finalize. They wait there for those that have not yet come, as MPICH
/// itself does. A rank that ends without MPI_Finalize ends the job, also natively.
class Gathering {
 public:
  /// `world` is a communicator of all ranks that nobody else sends on. If it is null, which it must be on all ranks,
  /// this makes one.
  explicit Gathering(abi::Comm world);
  ~Gathering();
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

  /// False if expect_all_to_gather() was never called, or no communicator can be made: then every rank writes its own
  /// report.
  explicit operator bool() const { return comm_ != abi::Comm::null; }

  /// Merges the reports of all ranks into that of rank 0, along a binomial tree. Collective. Returns true on rank 0
  /// only.
  bool gather(report::JobReport& report);

 private:
  abi::Comm comm_ = abi::Comm::null;
  bool owns_comm_ = false;
};

}  // namespace mpigraft::observe
