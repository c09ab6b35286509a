// SPDX-License-Identifier: MIT
// mpigraft doctor: would it work here? Or, with --hang: what does a job wait for?
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "config/command/command.hpp"
#include "config/command/findings.hpp"
#include "config/command/launcher.hpp"
#include "config/command/output.hpp"
#include "config/command/programs.hpp"
#include "config/report/hang.hpp"
#include "config/table/drivers.hpp"
#include "config/table/interface.hpp"

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
  if (!launcher.named && launcher.is_other_than_mpiexec())
    text += "; the mpiexec on PATH is a different one: do not start programs with it";
  findings.well("launcher", text);
}

/// Starts a child whose memory may be read; -1 on failure. It closes its ends of the pipe once it is ready, and then
/// waits to be killed.
pid_t start_owner(const std::array<int, 2>& ready, table::SingleCopy asked) {
  const pid_t owner = fork();
  if (owner != 0) return owner;
  if (asked == table::SingleCopy::ptracer) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  close(ready[0]);
  close(ready[1]);
  for (;;) pause();
}

/// The error of a second child that reads the first one's memory; 0 if it has none.
int error_of_reader(pid_t owner) {
  static const long word = 1;  // at the same address in both
  const pid_t reader = fork();
  if (reader == 0) {
    long read = 0;
    const iovec here{&read, sizeof read}, there{const_cast<long*>(&word), sizeof word};
    _exit(process_vm_readv(owner, &here, 1, &there, 1, 0) == sizeof read && read == word ? 0 : errno);
  }
  int status = 0;
  if (reader < 0 || waitpid(reader, &status, 0) != reader || !WIFEXITED(status)) return ECHILD;
  return WEXITSTATUS(status);
}

int error_of_reading(table::SingleCopy asked) {
  std::array<int, 2> ready{};
  if (pipe(ready.data()) != 0) return errno;
  const pid_t owner = start_owner(ready, asked);
  close(ready[1]);
  char nothing = 0;
  const ssize_t end = read(ready[0], &nothing, 1);  // ends when the child has closed its ends
  close(ready[0]);
  if (owner < 0 || end != 0) return ECHILD;
  const int error = error_of_reader(owner);
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  return error;
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
    if (!linked && !loader_finds(file))
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

bool can_write_beside(const std::string& file) {
  const files::path folder = files::path(file).parent_path();
  return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
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
  if (!settings.report.empty() && settings.report != "stderr" && !can_write_beside(settings.report))
    problems.push_back("MPIGRAFT_REPORT: cannot write " + settings.report +
                       "; name a file in a folder that you can write to");
  const bool there = access(settings.trace.c_str(), F_OK) == 0;  // otherwise the first rank makes it
  if (!settings.trace.empty() && !can_write_beside(there ? settings.trace + "/" : settings.trace))
    problems.push_back("MPIGRAFT_TRACE: cannot write into " + settings.trace + "; name a folder that you can write to");
  for (const std::string& problem : problems) findings.problem("environment", problem);
  if (problems.empty()) findings.well("environment", "no MPIGRAFT_* variable is wrong, and LD_PRELOAD is not exported");
}

/// Shows which ranks wait where, from the files of MPIGRAFT_TRACE.
int show_hang(const std::string& folder) {
  const report::Traces traces = report::read_traces(folder);
  if (traces.empty()) return fail("no trace in " + folder + "; run the program with MPIGRAFT_TRACE=" + folder);
  if (!report::of_one_job(traces))
    return fail("the traces in " + folder + " are of different jobs; empty the folder, and run the program again");
  const report::Hang hang = report::explain_hang(traces);
  return print(hang.text, hang.any ? found_problems : ok);
}

}  // namespace

int doctor(const DoctorOptions& options) {
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
  look_at_table(findings, settings, interface_of(linked.mpi, launcher.mpi), version_in_job(linked, launcher));
  return findings.print_all();
}

}  // namespace mpigraft::command
