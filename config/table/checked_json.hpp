// SPDX-License-Identifier: MIT
// A look at JSON that people wrote, which tells all that is not as expected.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/table/json_reader.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// Base of readers: it collects every defect, not only the first.
class CheckedJson {
 protected:
  /// A value and its JSON pointer; false if the key is absent.
  struct Place {
    const JsonValue* value = nullptr;
    std::string pointer;

    explicit operator bool() const { return value != nullptr; }
  };
  using Keys = std::span<const std::string_view>;

  static Place member(const Place& object, std::string_view key);
  void add(const Place& where, std::string message, std::string hint = {}, Severity severity = Severity::error);
  /// False if the key is absent, or the value of another kind, which is a finding.
  bool expect(const Place& where, JsonKind kind, std::string_view hint = {});
  bool expect_keys(const Place& object, Keys known, Keys required);
  std::string read_text(const Place& text);
  std::optional<bool> read_flag(const Place& flag);

  /// In the order of the document.
  std::vector<Finding> sorted_findings();

  std::vector<Finding> findings_;
};

}  // namespace mpigraft::table
