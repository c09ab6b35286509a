// SPDX-License-Identifier: MIT
// From the JSON tree to the table: the schema in code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/table/checked_json.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// Collects every defect, not only the first.
class TableReader : CheckedJson {
 public:
  /// Gives keys that other tables call otherwise our names in `root`, too.
  ParsedTable read(JsonValue& root) &&;

 private:
  void read_version(const Place& version);
  void read_requirements(const Place& required);
  std::string read_pattern(const Place& pattern);
  void read_machine(const Place& machine);
  void read_figure(const Place& figure, Unit unit, double& into);
  void use_our_keys(JsonValue& rule, const std::string& pointer);
  void read_rule(const Place& rule, int number);
  Rule read_collective_rule(const Place& rule);
  CompositionRule read_composition_rule(const Place& rule, Composition composition);
  void read_conditions(const Place& rule, Conditions& into);
  Range read_count(const Place& place);
  Range read_range(const Place& range, bool counts = false);
  std::optional<std::int64_t> read_size(const Place& size, bool counts = false);
  std::optional<Collective> read_collective(const Place& name);
  OperatorClass read_operator(const Place& name, std::optional<Collective> collective);
  std::int64_t read_segment(const Place& segment);
  int read_ports(const Place& ports, Choice choice);
  bool read_barrier(const Place& barrier, Choice choice);
  Choice read_choice(const Place& rule, std::optional<Collective> collective, OperatorClass op);

  ParsedTable out_;
};

}  // namespace mpigraft::table
