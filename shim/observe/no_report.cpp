// SPDX-License-Identifier: MIT
// Why there is no report on stderr. Where a report is to be a file, its absence is seen.
#include <unistd.h>

#include "shim/abi/binding.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::observe {
namespace {

const pid_t process = getpid();  // a child that fork() made has nothing to report

std::string reason() {
  const void* const here = &process;
  if (!abi::graftable(here)) return abi::reason_against(here).text;
  if (has_counted()) return "the program ended without MPI_Finalize";
  return "the program made no call that it counts (`mpigraft report --help`), or only on single ranks";
}

[[gnu::destructor]] void tell_of_no_report() {
  if (base::disabled() || has_reported() || getpid() != process) return;
  base::ignore_bad_alloc([] {
    if (base::settings().report == "stderr" && abi::first_process() && abi::has_initialized_mpi(&process))
      base::log("no report: " + reason());
  });
}

}  // namespace
}  // namespace mpigraft::observe
