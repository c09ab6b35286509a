// SPDX-License-Identifier: MIT
// mpigraft run
#include <cstdlib>
#include <filesystem>

#include "config/command.hpp"
#include "config/explanation.hpp"
#include "config/output.hpp"

namespace mpigraft {

namespace {

using Words = std::vector<std::string>;
namespace files = std::filesystem;

std::string absolute(const std::string& path) { return path.empty() ? path : files::absolute(path).string(); }

/// NAME, VALUE, NAME, VALUE, ... that the options ask for. Paths become absolute: ranks may start elsewhere.
Words asked_variables(const RunOptions& options) {
  Words words;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  set("MPIGRAFT_TABLE", absolute(options.table));
  set("MPIGRAFT_FORCE", options.force);
  set("MPIGRAFT_REPORT", options.report == "stderr" ? options.report : absolute(options.report));
  set("MPIGRAFT_STRICT", options.strict ? "1" : "");
  set("MPIGRAFT_VERBOSE", options.verbose);
  return words;
}

/// The library would find these as well, but go native and say so only once asked.
Words problems_of(const Words& variables) {
  for (std::size_t i = 0; i < variables.size(); i += 2) setenv(variables[i].c_str(), variables[i + 1].c_str(), 1);
  const Settings settings = current_settings();
  Words problems = settings.errors;
  const LoadedTable loaded = load_table({}, settings);
  problems.insert(problems.end(), loaded.problems.begin(), loaded.problems.end());
  return problems;
}

Words command_line(const RunOptions& options, const std::string& library, const Words& variables) {
  const char* preloaded = std::getenv("LD_PRELOAD");
  const bool stacked = preloaded != nullptr && *preloaded != '\0';
  Words command{options.mpiexec, "-n", std::to_string(options.processes)};
  command.insert(command.end(), options.mpiexec_args.begin(), options.mpiexec_args.end());
  command.insert(command.end(), {"-genv", "LD_PRELOAD", stacked ? library + ':' + preloaded : library});
  for (std::size_t i = 0; i < variables.size(); i += 2)
    command.insert(command.end(), {"-genv", variables[i], variables[i + 1]});
  command.insert(command.end(), options.program.begin(), options.program.end());
  return command;
}

}  // namespace

int run(const RunOptions& options) {
  const std::string library = find_beside({"../shim", MPIGRAFT_LIBRARIES}, "libmpigraft.so");
  if (library.empty())
    return fail("libmpigraft.so is neither in ../shim nor in " MPIGRAFT_LIBRARIES " as seen from this command");
  if (library.find_first_of(" :") != library.npos)
    return fail(library + ": LD_PRELOAD cannot hold a path with a space or a colon; move the library");
  const Words variables = asked_variables(options);
  const Words problems = problems_of(variables);
  for (const std::string& problem : problems) fail(problem);
  if (!problems.empty()) return cannot_run;
  const Words command = command_line(options, library, variables);
  if (!options.print) return execute(command, "; name the launcher with --mpiexec");
  std::string text;
  for (const std::string& word : command) text += shell_word(word) + ' ';
  text.back() = '\n';
  return print(text, ok);
}

}  // namespace mpigraft
