// SPDX-License-Identifier: MIT
// mpigraft run
#include <cstdlib>
#include <memory>

#include "config/analysis/explanation.hpp"
#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/table/interface.hpp"

namespace mpigraft::command {
namespace {

using Words = std::vector<std::string>;

struct Options {
  int processes = 0;
  std::string table, force, verify, learn, report, watch, launcher;  // empty: not given
  bool print = false;
  Words program;  // and its arguments
};

/// The digits of "60" or "60s"; 60 if the option has no value; empty if it is nothing of these.
std::string seconds_in(std::string text) {
  if (text == "true") return "60";  // an option without a value
  if (text.ends_with('s')) text.pop_back();
  return text.find_first_not_of("0123456789") == text.npos ? text : "";
}

/// The variables that the options ask for. Paths become absolute, because ranks may start in another folder.
Variables asked_variables(const Options& options) {
  Variables variables;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) variables.emplace_back(name, value);
  };
  set("MPIGRAFT_TABLE", absolute(options.table));
  set("MPIGRAFT_FORCE", options.force);
  set("MPIGRAFT_VERIFY", options.verify == "true" ? "1" : options.verify);
  set("MPIGRAFT_LEARN", absolute(options.learn));
  const bool to_stderr = options.report == "stderr" || options.report.starts_with("stderr,");
  set("MPIGRAFT_REPORT", to_stderr ? options.report : absolute(options.report));
  set("MPIGRAFT_TIMEOUT", seconds_in(options.watch));
  return variables;
}

/// The errors in the job's own settings, in a table that it names, and in files to write. The library finds them as
/// well, but only in the job, which then stays native, or at its end. So it does with what the site has set wrong: that
/// must not stop all jobs of the site. Settings that the site overrules are told, and are no problem.
Words problems_of(const Variables& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  for (const std::string& note : current_settings().notes) fail(note);
  table::SiteSettings site = table::read_site_settings();
  site.defaults.clear(), site.errors.clear();
  const table::Settings settings = current_settings(site);
  const analysis::LoadedTable loaded = analysis::load_table({}, settings);
  Words problems = settings.errors;
  if (loaded.source != analysis::site_file)
    problems.insert(problems.end(), loaded.problems.begin(), loaded.problems.end());
  add_unwritable(problems, settings);
  return problems;
}

/// The libraries behind gcc's address sanitizer, if the program has it, and before the user's own preloads.
std::string with_other_preloads(const Words& libraries, const std::string& sanitizer) {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  std::string text = sanitizer;
  for (const std::string& library : libraries) text += (text.empty() ? "" : ":") + library;
  return preloaded && *preloaded ? text + ':' + preloaded : text;
}

/// Tells which launcher it is if a user would not expect it, and what is known against it.
void tell(const Launcher& launcher, const LinkedMpi& program, bool verbose) {
  const bool other = launcher.is_unexpected();
  if (verbose || other)
    fail("the launcher is " + launcher.path + (launcher.version.empty() ? "" : ", MPICH " + launcher.version) +
         (other ? "; the mpiexec on PATH is a different one" : ""));
  if (const std::string trouble = launcher.trouble(program, current_settings().mpich_abi); !trouble.empty())
    fail(trouble);
}

int run(const Options& options) {
  const std::string libraries = libraries_of(options.program[0]);
  const LinkedMpi linked = linked_mpi(libraries);
  const Launcher launcher = find_launcher(options.launcher, linked);
  const char* const name = library_for(linked.mpi, launcher.mpi);
  const Preload library = find_preload(name);
  if (!library.problem.empty()) return fail(library.problem);
  Words preloads{library.file};
  Variables variables = asked_variables(options);
  const Words problems = problems_of(variables);
  for (const std::string& problem : problems) fail(problem);
  if (!problems.empty()) return cannot_run;
  if (!launcher.problem.empty()) return fail(launcher.problem);
  if (table::ask_to_watch(current_settings())) {  // first, because it sees only calls that nobody before it has taken
    const Preload watching = find_preload(table::watching_library(name));
    if (!watching.problem.empty()) return fail(watching.problem);
    preloads.insert(preloads.begin(), watching.file);
  }
  variables.emplace(variables.begin(), "LD_PRELOAD", with_other_preloads(preloads, address_sanitizer_of(libraries)));
  Words command = launcher.command(options.processes, variables);
  command.insert(command.end(), options.program.begin(), options.program.end());
  if (!options.print) {
    tell(launcher, linked, current_settings().verbose > 0);
    return execute(command, "; name the launcher with --launcher");
  }
  std::string text;
  for (const std::string& word : command) text += shell_word(word) + ' ';
  text.back() = '\n';
  return print(text, ok);
}

}  // namespace

Action add_run(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  add_ranks(verb, options->processes);
  add_word(verb, "--table", options->table, "Tuning table instead of the one in force");
  add_force(verb, options->force,
            "Algorithms to run instead of the table's choice, only for calls of such sizes if they are given; native: "
            "none of mpigraft's; ...,strict: it is an MPI error if one cannot run, or only in its flat form");
  verb.add_flag("--verify", options->verify,
                "Compare each grafted call with the native one, or every Nth with --verify=N")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text == "true" || count_in(text) ? "" : table::in_quotes(text) + " is not a count; write 1 or more";
      });
  add_word(verb, "--learn", options->learn,
           "Try algorithms on the program's calls, and write the faster ones as a table");
  add_word(verb, "--report", options->report, "Write a report of what ran, how often and why, to stderr or a file");
  verb.add_flag("--watch", options->watch, "Explain a hang after 60 seconds, or after N with --watch=N")
      ->type_name("SECONDS")
      ->check([](const std::string& text) {
        return seconds_in(text).empty() ? table::in_quotes(text) + " is not a number of seconds; write 60s" : "";
      });
  add_launcher(verb, options->launcher);
  verb.add_flag("--print", options->print, "Show the command, but do not run it");
  add_program(verb, options->program);
  end_help(verb, R"(
  mpigraft run -n 4 --report job.json -- ./program
  mpigraft run -n 4 --force exscan=doubling_123 --report stderr -- ./program
  mpigraft run -n 4 --verify --table mine.json -- ./program)",
           "", "Exit codes: that of the launcher, or 2 if nothing is started.");
  return [options] { return run(*options); };
}

}  // namespace mpigraft::command
