// SPDX-License-Identifier: MIT
// The grammar of the subcommands that look at tables.
#include <algorithm>
#include <limits>
#include <memory>
#include <thread>

#include "config/command/command.hpp"
#include "config/command/grammar.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::command {

namespace {

void add_check(CLI::App& app, int& status) {
  auto* verb =
      app.add_subcommand("check", "Check a tuning table: errors, and rules that probably are not what you meant");
  auto options = std::make_shared<CheckOptions>();
  verb->add_option("FILE", options->file, "Tuning table")->required();
  verb->add_flag("--json", options->json, "Print JSON");
  verb->add_flag("--strict", options->strict, "Exit with 1 on warnings, too");
  end_help(*verb, R"(
  mpigraft check table.json
  mpigraft check --strict --json table.json)");
  verb->callback([options, &status] { status = check(*options); });
}

void add_fmt(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("fmt", "Print a tuning table in its canonical form, one rule a line");
  auto file = std::make_shared<std::string>();
  auto write = std::make_shared<bool>(false);
  verb->add_option("FILE", *file, "Tuning table")->required();
  verb->add_flag("--write", *write, "Rewrite the file instead of printing");
  end_help(*verb, R"(
  mpigraft fmt table.json
  mpigraft fmt --write table.json)");
  verb->callback([file, write, &status] { status = fmt(*file, *write); });
}

void add_merge(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("merge", "Add the rules that jobs have learned to a tuning table, and print it");
  auto files = std::make_shared<std::vector<std::string>>();
  verb->add_option("FILES", *files, "Tuning tables: first the one to add to, then those with learned rules")
      ->required()
      ->expected(2, -1);
  verb->footer("If two rules are for the same calls, the one that was learned from more calls (MPIGRAFT_LEARN) stays.");
  end_help(*verb, R"(
  mpigraft merge site.json learned.json > both.json
  mpigraft merge mine.json first_job.json second_job.json > all.json)");
  verb->callback([files, &status] { status = merge(*files); });
}

void add_import(CLI::App& app, int& status) {
  auto* verb =
      app.add_subcommand("import", "Print a tuning table that chooses what MPICH or Open MPI was told to choose");
  auto files = std::make_shared<std::vector<std::string>>();
  verb->add_option(
          "FILES", *files,
          "Variables or MCA parameters, MPICH's selection JSON, or rules of Open MPI's component tuned. Default: "
          "the environment")
      ->expected(0, -1);
  verb->footer(
      "Read are MPIR_CVAR_*_INTRA_ALGORITHM and coll_tuned_*_algorithm with its segment size, and files that "
      "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE and coll_tuned_dynamic_rules_filename name. Messages say what a table "
      "cannot choose: algorithms that are not here, whose calls stay native, and conditions that tables have not.");
  end_help(*verb, R"(
  mpigraft import > table.json
  mpigraft import ~/.openmpi/mca-params.conf > table.json
  mpigraft import selection.json | mpigraft check /dev/stdin)");
  verb->callback([files, &status] {
    std::vector<std::string> words{own_path()};
    words.insert(words.end(), files->begin(), files->end());
    status = run_script("tune/import_rules.py", words, "import");
  });
}

std::string check_size(const std::string& text) {
  return table::parse_size(text) ? "" : table::in_quotes(text) + " is not a size; write 65536, 64K, 1M or inf";
}

/// Options for the facts that calls have in common while their ranks and bytes vary.
void add_placing(CLI::App& verb, analysis::Placing& placing) {
  verb.add_option_function<std::string>(
          "--operator",
          [&placing](const std::string& name) {
            placing.commutative = name != "noncommutative";
            placing.user = name != "commutative";  // a predefined operator commutes
          },
          "commutative: predefined, the default; user: user-defined and commutative; noncommutative: user-defined")
      ->check(CLI::IsMember({"commutative", "noncommutative", "user"}));
  placing.ranks_per_node = std::max(1U, std::thread::hardware_concurrency());
  placing.of_this_machine = true;
  verb.add_option_function<int>(
          "--ranks-per-node",
          [&placing](int ranks) {
            placing.ranks_per_node = ranks;
            placing.of_this_machine = false;
          },
          "Ranks on every node. Default: the cores of this machine")
      ->type_name("RANKS")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  verb.add_flag("--oversubscribed", placing.oversubscribed,
                "Ranks outnumber the cores of their nodes. Default: a core for every rank");
}

void add_diff(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("diff", "List the calls for which two tuning tables choose differently");
  auto options = std::make_shared<DiffOptions>();
  verb->add_option("BEFORE", options->before, "Tuning table before a change")->required();
  verb->add_option("AFTER", options->after, "Tuning table after it")->required();
  add_collective(*verb, options->collective, "Collective to compare. Default: all");
  add_placing(*verb, options->placing);
  end_help(*verb, R"(
  mpigraft diff old.json new.json
  mpigraft diff old.json new.json --collective bcast --ranks-per-node 8 --oversubscribed)");
  verb->callback([options, &status] { status = diff(*options); });
}

CLI::Option* add_composition(CLI::App& verb, const std::shared_ptr<ExplainOptions>& options) {
  std::vector<std::string> names;
  for (const CompositionInfo& info : compositions) names.emplace_back(info.name);
  const auto take = [options](const std::string& name) { options->composition = table::find_composition(name); };
  return verb
      .add_option_function<std::string>("--composition", take,
                                        "Function of mpigraft.h to explain, instead of --collective")
      ->check(CLI::IsMember(names));
}

/// Figures of more ranks take minutes and gigabytes.
constexpr int most_ranks = 1 << 24;

/// The option that shows a schedule, and another one that writes it.
CLI::Option* add_schedule(CLI::App& verb, ExplainOptions& options) {
  auto* schedule = verb.add_flag_function(
      "--schedule", [](std::int64_t) {},
      "Show what each rank sends in each round, and its price; with --schedule=RANK, this rank's steps");
  schedule->type_name("RANK")
      ->check([](const std::string& text) {
        return text == "true" || table::parse_count(text) ? "" : table::in_quotes(text) + " is not a rank";
      })
      ->each([&options](const std::string& text) {
        options.schedule = true;
        if (text != "true") options.schedule_of = static_cast<int>(*table::parse_count(text));
      });
  verb.add_option("--goal", options.goal, "Write the schedule into this file as GOAL text, the input of LogGOPSim")
      ->type_name("FILE")
      ->needs(schedule);
  return schedule;
}

void add_explain(CLI::App& app, int& status) {
  auto* verb = app.add_subcommand("explain", "Show which algorithm a call runs, and why");
  auto options = std::make_shared<ExplainOptions>();
  auto* collective = add_collective(*verb, options->collective, "Collective of the call. Default with --all: all");
  auto* composition = add_composition(*verb, options)->excludes(collective);
  auto* ranks = verb->add_option("--ranks", options->ranks, "Size of the communicator")
                    ->type_name("RANKS")
                    ->check(CLI::Range(1, most_ranks));
  auto* bytes = verb->add_option_function<std::string>(
                        "--bytes", [options](const std::string& size) { options->bytes = *table::parse_size(size); },
                        "Packed size of one rank's data, such as 64K")
                    ->type_name("BYTES")
                    ->check(check_size);
  add_placing(*verb, options->placing);
  verb->add_flag("--floating", options->placing.floating,
                 "The call has a floating point type, so MPIGRAFT_REPRODUCIBLE=native keeps it native");
  verb->add_option("--table", options->table, "Tuning table instead of the one in force")->type_name("FILE");
  verb->add_option_function<std::string>(
          "--mpi",
          [options](const std::string& name) {
            options->mpi = name == "openmpi" ? table::Interface::openmpi : table::Interface::mpich;
          },
          "MPI whose built-in table is used where no other is in force. Default: mpich")
      ->check(CLI::IsMember({"mpich", "openmpi"}));
  auto* force = verb->add_option("--force", options->force, "Algorithms to explain instead of the table's choice")
                    ->type_name("COLLECTIVE=ALGORITHM[@OPTION][:BYTES],...");
  auto* schedule = add_schedule(*verb, *options);
  auto* json = verb->add_flag("--json", options->json, "Print JSON");
  auto* verbose = verb->add_flag("--verbose", options->verbose, "Show the rules for other collectives, too");
  auto* all = verb->add_flag("--all", options->all, "Show a map of ranks and bytes instead, for one collective or all");
  add_page(*verb, options->html, "Write the map of --all into this file as one self-contained page")->needs(all);
  for (CLI::Option* other : {composition, ranks, bytes, json, verbose, force, schedule}) all->excludes(other);
  for (CLI::Option* other : {force, schedule}) composition->excludes(other);
  end_help(*verb, R"(
  mpigraft explain --collective exscan --ranks 36 --bytes 64K
  mpigraft explain --collective scan --ranks 8 --bytes 64K --force scan=two_tree@8K --schedule
  mpigraft explain --all --ranks-per-node 8 --html map.html)");
  verb->callback([=, &status] {
    if (options->all) {
      status = explain_all(*options);
      return;
    }
    const bool moves_data = !options->collective || info_of(*options->collective).moves_data();
    for (const CLI::Option* wanted : {options->composition ? composition : collective, ranks, bytes})
      if (wanted->empty() && (wanted != bytes || moves_data))
        throw CLI::RequiredError(wanted->get_name() + " or --all");
    status = options->composition ? explain_composition(*options) : explain(*options);
  });
}

}  // namespace

void add_table_verbs(CLI::App& app, int& status) {
  add_check(app, status);
  add_fmt(app, status);
  add_merge(app, status);
  add_import(app, status);
  add_diff(app, status);
  add_explain(app, status);
}

}  // namespace mpigraft::command
