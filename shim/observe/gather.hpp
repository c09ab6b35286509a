// SPDX-License-Identifier: MIT
// Merges the reports of all ranks into one report of the job.
#pragma once

#include "config/report/report.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::observe {

/// Called after a negotiation in which all ranks of MPI_COMM_WORLD took part and all asked for a report: they will all
/// take part in the gathering. Called on all ranks or on none.
void expect_all_to_gather();

/// Where the reports of all ranks are: `apart` if they are not gathered, else `here` on rank 0 and `elsewhere` on
/// others.
enum class Reports { apart, here, elsewhere };

/// Merges the reports of all ranks into that of rank 0 in MPI_Finalize. They wait there for those that have not yet
/// come, as MPICH itself does. A rank that ends without MPI_Finalize ends the job, also natively. Collective, unless
/// expect_all_to_gather() was never called. `world` is a communicator of all ranks that nobody else sends on. If it is
/// null, which it must be on all ranks, this makes one, and gathers nothing if that fails.
Reports gather(report::JobReport& report, abi::Comm world);

}  // namespace mpigraft::observe
