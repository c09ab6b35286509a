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
  /// A value, and the place of the object or array that holds it, which has to live as long. False if there is none.
  struct Place {
    const JsonValue* value = nullptr;
    const Place* holder = nullptr;  // null: the value is the whole document

    explicit operator bool() const { return value != nullptr; }
    std::string pointer() const;
  };
  using Keys = std::span<const std::string_view>;

  static Place member(const Place& object, std::string_view key);
  void add(const Place& where, std::string message, std::string hint = {}, Severity severity = Severity::error);
  /// The same at the key of the value.
  void add_at_key(const Place& where, std::string message, std::string hint, Severity severity = Severity::error);
  /// False if the key is absent, or the value of another kind, which is a finding.
  bool expect(const Place& where, JsonKind kind, std::string_view hint = {});
  bool expect_keys(const Place& object, Keys known, Keys required);
  std::string read_text(const Place& text);
  std::optional<bool> read_flag(const Place& flag);
  void read_figure(const Place& figure, Unit unit, double& into);

  /// In the order of the document.
  std::vector<Finding> sorted_findings();

  std::vector<Finding> findings_;
};

}  // namespace mpigraft::table
