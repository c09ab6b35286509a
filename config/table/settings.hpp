// SPDX-License-Identifier: MIT
// The MPIGRAFT_* environment: THE list of variables, their values, their meaning.
#pragma once

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/info.hpp"
#include "config/table/site_settings.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

struct Variable {
  std::string_view name, values, meaning, standard = "-";  // standard: the value of an unset one
};

inline constexpr std::array variables{
    Variable{"MPIGRAFT_TABLE", "FILE", "tuning table instead of <sysconfdir>/mpigraft/table.json and the embedded one"},
    Variable{"MPIGRAFT_LEARN", "FILE.json[,float]",
             "try algorithms on the job's own calls, and add the faster ones to FILE.json, the table of the next job; "
             "float: also what may change the last bits of floating-point sums and products within the job"},
    Variable{"MPIGRAFT_DISABLE", "0|1", "1: as if mpigraft were not loaded: every call is native, nothing is reported",
             "0"},
    Variable{"MPIGRAFT_ANSWER", "SECONDS",
             "how long ranks wait for others to negotiate before they say so and go on natively", "60"},
    Variable{"MPIGRAFT_VERBOSE", "0|1|2",
             "1: a line about the set-up, or why every call stays native; 2: a line per communicator", "0"},
    Variable{
        "MPIGRAFT_FORCE", "COLLECTIVE=ALGORITHM[@OPTION][:BYTES],...|native|strict",
        "run these algorithms instead of the table's, with BYTES (64K-, -8K or 8K-64K) only for calls of such sizes; "
        "native: none, but report all calls; strict: an algorithm that is named but cannot run, or only in its flat "
        "form, is an MPI error, not a native call"},
    Variable{"MPIGRAFT_REPORT", "stderr|FILE|FILE.json[,sites]",
             "report in MPI_Finalize what ran, how often, how long and why (appended to FILE; replaces FILE.json); "
             "sites: separately for each place in the program that calls"},
    Variable{
        "MPIGRAFT_NODES", "N|A-B,C-D,...[/0|/N|/A-B,C-D,...]",
        "simulate nodes of N ranks each, or of these ranks of MPI_COMM_WORLD; after a slash cache groups of a node, as "
        "if their ranks shared a cache; 0: no cache groups"},
    Variable{
        "MPIGRAFT_REPRODUCIBLE", "order|native",
        "order: reductions and scans combine in an order that only the number of ranks and the root decide; native: "
        "those of floating point types stay native"},
    Variable{"MPIGRAFT_SHARED", "0|1|no-cma|ptracer",
             "0: messages inside a node go through MPI, not through memory that its ranks share; no-cma: no rank reads "
             "long ones out of another's memory; ptracer: permit that where Yama forbids it",
             "1"},
    Variable{"MPIGRAFT_WAIT", "auto|native|patient",
             "how MPI's own calls wait; auto: sleep where ranks outnumber cores; native: as MPI does; patient: sleep "
             "everywhere",
             "auto"},
    Variable{"MPIGRAFT_ABI", "mpich",
             "graft under Intel MPI, Cray MPICH, MVAPICH and ParaStation MPI, too, after a check; set it on all ranks"},
    Variable{"MPIGRAFT_VERIFY", "N", "every N-th grafted call of a communicator runs natively too, and is compared"},
    Variable{"MPIGRAFT_TRACE", "DIR",
             "each rank keeps its last 64 blocking calls in a file there, for `mpigraft doctor --hang DIR`"},
    Variable{
        "MPIGRAFT_TIMEOUT", "SECONDS",
        "when a rank has waited this long, one rank reports who waits in which call and for whom; the job goes on"},
    Variable{"MPIGRAFT_CHECK", "0|1",
             "1: one rank reports at once if ranks of a node differ in arguments that must be the same", "0"},
    Variable{"MPIGRAFT_SIGNAL", "HUP|INT|QUIT|TERM|USR1|USR2|XCPU",
             "when ranks get this signal, one rank reports who waits in which call and for whom"},
    Variable{"MPIGRAFT_LAUNCHER", "COMMAND",
             "for `mpigraft run`, `compare`, `tune` and `doctor` only: command that starts {n} ranks, such as \"srun "
             "-n {n}\""},
};

