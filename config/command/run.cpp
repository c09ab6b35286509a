// SPDX-License-Identifier: MIT
// mpigraft run
#include <cstdlib>
#include <filesystem>

#include "config/analysis/explanation.hpp"
#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/symbols.hpp"

namespace mpigraft::command {

namespace {

using Words = std::vector<std::string>;
namespace files = std::filesystem;

std::string absolute(const std::string& path) { return path.empty() ? path : files::absolute(path).string(); }

/// The variables that the options ask for, as NAME, VALUE, NAME, VALUE, ... Paths become absolute, because ranks may
/// start in another folder.
Words asked_variables(const RunOptions& options) {
  Words words;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  set("MPIGRAFT_TABLE", absolute(options.table));
  set("MPIGRAFT_FORCE", options.force);
  set("MPIGRAFT_REPORT", options.report == "stderr" ? options.report : absolute(options.report));
  set("MPIGRAFT_VERBOSE", options.verbose);
  return words;
}

/// The errors in settings and in a table that was named here. The library finds them as well, but only in the job,
/// which then stays native. So does a job under a defective site table: it must not stop all jobs of the site.
Words problems_of(const Words& variables) {
  for (std::size_t i = 0; i < variables.size(); i += 2) setenv(variables[i].c_str(), variables[i + 1].c_str(), 1);
  const table::Settings settings = current_settings();
  const analysis::LoadedTable loaded = analysis::load_table({}, settings);
  Words problems = settings.errors;
  if (loaded.source != analysis::site_file)
    problems.insert(problems.end(), loaded.problems.begin(), loaded.problems.end());
  return problems;
}

Words command_line(const RunOptions& options, const Launcher& launcher, const Words& variables) {
  Words command = launcher.around(variables);
  const Words start = launcher.command(options.processes), settings = launcher.with_variables(variables);
  command.insert(command.end(), start.begin(), start.end());
  command.insert(command.end(), settings.begin(), settings.end());
  command.insert(command.end(), options.program.begin(), options.program.end());
  return command;
}

/// The library behind gcc's address sanitizer, if the program has it, and before the user's own preloads.
std::string with_other_preloads(const std::string& library, const std::string& sanitizer) {
  const char* preloaded = std::getenv("LD_PRELOAD");
  return (sanitizer.empty() ? "" : sanitizer + ':') + library +
         (preloaded && *preloaded ? ':' + std::string(preloaded) : "");
}

/// Tells which launcher it is if a user would not expect it, and what is known against it.
void tell(const Launcher& launcher, const LinkedMpi& program, bool verbose) {
  const bool other = !launcher.named && launcher.is_other_than_mpiexec();
  if (verbose || other)
    fail("the launcher is " + launcher.path + (launcher.version.empty() ? "" : ", MPICH " + launcher.version) +
         (other ? "; the mpiexec on PATH is a different one" : ""));
  if (const std::string trouble = launcher.trouble(program, current_settings().mpich_abi); !trouble.empty())
    fail(trouble);
}

}  // namespace

int run(const RunOptions& options) {
  const std::string libraries = libraries_of(options.program[0]);
  const LinkedMpi linked = linked_mpi(libraries);
  Launcher launcher = find_launcher(options.launcher, linked);
  launcher.words.insert(launcher.words.end(), options.launcher_args.begin(), options.launcher_args.end());
  const char* const name = library_for(linked.mpi, launcher.mpi);
  const std::string library = find_beside({"../shim", MPIGRAFT_LIBRARIES}, name);
  if (library.empty())
    return fail(std::string(name) + " is neither in ../shim nor in " MPIGRAFT_LIBRARIES
                                    " as seen from this command; build or install it");
  if (library.find_first_of(" :") != library.npos)
    return fail(library + ": LD_PRELOAD cannot hold a path with a space or a colon; move the library");
  Words variables = asked_variables(options);
  const Words problems = problems_of(variables);
  for (const std::string& problem : problems) fail(problem);
  if (!problems.empty()) return cannot_run;
  if (!launcher.problem.empty()) return fail(launcher.problem);
  variables.insert(variables.begin(), {"LD_PRELOAD", with_other_preloads(library, address_sanitizer_of(libraries))});
  const Words command = command_line(options, launcher, variables);
  if (!options.print) {
    tell(launcher, linked, !options.verbose.empty() && options.verbose != "0");
    return execute(command, "; name the launcher with --launcher");
  }
  std::string text;
  for (const std::string& word : command) text += shell_word(word) + ' ';
  text.back() = '\n';
  return print(text, ok);
}

}  // namespace mpigraft::command
