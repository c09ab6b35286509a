// SPDX-License-Identifier: MIT
// The `mpigraft` command, and what the grammars of its subcommands share.
#include "config/command/command.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <limits>
#include <memory>
#include <new>
#include <thread>

#include "algorithms/model/violation.hpp"
#include "config/command/help.hpp"
#include "config/command/output.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

namespace {

constexpr const char* footer = R"(Examples:
  mpigraft list
  mpigraft run -n 4 --report stderr ./program
  mpigraft compare -n 4 ./program

Exit codes: 0 success, 1 findings or differences, 2 cannot run (usage, unreadable file, unusable table).
`run` exits with the code of the launcher; `compare` and `tune` have codes of their own.)";

struct Verb {
  const char *name, *meaning;
  Action (*add)(CLI::App& verb);
};
constexpr Verb verbs[] = {
    {"list", "Show the algorithms", add_list},
    {"check", "Check a tuning table: errors, and rules that probably are not what you meant", add_check},
    {"fmt", "Print a tuning table in its canonical form, one rule a line", add_fmt},
    {"merge", "Add the rules that jobs have learned to a tuning table, and print it", add_merge},
    {"diff", "List the calls for which two tuning tables choose differently", add_diff},
    {"explain", "Show which algorithm a call runs, and why", add_explain},
    {"model", "Predict the time of every algorithm, and show the lower bound", add_model},
    {"tune", "Measure this machine and write a tuning table for it", add_tune},
    {"run", "Run an MPI program with the library preloaded: run -n 4 [--] PROGRAM ARGS...", add_run},
    {"compare", "Compare a program's native and grafted launches, in turns: compare -n 4 [--] PROGRAM ARGS...",
     add_compare},
    {"report", "Show reports of jobs (MPIGRAFT_REPORT=FILE.json), merged", add_report},
    {"doctor", "Check whether mpigraft works here, and show what a hanging job waits for", add_doctor},
    {"env", "Show all settings: their values now, who has set them, and errors in them", add_environment}};

/// What is wrong with a word that is no option of the subcommand. The launcher's own are what users most often mean.
std::string unknown_option(const CLI::App& verb, const std::string& word, bool starts_program) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string remedy = starts_program
                                 ? "options of the launcher go into --launcher \"mpiexec " + word + " ... -n {n}\""
                                 : "`mpigraft " + verb.get_name() + " --help` shows its options";
  return "unknown option " + table::in_quotes(word) + "; " + table::did_you_mean(word, known, remedy);
}

/// Checks the options of a subcommand up to the program that it starts, and writes -n for -np and --np. Returns what is
/// wrong, or nothing. The parser itself takes "-hosts" for -h.
std::string prepare(const CLI::App& verb, std::vector<std::string>& arguments) {
  const bool starts_program = verb.get_option_no_throw("PROGRAM") != nullptr;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string& word = arguments[i];
    const bool is_option = word.size() > 1 && word.starts_with('-');
    if (word == "--" || (starts_program && !is_option)) break;
    if (!is_option) continue;
    if (word == "-np" || word == "--np") word = "-n";
    if (word.starts_with("--np=")) word.replace(0, 5, "-n");
    const bool has_number = !word.starts_with("--") && word.find_first_not_of("0123456789", 2) == word.npos;  // -n4
    const std::string name = has_number ? word.substr(0, 2) : word.substr(0, word.find('='));
    const CLI::Option* option = verb.get_option_no_throw(name);
    if (!option) return unknown_option(verb, name, starts_program);
    if (option->get_expected_max() > 0 && name == word) ++i;  // its value
  }
  return {};
}

