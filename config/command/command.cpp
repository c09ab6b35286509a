// SPDX-License-Identifier: MIT
// The `mpigraft` command: its grammar. Each subcommand is a file of its own.
#include "config/command/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <memory>

#include "config/command/grammar.hpp"
#include "config/command/help.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* footer = R"(Examples:
  mpigraft list
  mpigraft check table.json
  mpigraft diff old.json new.json
  mpigraft explain --collective exscan --ranks 36 --bytes 64K
  mpigraft model --collective scan --ranks 36 --bytes 1K..64M
  mpigraft run -n 4 --force exscan=doubling_123 --report stderr ./program
  mpigraft compare -n 4 ./program

Exit codes: 0 success, 1 findings or differences, 2 cannot run (usage, unreadable file, unusable table).
`run` exits with the code of the launcher; `compare` has codes of its own.)";

constexpr const char* report_footer =
    R"(time: time in these calls, of all ranks together, without the set-up of communicators; rows are sorted by it.

share: of the time of all ranks of the program's jobs, from their start to MPI_Finalize.

Jobs that ran different programs are shown apart. A report names the user, the hosts and the command of its job.

imbalance: how far the time of the rank that spent longest in all these calls exceeds the mean of the ranks.

saving: for the 10 rows with the most time, the time that the model's fastest algorithm would have saved. The rank with
the shortest time stands for the cost of the calls. The machine is the table's, so the figure is only as good as that.
The model knows one kind of link, and a report does not say which ranks share a node. So node-aware algorithms
(hierarchical, lane, smp_tree) are never the fastest here, and calls that ran one have no saving. Measure them with
`mpigraft tune --from REPORT`.)";

void add_list(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("list", "Show the algorithms");
  auto options = std::make_shared<ListOptions>();
  verb->add_option("NAME", options->name, "Full name of an algorithm, to show all that it states");
  add_collective(*verb, options->collective, "Collective whose algorithms are shown. Default: all");
  verb->add_flag("--json", options->json, "Print JSON");
  end_help(*verb, R"(
  mpigraft list
  mpigraft list --collective bcast
  mpigraft list bcast/two_tree)");
  verb->callback([options, &status] { status = list(*options); });
}

void add_environment(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("env", "Show all settings: their values now, who has set them, and errors in them");
  auto options = std::make_shared<EnvironmentOptions>();
  verb->add_option("--site", options->site, "The site's settings, instead of <sysconfdir>/mpigraft/mpigraft.json")
      ->type_name("FILE");
  verb->add_flag("--verbose", options->verbose, "Show the variables' values and meanings, too");
  verb->add_flag("--json", options->json, "Print JSON");
  end_help(*verb, R"(
  mpigraft env
  MPIGRAFT_FORCE=scan=none mpigraft env)");
  verb->callback([options, &status] { status = show_environment(*options); });
}

void add_run(CLI::App& app, int& status) {
  auto* verb =
      app.add_subcommand("run", "Run an MPI program with the library preloaded: run -n 4 [--] PROGRAM ARGS...");
  auto options = std::make_shared<RunOptions>();
  add_ranks(*verb, options->processes);
  verb->add_option("--table", options->table, "Tuning table instead of the one in force")->type_name("FILE");
  verb->add_option("--force", options->force,
                   "Algorithms to run instead of the table's choice, only for calls of such sizes if they are given")
      ->type_name("COLLECTIVE=ALGORITHM[@OPTION][:BYTES],...");
  auto* force = verb->get_option("--force");
  verb->add_flag("--strict", options->strict,
                 "It is an MPI error if an algorithm of --force cannot run, or only in its flat form")
      ->needs(force);
  verb->add_flag("--native", options->native, "Run nothing of mpigraft's; a report then shows native times")
      ->excludes(force);
  verb->add_flag("--verify", options->verify,
                 "Compare each grafted call with the native one, or every Nth with --verify=N")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text == "true" || count_in(text) > 0 ? "" : table::in_quotes(text) + " is not a count; write 1 or more";
      });
  verb->add_option("--learn", options->learn, "Race algorithms on the program's calls, and write what won as a table")
      ->type_name("FILE");
  verb->add_option("--report", options->report, "Write a report of what ran, how often and why, to stderr or a file")
      ->type_name("FILE");
  verb->add_flag("--watch", options->watch, "Explain a hang after 60 seconds, or after N with --watch=N")
      ->type_name("SECONDS")
      ->check([](const std::string& text) {
        return seconds_in(text).empty() ? table::in_quotes(text) + " is not a number of seconds; write 60s" : "";
      });
  add_launcher(*verb, options->launcher);
  verb->add_flag("--print", options->print, "Show the command, but do not run it");
  verb->add_option("PROGRAM", options->program, "Program and its arguments")->required();
  verb->positionals_at_end();  // all words after the program are its own
  end_help(*verb, R"(
  mpigraft run -n 4 --report job.json -- ./program
  mpigraft run -n 4 --force exscan=doubling_123 --report stderr -- ./program
  mpigraft run -n 4 --verify --table mine.json -- ./program)",
           "Exit codes: that of the launcher, or 2 if nothing is started.");
  verb->callback([options, &status] { status = run(*options); });
}

