// SPDX-License-Identifier: MIT
// The reports of all ranks become the one of the job.
#pragma once

#include <vector>

#include "config/report/arrivals.hpp"
#include "config/report/report.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::observe {

/// Said of an exchange in which all ranks of MPI_COMM_WORLD took part and all asked for a report: they will all come to
/// the meeting. Equal on all ranks.
void expect_all_to_gather();

/// All ranks in MPI_Finalize. They wait there for those that have not yet come, as MPICH itself does; a rank that ends
/// otherwise ends the job, natively too. Both members are collective, and go along a binomial tree.
class Meeting {
 public:
  /// `world`: a communicator of all ranks that nobody else sends on, or null on all of them.
  explicit Meeting(abi::Comm world);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  /// False where the ranks have never met before: every one writes for itself.
  explicit operator bool() const { return comm_ != abi::Comm::null; }

  /// Merges what all ranks tell of their calls, for all of them. Times are those of each rank's steady clock. By how
  /// much clocks of other hosts are ahead is asked here, so they are compared as if they had run evenly since the
  /// calls.
  void compare(std::vector<report::Arrival>& arrivals);

  /// Merges the reports of all ranks into that of rank 0; true there.
  bool gather(report::JobReport& report);

 private:
  abi::Comm comm_ = abi::Comm::null;
  bool own_ = false;
};

}  // namespace mpigraft::observe
