// SPDX-License-Identifier: MIT
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "shim/base/clock.hpp"
#include "shim/base/files.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::observe {
namespace {

constexpr std::size_t longest_command = 1024, longest_host = 256;

const std::int64_t loaded_ns = base::now_ns();
const time_t loaded_at = time(nullptr);

std::string date_of(time_t moment) {
  struct tm parts = {};
  char text[32];
  if (!gmtime_r(&moment, &parts) || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) return {};
  return text;
}

/// The value of the first variable that is set, else "".
std::string first_of(std::initializer_list<const char*> variables) {
  for (const char* variable : variables)
    if (const char* value = getenv(variable); value && *value) return value;
  return {};
}

/// Not from the user database: a lookup may ask a server.
std::string user() {
  const std::string name = first_of({"USER", "LOGNAME"});
  return name.empty() ? "uid " + std::to_string(getuid()) : name;
}

/// The words of the command with blanks between them, cut off where it is long.
std::string command() {
  const base::Content words = base::content_of("/proc/self/cmdline");
  std::string text(words.text, std::min(words.size, longest_command));
  if (text.ends_with('\0')) text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

}  // namespace

report::Job this_job(int ranks) {
  report::Job job = {
      .program = program_invocation_short_name,
      .date = date_of(loaded_at),
      // Slurm, PBS, LSF, Flux, Cobalt and Grid Engine
      .id = first_of({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "COBALT_JOBID", "JOB_ID"}),
      .user = user(),
      .command = command(),
      .ranks = ranks,
      .time = report::RankTimes::of_rank(1, base::now_ns() - loaded_ns)};
  char host[longest_host] = {};
  if (gethostname(host, sizeof host - 1) == 0 && *host) job.hosts.push_back(host);
  return job;
}

}  // namespace mpigraft::observe