void add_report(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("report", "Show reports of jobs (MPIGRAFT_REPORT=FILE.json), merged");
  auto options = std::make_shared<ReportOptions>();
  verb->footer(report_footer);
  verb->add_option("FILE", options->files,
                   "Reports; the files of their parts, and of spawned and simultaneous jobs, are read, too")
      ->required();
  verb->add_flag("--json", options->json, "Print JSON");
  add_page(*verb, options->html, "Write the report into this file as one self-contained page");
  end_help(*verb, R"(
  mpigraft report job.json
  mpigraft report --html jobs.html first_job.json second_job.json)");
  verb->callback([options, &status] { status = report(*options); });
}

void add_doctor(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("doctor", "Check whether mpigraft works here, and show what a hanging job waits for");
  auto options = std::make_shared<DoctorOptions>();
  verb->add_option("PROGRAM", options->program, "Program to check with ldd");
  add_launcher(*verb, options->launcher);
  verb->add_option("--hang", options->hang,
                   "Show which ranks wait where, from the traces that MPIGRAFT_TRACE=DIR has left")
      ->type_name("DIR");
  end_help(*verb, R"(
  mpigraft doctor
  mpigraft doctor ./program
  mpigraft doctor --hang traces)");
  verb->callback([options, &status] { status = doctor(*options); });
}

int parse_and_run(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "-";
  CLI::App app("mpigraft: collective algorithms from the literature for unmodified MPI programs", "mpigraft");
  int status = ok;
  app.set_version_flag("--version", version);
  app.formatter(std::make_shared<HelpFormat>());
  app.require_subcommand(1);
  add_list(app, status);
  add_table_verbs(app, status);
  add_model(app, status);
  add_tune(app, status);
  add_run(app, status);
  add_compare(app, status);
  add_report(app, status);
  add_doctor(app, status);
  add_environment(app, status);
  app.footer(footer);
  std::vector<std::string_view> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (!first.starts_with('-') && std::ranges::find(verbs, first) == verbs.end())  // to the parser it is an argument
    return fail("unknown subcommand " + table::in_quotes(first) + "; " + table::suggestion(first, verbs));
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!first.starts_with('-'))
      arguments = with_plain_names(*app.get_subcommand(std::string(first)), std::move(arguments));
    std::ranges::reverse(arguments);  // as the parser wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ok : first == "compare" ? not_compared : cannot_run;
  }
  return status;
}

}  // namespace

void end_help(CLI::App& verb, const char* examples, const char* exit_codes) {
  std::string text = verb.get_footer();
  if (!text.empty()) text += "\n\n";
  verb.footer(text.append(exit_codes).append("\n\nExamples:").append(examples));
}

CLI::Validator is_collective() {
  return CLI::IsMember(std::vector<std::string>(collective_names.begin(), collective_names.end()));
}

CLI::Option* add_collective(CLI::App& verb, std::optional<Collective>& collective, const char* meaning) {
  return verb
      .add_option_function<std::string>(
          "--collective", [&collective](const std::string& name) { collective = table::find_collective(name); },
          meaning)
      ->check(is_collective());
}

void add_ranks(CLI::App& verb, int& ranks) {
  verb.add_option_function<std::string>(
          "-n", [&ranks](const std::string& text) { ranks = count_in(text); }, "Number of ranks; also -np")
      ->required()
      ->type_name("RANKS")
      ->check([](const std::string& text) {
        return count_in(text) > 0 ? "" : table::in_quotes(text) + " is not a number of ranks; write 1 or more";
      });
}

CLI::Option* add_sizes(CLI::App& verb, const char* name, std::vector<std::int64_t>& into, const char* value,
                       const char* meaning) {
  return verb
      .add_option_function<std::string>(
          name, [&into](const std::string& text) { into = *table::parse_sizes(text); }, meaning)
      ->type_name(value)
      ->check([](const std::string& text) {
        return table::parse_sizes(text) ? ""
                                        : table::in_quotes(text) + " is not a list of sizes; write 8,64K or 1K..64M";
      });
}

std::vector<std::string> with_plain_names(const CLI::App& verb, std::vector<std::string> arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string& word = arguments[i];
    if (word == "--" || !word.starts_with('-')) break;  // the program comes
    if (word == "-np" || word == "--np") word = "-n";
    if (word.starts_with("--np=")) word.replace(0, 5, "-n");
    const CLI::Option* option = verb.get_option_no_throw(word);
    if (option && option->get_expected_max() > 0) ++i;  // its value
  }
  return arguments;
}

int count_in(const std::string& text) {
  const std::int64_t count = table::parse_count(text).value_or(0);
  return count <= most_counted ? static_cast<int>(count) : 0;
}

void add_launcher(CLI::App& verb, std::string& launcher) {
  verb.add_option(
          "--launcher", launcher,
          "Command that starts {n} ranks, such as \"srun -n {n}\". Default: MPIGRAFT_LAUNCHER, else that of the "
          "program's MPI")
      ->type_name("COMMAND");
}

CLI::Option* add_page(CLI::App& verb, std::string& file, const char* meaning) {
  return verb.add_option("--html", file, meaning)->type_name("FILE");
}

}  // namespace mpigraft::command

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // `mpigraft list | head -1` is no failure
  return mpigraft::command::parse_and_run(argc, argv);
}
