// SPDX-License-Identifier: MIT
// Files that other processes may read or write at the same time: reports and learned tables. A failure is reported
// once, and does not affect the program.
//
// All files of a report begin with its name, NAME. The report of a job is NAME, or NAME.job-HOST-PID if the job was
// spawned or ended while another job's report had the name. A rank that never joined the others in a collective writes
// NAME.part-RANK-HOST-PID. While a file is written it is NAME.new-HOST-PID. HOST stands for the boot and the namespace
// that the process id belongs to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpigraft::observe {

/// Writes to stderr if `name` is "stderr", else appends to that file. It is one write, so reports of several processes
/// and jobs do not mix.
void append_text(const std::string& name, const std::string& text);

/// The files of a report that existed when this job began to count.
class EarlierFiles {
 public:
  EarlierFiles() = default;
  explicit EarlierFiles(const std::string& name);

  /// Removes the files that no job needs any more: the report of an earlier job, and files of processes that are over.
  void remove() const;

  /// The identity of a file, which changes when it is written again.
  struct Identity {
    std::uint64_t device, inode;
    std::int64_t seconds, nanoseconds;  // when it was written
    bool operator==(const Identity&) const = default;
  };
  /// None if there is no file of that name.
  static std::optional<Identity> identity_of(const std::string& file);

 private:
  std::string name_;
  std::map<std::string, Identity> files_;
};

enum class Scope {
  job,      // all ranks of the job
  spawned,  // all ranks of a job that another one has spawned
  rank,     // one rank
};

/// Writes the JSON of a report, and first removes those of the `earlier` files that nobody needs. Whoever opens the
/// report finds all of it, and it never replaces the report of a job that ran at the same time. `rank` is the rank that
/// writes. Jobs that end at the same time lock the folder (base::FolderLock) while they look whether a name is free.
/// Without locks, one of two reports may be lost in a short moment.
void write_json(const std::string& name, const EarlierFiles& earlier, Scope scope, std::int64_t rank,
                const std::string& text);

}  // namespace mpigraft::observe
