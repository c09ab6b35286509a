// SPDX-License-Identifier: MIT
// mpigraft doctor --hang: which ranks wait where, from the files of MPIGRAFT_TRACE.
#include "config/report/hang.hpp"

#include "config/command/command.hpp"
#include "config/command/output.hpp"

namespace mpigraft::command {

int show_hang(const std::string& folder) {
  const report::Traces traces = report::read_traces(folder);
  if (traces.empty()) return fail("no trace in " + folder + "; run the program with MPIGRAFT_TRACE=" + folder);
  if (!report::of_one_job(traces))
    return fail("the traces in " + folder + " are of different jobs; empty the folder, and run the program again");
  const report::Hang hang = report::explain_hang(traces);
  return print(hang.text, hang.any ? found_problems : ok);
}

}  // namespace mpigraft::command
