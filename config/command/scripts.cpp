// SPDX-License-Identifier: MIT
// mpigraft compare and tune: their grammars. Programs in Python, in config/tune/, do the work.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* compare_footer =
    R"(Compare starts the program in turns, in random order: natively, natively once more (the null arm), grafted, and both
once more with a report. The first launch of each is a warm-up and does not count. Native launches are without mpigraft,
even if LD_PRELOAD names it, and without MPIGRAFT_* variables; with a report the library leaves calls and waiting
native, and times the calls. Grafted ones are what `mpigraft run` starts, with your MPIGRAFT_* variables.

Wall times are those of launches without a report, from the start of the launcher to its end; times of collectives are
those of reports. A ratio is native time over grafted time. As far as native launches differ among themselves, nothing
is said: a difference counts if medians and minima differ by more than 3 %, and three quarters of the launches of both
sides do not overlap. For a kind of call, every other native launch is compared with the rest. The kinds of calls that
got slower by a hundredth of the program's time or more are named, the one that cost most first, with rules that leave
them native: write these before all others of the table. If there is none, but the program got slower, the time is lost
elsewhere: in the set-up of communicators, or where ranks sleep (MPIGRAFT_WAIT).

Standard output is compared as lines in any order, because ranks print when they come to it. Output that differs between
native launches cannot be compared. Each launch runs in this folder and reads the file that is standard input, if it is
one.)";

struct CompareOptions {
  int ranks = 0, launches = 8;
  std::string table, force, launcher, budget = "10m", html;
  bool ignore_output = false, json = false;
  std::vector<std::string> program;  // and its arguments
};

std::vector<std::string> words_for_run(const CompareOptions& options) {
  std::vector<std::string> words{"-n", std::to_string(options.ranks)};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  add("--launcher", options.launcher);
  add("--table", options.table);
  add("--force", options.force);
  return words;
}

/// Returns only if nothing can be compared, after telling why.
int compare(const CompareOptions& options) {
  if (const std::string problem = unwritable("--html", options.html); !problem.empty()) return fail(problem);
  const LinkedMpi linked = linked_mpi(libraries_of(options.program[0]));
  const Launcher launcher = find_launcher(options.launcher, linked);
  if (!launcher.problem.empty()) return fail(launcher.problem);
  if (const std::string trouble = launcher.trouble(linked, current_settings().mpich_abi); !trouble.empty())
    fail(trouble);
  const nlohmann::ordered_json asked{{"mpigraft", own_path()},
                                     {"version", version},
                                     {"launcher", launcher.command(options.ranks)},
                                     {"run", words_for_run(options)},
                                     {"ranks", options.ranks},
                                     {"launches", options.launches},
                                     {"budget", options.budget},
                                     {"ignore_output", options.ignore_output},
                                     {"json", options.json},
                                     {"html", options.html}};
  return run_script("tune/compare.py", asked, options.program, "compare");
}

constexpr const char* tune_footer =
    R"(Tune starts jobs that make the wanted calls in mixed order, with ranks that come late, under the learner of
MPIGRAFT_LEARN: it tries algorithms on them, and judges these by the time of a call and by the time to the next one.
Then jobs by the new table and native ones take turns, twice for what seems slower, and what is slower, or makes the
calls behind it slower, becomes native again. What every job found goes into FILE.results.jsonl, so you can stop tune at
any time: the same command resumes and runs nothing twice. With a larger --budget it decides more.

If scans, reductions and allreduces are tuned, the calls of mpigraft.h follow: a rule names the variant that is faster
than the two calls under the new table.)";

struct TuneOptions {
  std::vector<std::int64_t> ranks, bytes{8, 1 << 10, 8 << 10, 64 << 10, 512 << 10, 4 << 20};
  std::vector<std::string> collectives{collective_names.begin(), collective_names.end()};
  std::string report, launcher, budget, out = "site.json", policy, bench;
  double margin = 1;
  bool fresh = false, dry_run = false;
};

int tune(const TuneOptions& options) {
  if (const std::string problem = unwritable("--out", options.out, true); !problem.empty()) return fail(problem);
  if (std::error_code none; std::filesystem::equivalent(options.report, options.out, none))
    return fail("--out: " + options.out + " is what --from reads; name another file");
  const std::string beside = find_beside({"../shim/bench", "."}, "mpigraft-bench");
  const std::string bench = options.bench.empty() ? beside : absolute(options.bench);
  if (std::error_code none; !std::filesystem::exists(bench, none))
    return fail(options.bench.empty() ? "mpigraft-bench is not beside this command; build it, or name it with --bench"
                                      : "--bench: there is no " + bench);
  const Launcher launcher = find_launcher(options.launcher, linked_mpi(libraries_of(bench)));
  if (!launcher.problem.empty()) return fail(launcher.problem);
  const nlohmann::ordered_json asked{
      {"mpigraft", own_path()},    {"bench", bench},           {"launcher", launcher.words},
      {"ranks", options.ranks},    {"bytes", options.bytes},   {"collectives", options.collectives},
      {"report", options.report},  {"budget", options.budget}, {"margin", options.margin},
      {"out", options.out},        {"policy", options.policy}, {"fresh", options.fresh},
      {"dry_run", options.dry_run}};
  return run_script("tune/main.py", asked, {}, "tune");
}

}  // namespace

