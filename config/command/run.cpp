// SPDX-License-Identifier: MIT
// mpigraft run
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "config/analysis/explanation.hpp"
#include "config/command/command.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/table/interface.hpp"

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
  set("MPIGRAFT_FORCE", options.native ? "native" : options.force + (options.strict ? ",strict" : ""));
  set("MPIGRAFT_VERIFY", options.verify == "true" ? "1" : options.verify);
  set("MPIGRAFT_LEARN", absolute(options.learn));
  set("MPIGRAFT_REPORT", options.report == "stderr" ? options.report : absolute(options.report));
  set("MPIGRAFT_TIMEOUT", seconds_in(options.watch));
  return words;
}

/// The errors in settings and in a table that was named here. The library finds them as well, but only in the job,
/// which then stays native. So does a job under a defective site table: it must not stop all jobs of the site.
Words problems_of(const Words& variables) {
  for (std::size_t i = 0; i < variables.size(); i += 2) setenv(variables[i].c_str(), variables[i + 1].c_str(), 1);
  const table::Settings settings = current_settings();
  const analysis::LoadedTable loaded = analysis::load_table({}, settings);
  Words problems = errors_in_environment();
  if (loaded.source != analysis::site_file)
    problems.insert(problems.end(), loaded.problems.begin(), loaded.problems.end());
  return problems;
}

/// Why a file that the job is to write at its end could not be written; empty if it can.
std::string unwritable(const std::string& option, const std::string& file) {
  if (file.empty() || file == "stderr") return {};
  const files::path folder = files::absolute(file).parent_path();
  std::error_code error;
  const std::string of_option = option + ": ";
  if (!files::is_directory(folder, error))
    return of_option + "there is no folder " + folder.string() + "; make it, or name another file";
  if (files::is_directory(file, error)) return of_option + file + " is a folder; name a file in it";
  if (access(file.c_str(), W_OK) != 0 && access(folder.c_str(), W_OK) != 0)  // errno is of the folder
    return of_option + "no file can be written in " + folder.string() + ": " + std::strerror(errno);
  return {};
}

Words command_line(const RunOptions& options, const Launcher& launcher, const Words& variables) {
  Words command = launcher.around(variables);
  const Words start = launcher.command(options.processes), settings = launcher.with_variables(variables);
  command.insert(command.end(), start.begin(), start.end());
  command.insert(command.end(), settings.begin(), settings.end());
  command.insert(command.end(), options.program.begin(), options.program.end());
  return command;
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
  const bool other = !launcher.named && launcher.is_other_than_mpiexec();
  if (verbose || other)
    fail("the launcher is " + launcher.path + (launcher.version.empty() ? "" : ", MPICH " + launcher.version) +
         (other ? "; the mpiexec on PATH is a different one" : ""));
  if (const std::string trouble = launcher.trouble(program, current_settings().mpich_abi); !trouble.empty())
    fail(trouble);
}

}  // namespace

std::string seconds_in(std::string text) {
  if (text == "true") return "60";  // an option without a value
  if (text.ends_with('s')) text.pop_back();
  return text.find_first_not_of("0123456789") == text.npos ? text : "";
}

int run(const RunOptions& options) {
  const std::string libraries = libraries_of(options.program[0]);
  const LinkedMpi linked = linked_mpi(libraries);
  const Launcher launcher = find_launcher(options.launcher, linked);
  const char* const name = library_for(linked.mpi, launcher.mpi);
  const Preload library = find_preload(name);
  if (!library.problem.empty()) return fail(library.problem);
  Words preloads{library.file};
  Words variables = asked_variables(options);
  Words problems = problems_of(variables);
  for (const std::string& problem : {unwritable("--report", options.report), unwritable("--learn", options.learn)})
    if (!problem.empty()) problems.push_back(problem);
  for (const std::string& problem : problems) fail(problem);
  if (!problems.empty()) return cannot_run;
  if (!launcher.problem.empty()) return fail(launcher.problem);
  if (table::ask_to_watch(current_settings())) {  // first, because it sees only calls that nobody before it has taken
    const Preload watching = find_preload(table::watching_library(name));
    if (!watching.problem.empty()) return fail(watching.problem);
    preloads.insert(preloads.begin(), watching.file);
  }
  variables.insert(variables.begin(), {"LD_PRELOAD", with_other_preloads(preloads, address_sanitizer_of(libraries))});
  const Words command = command_line(options, launcher, variables);
  if (!options.print) {
    tell(launcher, linked, current_settings().verbose > 0);
    return execute(command, "; name the launcher with --launcher");
  }
  std::string text;
  for (const std::string& word : command) text += shell_word(word) + ' ';
  text.back() = '\n';
  return print(text, ok);
}

}  // namespace mpigraft::command