int parse_and_run(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  CLI::App app("mpigraft: collective algorithms from the literature for unmodified MPI programs", "mpigraft");
  int status = ok;
  app.set_version_flag("--version", version);
  app.formatter(std::make_shared<HelpFormat>());
  app.require_subcommand(1);
  std::vector<std::string_view> names;
  for (const Verb& each : verbs) {
    CLI::App& verb = *app.add_subcommand(each.name, each.meaning);
    verb.callback([act = each.add(verb), &status] { status = act(); });
    names.emplace_back(each.name);
  }
  app.footer(footer);  // subcommands would inherit it
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    return "mpigraft: " + std::string(error.what()) + "; see `mpigraft " + std::string(first) + " --help`\n";
  });
  const int no_start = first == "compare" ? not_compared : cannot_run;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (std::ranges::find(names, first) != names.end()) {
    if (const std::string wrong = prepare(*app.get_subcommand(std::string(first)), arguments); !wrong.empty())
      return fail(wrong), no_start;
  } else if (first != "-h" && first != "--help" && first != "--version") {
    return fail(first.starts_with('-') || first.empty()
                    ? "begin with a subcommand, one of " + table::joined(names)
                    : "unknown subcommand " + table::in_quotes(first) + "; " + table::suggestion(first, names));
  }
  try {
    std::ranges::reverse(arguments);  // as the parser wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) != 0) return no_start;
    if (std::cout.flush() || errno == EPIPE) return ok;
    return fail("cannot write to standard output"), no_start;
  } catch (const model::Violation& violation) {
    return fail(std::string("an algorithm is wrong (`scripts/prove ALGORITHM` tells more): ") + violation.what()),
           no_start;
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this; name fewer ranks or bytes"), no_start;
  }
  return status;
}

}  // namespace

void end_help(CLI::App& verb, const char* examples, const std::string& text, const std::string& exit_codes) {
  verb.footer(text + (text.empty() ? "" : "\n\n") + exit_codes + "\n\nExamples:" + examples);
}

std::string unknown_name(std::string_view name, std::span<const std::string_view> known) {
  if (table::find_collective(name) || std::ranges::find(known, name) != known.end()) return {};
  return table::in_quotes(name) + " is unknown; " + table::suggestion(name, known);
}

CLI::Validator is_name(std::span<const std::string_view> known) {
  return {[known](std::string& name) { return unknown_name(name, known); }, CLI::detail::generate_set(known)};
}

CLI::Option* add_collective(CLI::App& verb, std::optional<Collective>& collective, const char* meaning) {
  return verb
      .add_option_function<std::string>(
          "--collective", [&collective](const std::string& name) { collective = table::find_collective(name); },
          meaning)
      ->check(is_name());
}

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
  verb.add_option("--ranks-per-node", placing.ranks_per_node, "Ranks on every node. Default: the cores of this machine")
      ->type_name("RANKS")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()).description(""))
      ->each([&placing](const std::string&) { placing.of_this_machine = false; });
  verb.add_flag("--oversubscribed", placing.oversubscribed,
                "Ranks outnumber the cores of their nodes. Default: a core for every rank");
}

CLI::Option* add_sizes(CLI::App& verb, const char* name, std::vector<std::int64_t>& into, const char* value,
                       const char* meaning) {
  return add_parsed(verb, name, into, table::parse_sizes, value, meaning,
                    value == std::string_view("RANKS") ? "is not a list of numbers of ranks; write 2,8 or 2..64"
                                                       : "is not a list of sizes; write 8,64K or 1K..64M");
}

void add_ranks(CLI::App& verb, int& ranks) {
  add_parsed(verb, "-n", ranks, count_in, "RANKS", "Number of ranks; also -np",
             "is not a number of ranks; write 1 or more")
      ->required();
}

std::optional<int> count_in(const std::string& text) {
  const std::int64_t count = table::parse_count(text).value_or(0);
  if (count < 1 || count > 9'999'999) return {};
  return static_cast<int>(count);
}

void add_program(CLI::App& verb, std::vector<std::string>& words) {
  verb.add_option("PROGRAM", words, "Program and its arguments")->required();
  verb.positionals_at_end();  // all words after the program are its own
}

void add_launcher(CLI::App& verb, std::string& launcher) {
  verb.add_option(
          "--launcher", launcher,
          "Command that starts {n} ranks, such as \"srun -n {n}\". Default: MPIGRAFT_LAUNCHER, else that of the "
          "program's MPI")
      ->type_name("COMMAND");
}

CLI::Option* add_force(CLI::App& verb, std::string& force, const char* meaning) {
  return verb.add_option("--force", force, meaning)->type_name("COLLECTIVE=ALGORITHM[@OPTION][:BYTES],...");
}

CLI::Option* add_word(CLI::App& verb, const char* name, std::string& word, const char* meaning, const char* value) {
  return verb.add_option(name, word, meaning)->type_name(value)->check([](const std::string& text) {
    return text.empty() ? "the word is empty; is a variable of the shell unset?" : "";
  });
}

}  // namespace mpigraft::command

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // `mpigraft list | head -1` is no failure
  return mpigraft::command::parse_and_run(argc, argv);
}
