// SPDX-License-Identifier: MIT
// mpigraft doctor: would it work here? Or, with --hang: what does a job wait for?
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>

#include "config/analysis/explanation.hpp"
#include "config/command/command.hpp"
#include "config/command/findings.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/report/hang.hpp"
#include "config/table/digest.hpp"
#include "config/table/drivers.hpp"
#include "config/table/files.hpp"
#include "config/table/size.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::command {

namespace {

namespace files = std::filesystem;

/// Starts two ranks of a program without MPI, so that the loader says on their nodes if it cannot load the library.
void look_at_start(Findings& findings, const Launcher& launcher, const std::string& library) {
  std::string command;
  for (const std::string& word : launcher.command(2)) command += shell_word(word) + ' ';
  const std::string says = output_of(command + "env LD_PRELOAD=" + shell_word(library) + " true");
  const std::size_t found = says.find("cannot be preloaded");
  if (found == says.npos) return;
  const std::size_t line = says.rfind('\n', found) + 1;  // npos + 1 is 0
  findings.problem("library", says.substr(line, says.find('\n', found) - line) + "; build it for the ranks' system");
}

/// Looks for the library, and whether the launcher's ranks can load it.
void look_at_library(Findings& findings, const Launcher& launcher, const std::string& name) {
  const auto [library, problem] = find_preload(name);
  if (!problem.empty()) return findings.problem("library", problem);
  findings.well("library", library);
  if (launcher.problem.empty()) look_at_start(findings, launcher, library);
}

void look_at_launcher(Findings& findings, const Launcher& launcher, const LinkedMpi& program, bool grafts_family) {
  const std::string trouble = launcher.problem.empty() ? launcher.trouble(program, grafts_family) : launcher.problem;
  if (!trouble.empty()) return findings.problem("launcher", trouble);
  std::string text = launcher.path;
  if (launcher.mpi == Mpi::mpich)
    text += ", MPICH " + launcher.version;
  else if (launcher.mpi != Mpi::unknown)
    text += std::string(", ") + name_of(launcher.mpi);
  else
    text += ", which does not say which MPI it starts (" + launcher.says + ")";
  if (const std::string plugin = launcher.slurm_plugin(); !plugin.empty()) text += "; its MPI plugin is " + plugin;
  if (launcher.is_unexpected()) text += "; the mpiexec on PATH is a different one: do not start programs with it";
  findings.well("launcher", text);
}

/// The error of a child that reads the memory of this process; 0 if it has none. To the system it is like one rank that
/// reads another's: neither is an ancestor of the one that it reads.
int error_of_reading(table::SingleCopy asked) {
  static const long word = 1;  // at the same address in both
  if (asked == table::SingleCopy::ptracer) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  const std::string error = told_by_child([owner = getpid()] {
    long read = 0;
    const iovec here{&read, sizeof read}, there{const_cast<long*>(&word), sizeof word};
    const bool has_read = process_vm_readv(owner, &here, 1, &there, 1, 0) == sizeof read && read == word;
    return std::to_string(has_read ? 0 : errno);
  });
  prctl(PR_SET_PTRACER, 0, 0, 0, 0);
  return error.empty() ? ECHILD : std::stoi(error);
}

std::string yama() {
  std::string scope;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  if (scope == "1") return "; Yama forbids it, and MPIGRAFT_SHARED=ptracer on all ranks allows it";
  return scope.empty() || scope == "0" ? "" : "; kernel.yama.ptrace_scope is " + scope + ": only root can allow it";
}

/// Tries whether one process can read the memory of another here, as the ranks of a node do. Says in a sentence how
/// long messages then travel inside a node.
void look_at_memory(Findings& findings, table::SingleCopy asked) {
  const std::string otherwise = "long messages of a node are copied twice, or by MPI: ";
  if (asked == table::SingleCopy::never) return findings.well("memory", otherwise + "MPIGRAFT_SHARED=no-cma");
  const int error = error_of_reading(asked);
  if (error == 0)
    findings.well("memory", "long messages of a node are copied once: ranks can read one another's memory");
  else
    findings.well("memory",
                  otherwise + "ranks cannot read one another's memory (" + std::strerror(error) + ")" + yama());
}

void look_at_gpus(Findings& findings, const std::string& libraries) {
  std::string absent;
  for (const table::GpuDriver& driver : table::gpu_drivers) {
    const std::string file(driver.file), name = file + " (" + std::string(driver.name) + ")";
    const bool linked = contains(libraries, (file + " => ").c_str());
    const auto load = [&] { return dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL) ? "found" : ""; };
    if (!linked && told_by_child(load).empty())
      absent += (absent.empty() ? "" : ", ") + name;
    else if (driver.tells)
      findings.well("gpu", name + " is here: grafted calls run on copies of buffers in its memory");
    else if (linked)
      findings.problem("gpu", "the program is linked to " + name +
                                  ", where every call stays native; this driver does not tell where buffers lie");
    else
      findings.well("gpu", name + " is here: every call of a program that loads it stays native");
  }
  if (!absent.empty()) findings.well("gpu", "not here: " + absent);
}