Action add_compare(CLI::App& verb) {
  auto options = std::make_shared<CompareOptions>();
  add_ranks(verb, options->ranks);
  verb.add_option("--launches", options->launches, "Launches of each arm after the warm-up. Default: 8")
      ->type_name("NUMBER")
      ->check(CLI::Range(2, 1000).description(""));
  add_word(verb, "--budget", options->budget,
           "Time for all launches, such as 90s or 1h; what was measured by then counts. Default: 10m", "TIME");
  add_word(verb, "--table", options->table, "Tuning table of grafted launches instead of the one in force");
  add_force(verb, options->force, "Algorithms of grafted launches instead of the table's choice");
  verb.add_flag("--ignore-output", options->ignore_output, "Do not compare what the program prints");
  add_launcher(verb, options->launcher);
  verb.add_flag("--json", options->json, "Print JSON");
  add_word(verb, "--html", options->html,
           "Write times of all launches and calls into this file as one self-contained page");
  add_program(verb, options->program);
  end_help(
      verb, R"(
  mpigraft compare -n 4 -- ./program
  mpigraft compare -n 64 --launcher "srun -n {n}" --budget 1h --html compared.html -- ./program
  mpigraft compare -n 4 --table mine.json --ignore-output -- ./program)",
      compare_footer,
      "Exit codes: 0 not slower, 1 slower, 2 output or exit code differ, 3 nothing could be compared, 130 stopped.");
  return [options] { return compare(*options), not_compared; };
}

Action add_tune(CLI::App& verb) {
  auto options = std::make_shared<TuneOptions>();
  verb.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  auto* ranks = add_sizes(verb, "--ranks", options->ranks, "RANKS", "Numbers of ranks to tune for, such as 2,8,32");
  auto* from = add_word(verb, "--from", options->report,
                        "Instead of --ranks, a job's report in JSON: only its kinds of calls are tuned")
                   ->excludes(ranks);
  add_sizes(verb, "--bytes", options->bytes, "BYTES",
            "Sizes of one rank's data, with --ranks. Default: 8,1K,8K,64K,512K,4M")
      ->excludes(from);
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
        std::string wrong;
        for (const std::string_view name : table::parts_of(names, ','))
          if (wrong.empty()) wrong = unknown_name(name);
        return wrong;
      });
  add_launcher(verb, options->launcher);
  add_word(verb, "--budget", options->budget,
           "Time for all jobs in FILE.results.jsonl, such as 5m or 2h; what is not decided by then stays native. "
           "Default: as long as it takes",
           "TIME");
  verb.add_option("--margin", options->margin,
                  "How many times as fast as the slower of two native jobs a call must be when compared. Default: 1.0")
      ->type_name("FACTOR")
      ->check([](const std::string& text) {
        double factor = 0;
        const bool is_number = CLI::detail::lexical_cast(text, factor) && std::isfinite(factor) && factor > 0;
        return is_number ? "" : table::in_quotes(text) + " is not a factor; write 1.05";
      });
  add_word(verb, "-o,--out", options->out, "File for the table. Default: site.json");
  verb.add_flag("--fresh", options->fresh, "Run everything again: ignore FILE.results.jsonl");
  verb.add_flag("--dry-run", options->dry_run, "Show what would be run, but run nothing");
  add_word(verb, "--policy", options->policy,
           "JSON file that says to which places measured rules extend, and which measurements count for nothing; "
           "mpigraft(1), TUNING");
  add_word(verb, "--bench", options->bench, "Path of mpigraft-bench. Default: the one beside this command");
  end_help(verb, R"(
  mpigraft tune --ranks 2,8,32 --budget 20m --launcher "srun --mpi=pmi2 -n {n}" --out site.json
  mpigraft tune --from job.json --out better.json
  mpigraft tune --ranks 2,8 --collectives scan,exscan --dry-run)",
           tune_footer, "Exit codes: 0 success, 1 a run failed or a result was wrong, 2 cannot run, 130 stopped.");
  return [=] {
    if (ranks->empty() && from->empty()) throw CLI::RequiredError("--ranks or --from");
    if (std::ranges::find(options->ranks, 1) != options->ranks.end())
      throw CLI::ValidationError("--ranks", "1 is not a number of ranks to tune for; write 2 or more");
    return tune(*options);
  };
}

}  // namespace mpigraft::command
