// SPDX-License-Identifier: MIT
// The subcommands of the `mpigraft` command; each returns its exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/analysis/comparison.hpp"
#include "config/analysis/explanation.hpp"
#include "config/table/settings.hpp"
#include "config/table/table.hpp"

namespace mpigraft::command {

/// The settings in the environment of this process.
table::Settings current_settings();

/// Those that are no fault of the site's.
std::vector<std::string> errors_in_environment();

/// The settings, with the table in force or the one at a path. `situation` is empty, after printing the errors, if
/// there are any: the library would not decide by them.
struct Situation {
  table::Settings settings;
  analysis::LoadedTable loaded;
};
std::optional<Situation> situation(const std::string& table, table::Interface interface);

// Each subcommand prints to standard output and returns the exit code: 0, 1 for findings or differences, 2 if it cannot
// run. An error goes to stderr, as "mpigraft: MESSAGE".

struct ListOptions {
  std::optional<Collective> collective;  // none: all
  std::string name;                      // of an algorithm to show in full; empty: none
  bool json = false;
};
int list(const ListOptions& options);

struct EnvironmentOptions {
  std::string site;  // file in the place of the site's; empty: the site's
  bool verbose = false, json = false;
};
int show_environment(const EnvironmentOptions& options);

struct CheckOptions {
  std::string file;
  bool json = false, strict = false;
};
int check(const CheckOptions& options);

/// Prints the table in its canonical form, or if `write` rewrites the file in it.
int fmt(const std::string& file, bool write);

/// Prints the first table with what the others have learned.
int merge(const std::vector<std::string>& files);

struct DiffOptions {
  std::string before, after;
  std::optional<Collective> collective;  // none: all
  analysis::Placing placing;
};
int diff(const DiffOptions& options);

struct ExplainOptions {
  std::optional<Collective> collective;    // none: all, in a map
  std::optional<Composition> composition;  // instead: a call of mpigraft.h
  std::int64_t ranks = 1, bytes = 0;
  analysis::Placing placing;
  std::string table;
  table::Interface mpi = table::Interface::mpich;  // its built-in table applies if there is no other
  bool json = false, all = false, verbose = false;
  std::string html, goal;          // files, or empty
  std::string force;               // as MPIGRAFT_FORCE
  bool schedule = false;           // show it instead of the rules
  std::optional<int> schedule_of;  // of this rank alone
};
int explain(const ExplainOptions& options);
/// What runs and why, in a line.
std::string answer_of(const analysis::LoadedTable& loaded, const analysis::Explanation& explanation);
int show_schedule(const ExplainOptions& options, const Situation& now, const table::Query& query,
                  analysis::Explanation explanation);
int explain_all(const ExplainOptions& options);
int explain_composition(const ExplainOptions& options);

struct ModelOptions {
  std::vector<Collective> collectives;
  std::vector<std::int64_t> ranks, bytes;
  std::optional<double> latency, per_byte, combine_per_byte;  // instead of the table's
  std::string table;                                          // empty: the one in force
  bool json = false;
  std::string html;  // a file, or empty
};
int model_command(const ModelOptions& options);

struct ReportOptions {
  std::vector<std::string> files;
  bool json = false;
  std::string html;  // a file, or empty
};
int report(const ReportOptions& options);

struct DoctorOptions {
  std::string program, hang, launcher;  // empty: not given
};
int doctor(const DoctorOptions& options);

struct RunOptions {
  int processes = 0;
  std::string table, force, verify, learn, report, watch, launcher;  // empty: not given
  bool strict = false, native = false, print = false;
  std::vector<std::string> program;  // and its arguments
};
int run(const RunOptions& options);
inline constexpr int most_counted = 9'999'999;
/// A number from 1 to `most_counted`; 0 if it is none.
int count_in(const std::string& text);
/// The digits of "60" or "60s"; 60 if the option has no value; empty if it is nothing of these.
std::string seconds_in(std::string text);

}  // namespace mpigraft::command
