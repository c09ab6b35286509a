// SPDX-License-Identifier: MIT
// The tuning table: which algorithm runs for a collective, a communicator size and a byte count.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/composition.hpp"
#include "algorithms/info.hpp"
#include "config/table/interface.hpp"

namespace mpigraft::table {

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();  // "inf"

/// Inclusive on both ends.
struct Range {
  std::int64_t min = 0;
  std::int64_t max = unlimited;

  constexpr bool contains(std::int64_t v) const { return min <= v && v <= max; }
  constexpr bool contains(Range r) const { return min <= r.min && r.max <= max; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

inline constexpr int native = -1;             // PMPI, in place of an index into `listed`
inline constexpr int native_first_calls = 4;  // of a communicator other than MPI_COMM_WORLD, whatever the table says
inline constexpr std::int64_t unsegmented = unlimited;  // "segment": "none"

/// The algorithm: an index into `listed` or `native`, and what Params takes from the rule.
struct Choice {
  int algorithm = native;
  std::int64_t segment = 0;  // bytes; 0: the algorithm's formula
  int ports = 0;             // 0: the algorithm's default
  bool barrier = false;

  friend constexpr bool operator==(const Choice&, const Choice&) = default;
};

/// What MPIGRAFT_FORCE names for the calls of a collective with so many bytes.
struct Forced {
  Choice choice;
  Range bytes = {};

  friend bool operator==(const Forced&, const Forced&) = default;
};

/// Parameters of a call for the choice; the rest has its defaults.
Params params_of(const Choice& choice, const Machine& machine = {});

/// Segment size in bytes of pipelines inside a node that shares memory, unless a rule has one: small enough to stay in
/// cache until combined.
inline constexpr std::int64_t segment_in_caches = 64 << 10;

/// Length in bytes up to which the choice applies a program's own operator to whole vectors; unlimited for native.
std::int64_t whole_up_to(const Choice& choice);

/// "native", or the algorithm's full name.
std::string_view name_of(Choice choice);

/// "; flat form of NAME: BECAUSE", for the algorithm that runs in place of a node-aware one.
std::string flat_words(int algorithm, std::string_view because);

enum class OperatorClass { any, commutative, noncommutative, user };

inline constexpr std::array<std::string_view, 4> operator_names{"any", "commutative", "noncommutative", "user"};
constexpr std::string_view name_of(OperatorClass op) { return operator_names[static_cast<std::size_t>(op)]; }

/// The conditions that any rule may have.
struct Conditions {
  Range ranks, bytes, nodes, ranks_per_node;
  std::optional<bool> oversubscribed;  // ranks outnumber cores on some node, or on none; empty: either

  friend bool operator==(const Conditions&, const Conditions&) = default;
};

/// Notes of rules that a job has learned begin with this mark.
inline constexpr std::string_view learned_mark = "learned: ";

/// What runs for calls of a collective or, if there is a composition, for calls of that.
struct Rule : Conditions {
  Collective collective{};
  OperatorClass op = OperatorClass::any;
  Choice choice;
  std::optional<Composition> composition;
  Variant variant = Variant::fused;
  int line = 0;
  std::string note;

  bool is_for(Collective other) const { return !composition && collective == other; }
  /// True if a trial has made the rule. Calls that it decides are not learned again.
  bool is_learned() const { return !composition && note.starts_with(learned_mark); }
};

/// The calls that rules can be for: collectives, then the functions of mpigraft.h.
inline constexpr auto call_names = [] {
  std::array<std::string_view, collective_count + composition_count> names;
  const auto rest = std::ranges::copy(collective_names, names.begin()).out;
  std::ranges::transform(compositions, rest, &CompositionInfo::name);
  return names;
}();

/// The name of the rule's collective or composition.
inline std::string_view name_of_call(const Rule& rule) {
  return rule.composition ? name_of(*rule.composition) : name_of(rule.collective);
}

/// The places where a table may be used: shell patterns (fnmatch), empty for everywhere.
struct Requirements {
  std::string mpi;   // the first line of MPI_Get_library_version, with one blank between words
  std::string host;  // the name of the host of the rank that reads the table

  bool any() const { return !mpi.empty() || !host.empty(); }
  friend bool operator==(const Requirements&, const Requirements&) = default;
};

struct Table {
  std::string schema, site, note;
  Requirements required;
  Machine machine;                                 // pipelines choose their segment sizes by it
  std::int64_t scratch = std::int64_t{256} << 20;  // bytes that the ranks of a node keep between calls
  std::vector<Rule> rules;
};

/// The facts of a call that rules and settings ask for; equal on all ranks.
struct Query {
  Collective collective{};
  std::int64_t ranks = 1;
  std::int64_t bytes = 0;
  std::int64_t nodes = 1;       // nodes that have ranks of the communicator
  Range ranks_per_node{1, 1};   // fewest and most ranks of the communicator on any of its nodes
  bool oversubscribed = false;  // ranks outnumber cores on any of them
  bool commutative = true;      // ignored where nothing is combined, like `user`
  bool user = false;            // a user-defined operator
  bool floating = false;        // a floating point type: MPIGRAFT_REPRODUCIBLE asks, no rule does
};

/// True if the algorithm may only run with a commutative operator; its rule matches no other.
bool needs_commutative(const Choice& choice);

enum class Severity { error, warning, note };

inline constexpr std::array<std::string_view, 3> severity_names{"error", "warning", "note"};
constexpr std::string_view name_of(Severity s) { return severity_names[static_cast<std::size_t>(s)]; }

/// One defect of a table, at a place a person can find.
struct Finding {
  std::string pointer;  // JSON pointer, "" for the whole document
  int line = 0;         // from 1
  int column = 0;       // from 1, in bytes
  std::string message;  // what is wrong, and what is expected
  std::string hint;     // "did you mean ...?", or empty
  Severity severity = Severity::error;
};

/// "FILE:LINE:COLUMN: POINTER: MESSAGE; HINT", without the parts that are empty. "warning: " or "note: " stands before
/// the pointer of what is no error.
std::string describe(std::string_view file, const Finding& finding);

/// "MIN..MAX", as sizes.
std::string describe(Range range);

/// `mpi "PATTERN", host "PATTERN"`, as far as there are any.
std::string describe(const Requirements& required);

/// One line: what the rule asks for and what it names.
std::string describe(const Rule& rule);

struct ParsedTable {
  Table table;                    // complete only where there are no findings
  std::vector<Finding> findings;  // in document order; a syntax error stands alone
  std::vector<Finding> notes;     // about what is understood, but said in other words here
};

inline constexpr std::size_t max_table_bytes = std::size_t{1} << 20;

/// Parses a table. Any defect is a finding: size, depth, NUL, UTF-8, duplicate or unknown keys, types, ranges. Throws
/// only std::bad_alloc.
ParsedTable parse_table(std::string_view text);

struct JsonValue;
/// The same for JSON that has been read. Gives keys that other tables call otherwise our names in `root`, too.
ParsedTable parse_table(JsonValue& root);

/// The canonical form of a table without errors: one rule a line, keys in one order, sizes and figures in their
/// shortest form, no defaults; notes stay. It means the same as the table, and is its own canonical form.
std::string canonical(const Table& table);

/// The table built into the library: config/table/default.json or, measured with Open MPI, default_openmpi.json.
std::string_view default_table_text(Interface interface = Interface::mpich);

/// The bytes of the calls that a rule decides. For a `user` operator these are vectors that the algorithm leaves whole,
/// unless the rule is for such operators.
Range decided_bytes(const Rule& rule, bool user);

/// The first key that the query does not satisfy, or "".
std::string_view mismatch(const Conditions& conditions, const Query& query);

/// The same for a rule, or "algorithm" if the algorithm would cut the vector. The rule matches if it is "".
std::string_view mismatch(const Rule& rule, const Query& query);

/// The first rule that matches, or nullptr: native.
const Rule* find_rule(std::span<const Rule> rules, const Query& query);

}  // namespace mpigraft::table
