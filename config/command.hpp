// SPDX-License-Identifier: MIT
// The verbs of the `mpigraft` command; each returns its exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "config/table.hpp"

namespace mpigraft {

/// As this process has them.
Settings current_settings();

int list(bool json);
int environment();
int check(const std::string& file, bool json);

struct ExplainOptions {
  Query query;
  std::string table;
  bool json = false;
};
int explain(const ExplainOptions& options);

struct ModelOptions {
  std::vector<Collective> collectives;
  std::vector<std::int64_t> ranks, bytes;
  std::optional<double> latency, per_byte, combine_per_byte;  // instead of the table's
  std::string table;                                          // empty: the one in force
  bool json = false, csv = false;
  std::string plot, goal, algorithm;  // files, or empty; the algorithm that `goal` writes
};
int model_command(const ModelOptions& options);

struct ReportOptions {
  std::vector<std::string> files;
  bool json = false;
  std::string plot, html;  // files, or empty
};
int report(const ReportOptions& options);

struct DoctorOptions {
  std::string program, hang;  // empty: not given
  std::string mpiexec = "mpiexec";
};
int doctor(const DoctorOptions& options);
/// Who waits where, from the traces in `folder`.
int show_hang(const std::string& folder);

struct RunOptions {
  int processes = 0;
  std::string table, force, report, verbose;  // empty: not given
  bool strict = false, print = false;
  std::string mpiexec = "mpiexec";
  std::vector<std::string> mpiexec_args;
  std::vector<std::string> program;  // and its arguments
};
int run(const RunOptions& options);

}  // namespace mpigraft
