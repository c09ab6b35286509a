// SPDX-License-Identifier: MIT
// From the JSON tree to the table: the schema in code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/table/figures.hpp"
#include "config/table/json_reader.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// Collects every defect, not only the first.
class TableReader {
 public:
  ParsedTable read(const JsonValue& root) &&;

 private:
  /// A value and its JSON pointer; false if the key is absent.
  struct Place {
    const JsonValue* value = nullptr;
    std::string pointer;

    explicit operator bool() const { return value != nullptr; }
  };
  using Keys = std::span<const std::string_view>;

  static Place member(const Place& object, std::string_view key);
  void add(const Place& where, std::string message, std::string hint = {});
  bool expect(const Place& where, JsonKind kind, std::string hint = {});
  bool expect_keys(const Place& object, Keys known, Keys required);

  void read_version(const Place& version);
  void read_requirements(const Place& required);
  std::string read_pattern(const Place& pattern);
  void read_machine(const Place& machine);
  void read_figure(const Place& figure, Unit unit, double& into);
  void read_rule(const Place& rule, int number);
  Rule read_collective_rule(const Place& rule);
  CompositionRule read_composition_rule(const Place& rule, Composition composition);
  std::string read_text(const Place& text);
  void read_conditions(const Place& rule, Conditions& into);
  Range read_count(const Place& place);
  Range read_range(const Place& range);
  std::optional<std::int64_t> read_size(const Place& size);
  std::optional<Collective> read_collective(const Place& name);
  OperatorClass read_operator(const Place& name, std::optional<Collective> collective);
  std::int64_t read_segment(const Place& segment);
  int read_ports(const Place& ports, Choice choice);
  bool read_barrier(const Place& barrier, Choice choice);
  Choice read_choice(const Place& rule, std::optional<Collective> collective, OperatorClass op);

  ParsedTable out_;
};

}  // namespace mpigraft::table
