// SPDX-License-Identifier: MIT
#include "shim/observe/files.hpp"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "config/report/report.hpp"
#include "config/table/size.hpp"
#include "shim/base/files.hpp"
#include "shim/base/host.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::observe {
namespace {

constexpr std::int64_t longest_finalize = 24 * 3600;  // seconds

/// "-HOST-", where HOST stands for the boot and the namespace that a process id is valid in.
std::string host_mark() { return table::formatted("-%016jx-", base::digest_of_boot("/proc/self/ns/pid")); }

/// "HOST-PROCESS" of this process.
std::string own_mark() { return host_mark().substr(1) + std::to_string(getpid()); }

/// The process that a name NAME-HOST-PROCESS stands for; none for other names.
struct Writer {
  bool here;  // on this host
  pid_t process;
};
std::optional<Writer> writer_of(const std::string& file) {
  constexpr std::size_t host_length = 18;  // with its two dashes
  const std::size_t mark = file.rfind('-') + 1;
  pid_t process = 0;
  const char* const end = file.data() + file.size();
  const bool number = std::from_chars(file.data() + mark, end, process).ptr == end && process > 0;
  if (!number || mark < host_length || file[mark - host_length] != '-') return {};
  return Writer{.here = file.compare(mark - host_length, host_length, host_mark()) == 0, .process = process};
}

/// True if the process that wrote the file may still live, and so may need it. A rank that has written its part waits
/// in MPI_Finalize for the others, so a file of this host is needed only while its process lives. Processes of other
/// hosts cannot be seen, but no job takes a day from its first rank in MPI_Finalize to its last.
bool may_be_needed(const std::string& file, std::int64_t written) {
  const auto writer = writer_of(file);
  if (!writer) return true;  // no file of ours
  if (writer->here) return kill(writer->process, 0) == 0 || errno != ESRCH;
  return time(nullptr) - written < longest_finalize;
}

void complain(const std::string& name) {
  base::log_once("MPIGRAFT_REPORT: cannot write " + name + ": " + std::strerror(errno));
}

}  // namespace

void append_text(const std::string& name, const std::string& text) {
  const bool to_stderr = name == "stderr";
  const int fd =
      to_stderr ? STDERR_FILENO : open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0 || !table::write_without_signal(fd, text)) complain(name);
  if (fd >= 0 && !to_stderr) close(fd);
}

std::optional<EarlierFiles::Identity> EarlierFiles::identity_of(const std::string& file) {
  struct stat found = {};
  if (lstat(file.c_str(), &found) != 0 || !(S_ISREG(found.st_mode) || S_ISLNK(found.st_mode))) return {};
  return Identity{.device = found.st_dev,
                  .inode = found.st_ino,
                  .seconds = found.st_mtim.tv_sec,
                  .nanoseconds = found.st_mtim.tv_nsec};
}

EarlierFiles::EarlierFiles(const std::string& name) : name_(name) {
  for (const std::string& file : report::files_of(name, {report::part_mark, report::job_mark, report::fresh_mark}))
    if (const auto identity = identity_of(file)) files_[file] = *identity;
}

void EarlierFiles::remove() const {
  for (const auto& [file, was] : files_) {
    if (identity_of(file) == was && (file == name_ || !may_be_needed(file, was.seconds))) unlink(file.c_str());
  }
}

void write_json(const std::string& name, const EarlierFiles& earlier, Scope scope, std::int64_t rank,
                const std::string& text) {
  const std::string fresh = name + std::string(report::fresh_mark) + own_mark();
  unlink(fresh.c_str());  // an earlier process with this id may have left it
  if (!table::write_new(fresh, text)) return complain(fresh);
  std::optional<base::FolderLock> lock;  // other ranks write files of their own, and remove none
  if (rank == 0) lock.emplace(table::folder_of(name), base::FolderLock::two_seconds);
  earlier.remove();
  std::string place = name;
  if (scope == Scope::rank)
    place += std::string(report::part_mark) + std::to_string(rank) + '-' + own_mark();
  else if (scope == Scope::spawned || EarlierFiles::identity_of(name))
    place += std::string(report::job_mark) + own_mark();
  if (rename(fresh.c_str(), place.c_str()) == 0) return;
  complain(place);
  unlink(fresh.c_str());
}

}  // namespace mpigraft::observe
