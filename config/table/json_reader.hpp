// SPDX-License-Identifier: MIT
// Strict JSON with the place of every value. The parser below it accepts more: here size and depth are limited, and
// duplicate keys, inexact integers, NUL bytes and a byte order mark are errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::table {

enum class JsonKind { null, boolean, integer, long_integer, fraction, string, array, object };

/// "an integer", "a string", ...
std::string_view name_of(JsonKind kind);

struct JsonKey {
  std::string name;
  int line = 0, column = 0;
  std::string written = {};  // in the document, if a reader has given it another name
};

struct JsonValue {
  JsonKind kind = JsonKind::null;
  int line = 0, column = 0;        // from 1, column in bytes
  std::int64_t integer = 0;        // integer, and boolean as 0 or 1
  std::string text = {};           // string
  JsonKey key = {};                // of a member of an object
  std::vector<JsonValue> items{};  // array, object
};

/// The value of a key of an object; nullptr if the key is absent or `value` is no object.
const JsonValue* find_member(const JsonValue& value, std::string_view key);

struct JsonDocument {
  JsonValue root;
  std::optional<Finding> error;  // the first one; `root` is then of no use
};

inline constexpr std::size_t max_json_depth = 16;

/// How long a kind of file may be, and the remedies for one that is longer, or empty.
struct FileLimit {
  std::size_t bytes;
  const char *if_longer = "", *if_empty = "";
};
inline constexpr FileLimit limit_of_tables{max_table_bytes, "use ranges to merge rules",
                                           R"(write at least {"version": 1, "rules": []})"};

/// Throws only std::bad_alloc.
JsonDocument read_json(std::string_view text, const FileLimit& limit = limit_of_tables);

/// `text` as a string of JSON. What is not UTF-8, perhaps a program's name, is replaced.
std::string in_json(std::string_view text);

/// The JSON pointer (RFC 6901) of a value of the document. Keys that are too long to print are cut.
std::string pointer_to(const JsonValue& root, const JsonValue& value);

}  // namespace mpigraft::table