inline constexpr auto variable_names = [] {
  std::array<std::string_view, variables.size()> names;
  std::ranges::transform(variables, names.begin(), &Variable::name);
  return names;
}();

/// The signals that MPIGRAFT_SIGNAL takes.
struct SignalName {
  std::string_view name;
  int number;
};
inline constexpr std::array signals{
    SignalName{"HUP", SIGHUP},   SignalName{"INT", SIGINT},   SignalName{"QUIT", SIGQUIT}, SignalName{"TERM", SIGTERM},
    SignalName{"USR1", SIGUSR1}, SignalName{"USR2", SIGUSR2}, SignalName{"XCPU", SIGXCPU}};

/// Group of every rank of MPI_COMM_WORLD, simulated: either blocks of `each` ranks or explicit ranges.
struct SimulatedGroups {
  std::int64_t each = 0;           // 0: not this form
  std::vector<Range> ranges = {};  // disjoint

  bool any() const { return each > 0 || !ranges.empty(); }
  /// The simulated group of a rank of MPI_COMM_WORLD; ranks outside all ranges share group -1.
  std::int64_t of(std::int64_t world_rank) const;

  friend bool operator==(const SimulatedGroups&, const SimulatedGroups&) = default;
};

/// How MPI's own calls wait.
enum class Waiting { as_oversubscribed, native, patient };

/// When ranks of a node read one another's memory: where the system permits it, never, or after prctl(PR_SET_PTRACER),
/// with which a process permits it to all processes of its user.
enum class SingleCopy { where_permitted, never, ptracer };

/// The settings that decide about calls once all ranks have agreed on them.
struct DecisiveSettings {
  std::array<std::vector<Forced>, collective_count> force;              // by Collective; the first that fits
  std::array<std::optional<Variant>, composition_count> force_variant;  // by Composition
  bool allows_flat = false;  // flat forms are not against `strict`; only in tests and the benchmark
  bool float_native = false;
  bool fixed_order = false;
  bool shared = true;       // messages inside a node go through shared memory
  std::int64_t verify = 0;  // one in so many grafted calls; 0: none

  friend bool operator==(const DecisiveSettings&, const DecisiveSettings&) = default;
};

struct Settings : DecisiveSettings {
  std::string table;  // path; empty: what was learned, the site's file or the embedded one
  std::string learn;  // path; empty: nothing is learned
  bool learn_float = false;
  bool disable = false;      // true: everything else is as if it were not set
  bool enabled = true;       // false: the site wants every call native; only `verbose` and `report` are read
  std::int64_t answer = 60;  // seconds
  int verbose = 0;
  bool strict = false;
  std::string report;
  bool report_sites = false;
  std::string trace;         // a folder
  std::int64_t timeout = 0;  // seconds; 0: none
  bool check = false;
  int signal = 0;  // its number; 0: none
  SimulatedGroups nodes, cache_groups;
  SingleCopy single_copy = SingleCopy::where_permitted;
  bool mpich_abi = false;
  Waiting waiting = Waiting::as_oversubscribed;
  std::vector<std::string> errors;  // "MPIGRAFT_FORCE: unknown algorithm ...": the process votes for native
  std::vector<std::string> notes;   // "MPIGRAFT_SHARED: the site has fixed it ...": values that are not used
  std::string decisive;             // every raw value that influences a decision, for the digest of the exchange

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// True if the settings ask for what libmpigraft-watch.so does.
inline bool ask_to_watch(const Settings& settings) {
  return !settings.trace.empty() || settings.timeout > 0 || settings.check || settings.signal != 0;
}

/// Reads settings through `get(name)`, which returns nullptr for an unset variable, and from the site's. An empty value
/// counts as unset. Throws only std::bad_alloc.
Settings read_settings(const char* (*get)(const char* name), const SiteSettings& site = {});

/// A problem for each name MPIGRAFT_* in an environment ("NAME=VALUE" entries, closed by a null pointer) that nothing
/// reads.
std::vector<std::string> unknown_variables(const char* const* environment);

}  // namespace mpigraft::table
