// SPDX-License-Identifier: MIT
// What `mpigraft doctor` says of memory.
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "config/command/findings.hpp"

namespace mpigraft::command {
namespace {

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

}  // namespace

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

}  // namespace mpigraft::command
