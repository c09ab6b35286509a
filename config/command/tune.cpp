// SPDX-License-Identifier: MIT
// mpigraft tune: its grammar. A program in Python, config/tune/main.py, starts the jobs.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* footer =
    R"(Tune starts jobs that make the wanted calls in mixed order, with ranks that come late, under the learner of
MPIGRAFT_LEARN: it tries algorithms on them, and judges these by the time of a call and by the time to the next one.
Then jobs by the new table and native ones take turns, twice for what seems slower, and what is slower becomes native
again. What every job found goes into FILE.results.jsonl, so you can stop tune at any time: the same command resumes
and runs nothing twice. With a larger --budget it decides more.

If scans, reductions and allreduces are tuned, the calls of mpigraft.h follow: a rule names the variant that is faster
than the two calls under the new table.)";

struct Options {
  std::vector<std::int64_t> ranks, bytes{8, 1 << 10, 8 << 10, 64 << 10, 512 << 10, 4 << 20};
  std::vector<std::string> collectives{collective_names.begin(), collective_names.end()};
  std::string report, launcher, budget, out = "site.json", policy, bench;
  double margin = 1;
  bool fresh = false, dry_run = false;
};

int tune(const Options& options) {
  const std::string beside = find_beside({"../shim/bench", "."}, "mpigraft-bench");
  const std::string bench = options.bench.empty() ? beside : std::filesystem::absolute(options.bench).string();
  if (std::error_code none; !std::filesystem::exists(bench, none))
    return fail("mpigraft-bench is not beside this command; build it, or name it with --bench");
  const Launcher launcher = find_launcher(options.launcher, linked_mpi(libraries_of(bench)));
  if (!launcher.problem.empty()) return fail(launcher.problem);
  const nlohmann::ordered_json asked{
      {"mpigraft", own_path()},    {"bench", bench},           {"launcher", launcher.words},
      {"ranks", options.ranks},    {"bytes", options.bytes},   {"collectives", options.collectives},
      {"report", options.report},  {"budget", options.budget}, {"margin", options.margin},
      {"out", options.out},        {"policy", options.policy}, {"fresh", options.fresh},
      {"dry_run", options.dry_run}};
  return run_script("tune/main.py", {in_a_line(asked)}, "tune");
}

}  // namespace

Action add_tune(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  verb.footer(footer);
  verb.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  auto* ranks = add_sizes(verb, "--ranks", options->ranks, "RANKS", "Numbers of ranks to tune for, such as 2,8,32");
  auto* from = add_file(verb, "--from", options->report,
                        "Instead of --ranks, a job's report in JSON: only its kinds of calls are tuned")
                   ->excludes(ranks);
  add_sizes(verb, "--bytes", options->bytes, "BYTES",
            "Sizes of one rank's data, with --ranks. Default: 8,1K,8K,64K,512K,4M");
  verb.add_option_function<std::string>(
          "--collectives",
          [options](const std::string& names) {
            options->collectives.clear();
            for (const std::string_view name : table::parts_of(names, ','))
              options->collectives.emplace_back(name_of(*table::find_collective(name)));
          },
          "Collectives to tune, separated by commas. Default: all")
      ->type_name("COLLECTIVES")
      ->check([](const std::string& names) {
        for (const std::string_view name : table::parts_of(names, ','))
          if (!table::find_collective(name))
            return table::in_quotes(name) + " is unknown; " + table::suggestion(name, collective_names);
        return std::string();
      });
  add_launcher(verb, options->launcher);
  verb.add_option("--budget", options->budget,
                  "Time for all jobs in FILE.results.jsonl, such as 5m or 2h; what is not decided by then stays "
                  "native. Default: as long as it takes")
      ->type_name("TIME");
  verb.add_option("--margin", options->margin,
                  "How many times as fast as the slower of two native jobs a call must be when compared, as far as "
                  "these agree. Default: 1.0")
      ->type_name("FACTOR");
  add_file(verb, "-o,--out", options->out, "File for the table. Default: site.json");
  verb.add_flag("--fresh", options->fresh, "Run everything again: ignore FILE.results.jsonl");
  verb.add_flag("--dry-run", options->dry_run, "Show what would be run, but run nothing");
  add_file(verb, "--policy", options->policy,
           "Rules beyond what is measured, in JSON, and those of the table in --out that stay; the embedded tables are "
           "made so");
  add_file(verb, "--bench", options->bench, "Path of mpigraft-bench. Default: the one beside this command");
  end_help(verb, R"(
  mpigraft tune --ranks 2,8,32 --budget 20m --launcher "srun -n {n}" --out site.json
  mpigraft tune --from job.json --out better.json
  mpigraft tune --ranks 2,8 --collectives scan,exscan --dry-run)",
           "Exit codes: 0 success, 1 a run failed or a result was wrong, 2 cannot run, 130 stopped.");
  return [=] {
    if (ranks->empty() && from->empty()) throw CLI::RequiredError("--ranks or --from");
    if (std::ranges::find(options->ranks, 1) != options->ranks.end())
      throw CLI::ValidationError("--ranks", "1 is not a number of ranks to tune for; write 2 or more");
    return tune(*options);
  };
}

}  // namespace mpigraft::command
