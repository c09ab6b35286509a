// SPDX-License-Identifier: MIT
// mpigraft compare: its grammar. A program in Python, config/tune/compare.py, makes the launches.
#include <memory>
#include <nlohmann/json.hpp>

#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* footer =
    R"(Compare starts the program in turns, in random order: natively, natively once more (the null arm), grafted, and both
once more with a report. The first launch of each is a warm-up and does not count. Wall times are those of launches
without a report, the native ones without mpigraft in them; times of collectives are those of reports. A ratio is native
time over grafted time. As far as native launches differ among themselves, nothing is said: a difference counts if
medians and minima differ by more than 3 %, and three quarters of the launches of both sides do not overlap.

Standard output is compared as lines in any order, because ranks print when they come to it. Output that differs between
native launches cannot be compared. Each launch runs in this folder and reads the file that is standard input, if it is
one.)";

struct Options {
  int ranks = 0, launches = 8;
  std::string table, force, launcher, budget = "10m", html;
  bool ignore_output = false, json = false;
  std::vector<std::string> program;  // and its arguments
};

std::vector<std::string> words_for_run(const Options& options) {
  std::vector<std::string> words{"-n", std::to_string(options.ranks)};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  add("--launcher", options.launcher);
  add("--table", options.table);
  add("--force", options.force);
  return words;
}

int compare(const Options& options) {
  const LinkedMpi linked = linked_mpi(libraries_of(options.program[0]));
  const Launcher launcher = find_launcher(options.launcher, linked);
  if (!launcher.problem.empty()) {
    fail(launcher.problem);
    return not_compared;
  }
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
  std::vector<std::string> words{in_a_line(asked)};
  words.insert(words.end(), options.program.begin(), options.program.end());
  run_script("tune/compare.py", words, "compare");
  return not_compared;
}

}  // namespace

Action add_compare(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  verb.footer(footer);
  add_ranks(verb, options->ranks);
  verb.add_option("--launches", options->launches, "Launches of each arm after the warm-up. Default: 8")
      ->type_name("NUMBER")
      ->check(CLI::Range(2, 1000));
  verb.add_option("--budget", options->budget,
                  "Time for all launches, such as 90s or 1h; what was measured by then counts. Default: 10m")
      ->type_name("TIME");
  add_file(verb, "--table", options->table, "Tuning table of grafted launches instead of the one in force");
  add_force(verb, options->force, "Algorithms of grafted launches instead of the table's choice");
  verb.add_flag("--ignore-output", options->ignore_output, "Do not compare what the program prints");
  add_launcher(verb, options->launcher);
  verb.add_flag("--json", options->json, "Print JSON");
  add_file(verb, "--html", options->html,
           "Write times of all launches and calls into this file as one self-contained page");
  add_program(verb, options->program);
  end_help(
      verb, R"(
  mpigraft compare -n 4 -- ./program
  mpigraft compare -n 64 --launcher "srun -n {n}" --budget 1h --html compared.html -- ./program
  mpigraft compare -n 4 --table mine.json --ignore-output -- ./program)",
      "Exit codes: 0 not slower, 1 slower, 2 output or exit code differ, 3 nothing could be compared, 130 stopped.");
  return [options] { return compare(*options); };
}

}  // namespace mpigraft::command
