// SPDX-License-Identifier: MIT
// A look at JSON that people wrote, which tells all that is not as expected.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/table/json_reader.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// Base of readers: it collects every defect, not only the first.
class CheckedJson {
 protected:
  using Keys = std::span<const std::string_view>;

  /// `root` is the whole document and outlives the reader.
  explicit CheckedJson(const JsonValue& root) : root_(root) {}

  void add(const JsonValue& where, std::string message, std::string hint = {}, Severity severity = Severity::error);
  /// The same at the key of the value.
  void add_at_key(const JsonValue& where, std::string message, std::string hint, Severity severity = Severity::error);
  /// False if there is no value, or one of another kind, which is a finding.
  bool expect(const JsonValue* value, JsonKind kind, std::string_view hint = {});
  bool expect_keys(const JsonValue* object, Keys known, Keys required);
  std::string read_text(const JsonValue* text);
  std::optional<bool> read_flag(const JsonValue* flag);
  void read_figure(const JsonValue* figure, Unit unit, double& into);

  /// In the order of the document.
  std::vector<Finding> sorted_findings();

  const JsonValue& root_;
  std::vector<Finding> findings_;
};

}  // namespace mpigraft::table
