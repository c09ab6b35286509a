// SPDX-License-Identifier: MIT
// How a report gets out; what goes wrong is told once and harms nobody.
//
// All files of a report begin with its name. NAME itself is the report of a job that was alone. Next to it are
// NAME.part-RANK-HOST-PID of a rank that never met the others, NAME.job-HOST-PID of a job that was spawned or that
// ended while another one had the name, and NAME.new-HOST-PID while one of these is written. HOST stands for all that a
// process id is valid in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpigraft::observe {

/// To stderr where `name` is "stderr", else appended to that file: one write, so that reports of several processes and
/// jobs do not mix.
void append_text(const std::string& name, const std::string& text);

/// The files of a report's name that were there when this job began.
class EarlierFiles {
 public:
  EarlierFiles() = default;
  explicit EarlierFiles(const std::string& name);

  /// Removes those that no job can need any more: the report of an earlier job, and what processes left that are over.
  void remove() const;

  /// A file's identity; one that was written anew is another.
  struct Identity {
    std::uint64_t device, inode;
    std::int64_t seconds, nanoseconds;  // when it was written
    bool operator==(const Identity&) const = default;
  };
  /// None where there is no file of that name.
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

/// Writes the JSON of a report beside `earlier`, which makes place for it. Whoever opens it finds all of it, and it
/// takes the place of no report of a job that ran at the same time. `rank`: of the one that writes.
void write_json(const std::string& name, const EarlierFiles& earlier, Scope scope, std::int64_t rank,
                const std::string& text);

}  // namespace mpigraft::observe