void look_at_site(Findings& findings, const table::Settings& settings) {
  const std::string file = table::site_settings_path();
  if (!settings.enabled)
    findings.problem("site", file + " switches mpigraft off: every call of every job is native");
  else
    findings.well("site", table::read_site_settings().origin.empty() ? "there is no " + file : file);
  for (const std::string& note : settings.notes) findings.well("site", note);
}

void look_at_environment(Findings& findings, const table::Settings& settings) {
  std::vector<std::string> problems = table::unknown_variables(environ);
  problems.insert(problems.end(), settings.errors.begin(), settings.errors.end());
  const char* preload = std::getenv("LD_PRELOAD");
  if (preload && contains(preload, "libmpigraft"))
    problems.push_back(
        "LD_PRELOAD is exported, so that mpiexec and every other program load the library too; set it for "
        "the ranks alone, as `mpigraft run` does: mpiexec -genv LD_PRELOAD FILE");
  if (settings.disable) problems.push_back("MPIGRAFT_DISABLE=1: every call is native");
  add_unwritable(problems, settings);
  for (const std::string& problem : problems) findings.problem("environment", problem);
  if (problems.empty()) findings.well("environment", "no MPIGRAFT_* variable is wrong, and LD_PRELOAD is not exported");
}

constexpr std::array<std::int64_t, 12> typical_ranks{16, 8, 32, 4, 64, 2, 128, 256, 512, 1024, 2048, 4096};
const std::vector<std::int64_t> typical_bytes{8, 64 << 10, 4 << 20};

/// Tells what would run on so many ranks, of which a node has `a_node`; false, without telling anything, if all of it
/// is native.
bool look_at_calls(Findings& findings, std::int64_t ranks, std::int64_t a_node, const table::Settings& settings,
                   const table::Table& table) {
  bool any = false;
  std::vector<std::string> lines;
  for (const Collective c : all_collectives) {
    std::string& text = lines.emplace_back(name_of(c));
    text += " on " + std::to_string(ranks) +
            (a_node >= ranks ? " ranks of one node:" : " ranks, " + std::to_string(a_node) + " a node:");
    const bool moves_data = info_of(c).moves_data();
    for (const std::int64_t bytes : moves_data ? typical_bytes : std::vector<std::int64_t>{0}) {
      const table::Query query = analysis::query_of(c, {.ranks_per_node = a_node}, ranks, bytes);
      const table::Choice choice = analysis::selection_of(query, settings, table).choice;
      text += (text.back() == ':' ? " " : ", ") + (moves_data ? table::format_size(bytes) + " bytes " : "") +
              std::string(name_of(choice));
      any = any || choice.algorithm != table::native;
    }
  }
  if (any)
    for (const std::string& line : lines) findings.well("calls", line);
  return any;
}

/// Looks for ranks with a call that is not native, first for one on each core of this machine: a table may only be for
/// a few numbers of ranks, or for one node.
void look_at_calls(Findings& findings, const table::Settings& settings, const table::Table& table) {
  const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (cores > 1 && look_at_calls(findings, cores, cores, settings, table)) return;
  for (const std::int64_t ranks : typical_ranks)
    for (const std::int64_t a_node : {cores, std::int64_t{1}, ranks})
      if (look_at_calls(findings, ranks, a_node, settings, table)) return;
  findings.problem("calls", "every call on 2 to 4096 ranks is native; `mpigraft explain` says why");
}

