// SPDX-License-Identifier: MIT
// The examples at the end of each subcommand's help. Those of tune are in config/tune/options.py.
#pragma once

#include <array>
#include <string_view>

namespace mpigraft::command {

struct Examples {
  std::string_view subcommand, lines;
};

inline constexpr std::array examples{
    Examples{"list", R"(
  mpigraft list
  mpigraft list --collective bcast
  mpigraft list bcast/two_tree)"},
    Examples{"check", R"(
  mpigraft check table.json
  mpigraft check --strict --json table.json)"},
    Examples{"fmt", R"(
  mpigraft fmt table.json
  mpigraft fmt --write table.json)"},
    Examples{"merge", R"(
  mpigraft merge site.json learned.json > both.json
  mpigraft merge mine.json first_job.json second_job.json > all.json)"},
    Examples{"import", R"(
  mpigraft import > table.json
  mpigraft import ~/.openmpi/mca-params.conf > table.json
  mpigraft import selection.json | mpigraft check /dev/stdin)"},
    Examples{"diff", R"(
  mpigraft diff old.json new.json
  mpigraft diff old.json new.json --collective bcast --ranks-per-node 8 --oversubscribed)"},
    Examples{"explain", R"(
  mpigraft explain --collective exscan --ranks 36 --bytes 64K
  mpigraft explain --collective scan --ranks 8 --bytes 64K --force scan=two_tree@8K --schedule
  mpigraft explain --all --ranks-per-node 8 --html map.html)"},
    Examples{"model", R"(
  mpigraft model --collective scan --ranks 36 --bytes 1K..64M
  mpigraft model --ranks 2..64 --bytes 8,64K --latency 2us --bandwidth 25GB/s --html model.html)"},
    Examples{"run", R"(
  mpigraft run -n 4 --report job.json -- ./program
  mpigraft run -n 4 --force exscan=doubling_123 --report stderr -- ./program
  mpigraft run -n 4 --verify --table mine.json -- ./program)"},
    Examples{"compare", R"(
  mpigraft compare -n 4 -- ./program
  mpigraft compare -n 64 --launcher "srun -n {n}" --budget 1h --html compared.html -- ./program
  mpigraft compare -n 4 --table mine.json --ignore-output -- ./program)"},
    Examples{"report", R"(
  mpigraft report job.json
  mpigraft report --html jobs.html first_job.json second_job.json)"},
    Examples{"doctor", R"(
  mpigraft doctor
  mpigraft doctor ./program
  mpigraft doctor --hang traces)"},
    Examples{"env", R"(
  mpigraft env
  MPIGRAFT_FORCE=scan=none mpigraft env)"},
};

}  // namespace mpigraft::command
