// SPDX-License-Identifier: MIT
// The reports of all ranks become the one of the job.
#pragma once

#include "config/report/report.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::observe {

/// Said of an exchange in which all ranks of MPI_COMM_WORLD took part and all asked for a report: they will all come to
/// gather(). Equal on all ranks.
void expect_all_to_gather();

enum class Gathered {
  apart,      // the ranks have never met: every one writes for itself
  elsewhere,  // rank 0 has it
  here,       // `report` is the job's
};

/// Merges the reports of all ranks into that of rank 0, in MPI_Finalize. It waits for ranks that have not yet come, as
/// MPICH itself does there; a rank that ends otherwise ends the job, natively too.
/// `world`: a communicator of all ranks that nobody else sends on, or null on all of them.
Gathered gather(report::JobReport& report, abi::Comm world);

}  // namespace mpigraft::observe