/// Replaces the table by the embedded one if the job would.
void look_at_requirements(Findings& findings, analysis::LoadedTable& loaded, table::Interface interface,
                          const std::string& version) {
  if (version.empty() && !std::exchange(loaded.table.required.mpi, "").empty())
    findings.well("table", loaded.origin + " requires an MPI library, which does not tell its version here");
  const std::string reason = table::embed_unless_in_force(loaded, table::surroundings_here(version), interface);
  if (reason.empty()) return;
  findings.problem("table", "not in force: " + reason);
  loaded.source = loaded.origin;
}

/// Looks for the table in force, and for calls that it grafts. `version`: what the MPI of the job says of itself;
/// empty: nothing.
void look_at_table(Findings& findings, const table::Settings& settings, table::Interface interface,
                   const std::string& version) {
  analysis::LoadedTable loaded = analysis::load_table({}, settings, interface);
  for (const std::string& problem : loaded.problems) findings.problem("table", problem);
  if (!loaded.problems.empty()) return;
  look_at_requirements(findings, loaded, interface, version);
  const unsigned long long digest = table::digest(loaded.text.data(), loaded.text.size());
  findings.well("table", loaded.origin + (loaded.source == loaded.origin ? "" : " (" + loaded.source + ")") +
                             table::formatted(", rules %zu, digest %016llx", loaded.table.rules.size(), digest));
  if (settings.errors.empty()) look_at_calls(findings, settings, loaded.table);
}

std::string why_no_trace(const std::string& folder) {
  std::error_code error;
  if (!files::is_directory(folder, error)) return folder + " is no folder; name that of MPIGRAFT_TRACE";
  if (access(folder.c_str(), R_OK | X_OK) != 0) return "cannot read " + folder + ": " + std::strerror(errno);
  if (!table::names_in(folder, "rank-").empty())
    return "the traces in " + folder + " cannot be read, or another version of mpigraft has made them";
  return "no trace in " + folder + "; run the program with MPIGRAFT_TRACE=" + folder;
}

/// Shows which ranks wait where, from the files of MPIGRAFT_TRACE.
int show_hang(const std::string& folder) {
  const report::Traces traces = report::read_traces(folder);
  if (traces.empty()) return fail(why_no_trace(folder));
  const report::Hang hang = report::explain_hang(traces);
  return print(hang.text, hang.any ? found_problems : ok);
}

struct Options {
  std::string program, hang, launcher;  // empty: not given
};

int doctor(const Options& options) {
  if (!options.hang.empty()) return show_hang(options.hang);
  const table::Settings settings = current_settings();
  Findings findings;
  const std::string libraries = libraries_of(options.program);
  const LinkedMpi linked = linked_mpi(libraries);
  const Launcher launcher = find_launcher(options.launcher, linked);
  look_at_library(findings, launcher, library_for(linked.mpi, launcher.mpi));
  look_at_launcher(findings, launcher, linked, settings.mpich_abi);
  if (!options.program.empty()) look_at_program(findings, options.program, libraries, settings.mpich_abi);
  look_at_environment(findings, settings);
  look_at_site(findings, settings);
  look_at_memory(findings, settings.single_copy);
  look_at_gpus(findings, libraries);
  const std::string version = version_in_job(linked, launcher);
  const bool is_told = !version.empty();  // under the standard ABI, only the version tells whose the library is
  look_at_table(findings, settings, is_told ? table::interface_of(version) : interface_of(linked.mpi, launcher.mpi),
                version);
  return findings.print_all();
}

}  // namespace

Action add_doctor(CLI::App& verb) {
  auto options = std::make_shared<Options>();
  verb.add_option("PROGRAM", options->program, "Program to check with ldd");
  add_launcher(verb, options->launcher);
  add_word(verb, "--hang", options->hang,
           "Show which ranks wait where, from the traces that MPIGRAFT_TRACE=DIR has left", "DIR");
  end_help(verb, R"(
  mpigraft doctor
  mpigraft doctor ./program
  mpigraft doctor --hang traces)");
  return [options] { return doctor(*options); };
}

}  // namespace mpigraft::command
