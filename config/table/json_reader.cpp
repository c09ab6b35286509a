// SPDX-License-Identifier: MIT
#include "config/table/json_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace mpigraft::table {

namespace {

/// The text as nlohmann takes it, and the place of the current token: nlohmann's events carry none.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text), stream_(std::string(text)) {}

  std::istream& stream() { return stream_; }
  int line() const { return line_; }
  int column() const { return static_cast<int>(offset_ - line_start_) + 1; }

  /// Skips white space and separators, but not beyond `limit`.
  void skip_to_token(std::size_t limit = std::string_view::npos) {
    limit = std::min(limit, text_.size());
    for (; offset_ < limit && std::string_view(" \t\r\n,:").find(text_[offset_]) != std::string_view::npos; ++offset_) {
      if (text_[offset_] != '\n') continue;
      ++line_;
      line_start_ = offset_ + 1;
    }
  }
  /// The byte here and the one before it; 0 beyond the text.
  char character() const { return offset_ < text_.size() ? text_[offset_] : 0; }
  char before() const { return offset_ > 0 && offset_ <= text_.size() ? text_[offset_ - 1] : 0; }
  /// Tokens hold no line break, so an offset in the current one is on the current line.
  void move_to(std::size_t offset) { offset_ = std::min(offset, text_.size()); }
  /// Goes to the end of the token that nlohmann has taken. It ends a number at the byte after it.
  void skip_token(bool number) {
    const bool one_more = number && !stream_.eof();
    move_to(text_.size() - static_cast<std::size_t>(std::max<std::streamsize>(stream_.rdbuf()->in_avail(), 0)) -
            one_more);
  }

 private:
  const std::string_view text_;
  std::istringstream stream_;
  std::size_t offset_ = 0, line_start_ = 0;
  int line_ = 1;
};

/// nlohmann's words without its prefix and without the bytes it quotes, which may be anything.
std::string cleaned(std::string_view what) {
  for (const std::string_view prefix : {"] ", " - "})
    if (const std::size_t at = what.find(prefix); at != what.npos) what.remove_prefix(at + prefix.size());
  std::string message(what.substr(0, what.find("; last read")));
  if (const std::size_t expected = what.find("; expected"); expected < what.npos && expected > message.size())
    message += what.substr(expected);
  return message;
}

/// What people most often mean by text that is no JSON.
std::string remedy_for(std::string_view message, char here, char before) {
  const bool invalid = message.starts_with("invalid literal");
  if (invalid && (here == '/' || here == '#')) return "; JSON has no comments: remove it, or write a \"note\"";
  if (invalid && here == '\'') return "; write strings in double quotes";
  const bool is_apart = std::string_view(" \t\r\n\"}]").find(before) != std::string_view::npos;
  const bool begins = message.starts_with("unexpected string literal") || message.starts_with("unexpected number") ||
                      message.starts_with("unexpected '{'") || message.starts_with("unexpected '['");
  if (begins && is_apart && (message.ends_with("expected '}'") || message.ends_with("expected ']'")))
    return "; put a comma before it";
  return begins && message.ends_with("expected ':'") ? "; put a colon before it" : "";
}

std::string pointer_step(std::string_view key) {
  constexpr std::size_t shown = 64;
  const auto step = nlohmann::json::json_pointer() / std::string(key.substr(0, shown));
  return step.to_string() + (key.size() > shown ? "..." : "");
}

std::string pointer_step(const JsonValue& holder, const JsonValue& item) {
  if (holder.kind != JsonKind::object) return '/' + std::to_string(&item - holder.items.data());
  return pointer_step(item.key.written.empty() ? item.key.name : item.key.written);
}

/// Builds the tree from nlohmann's events. nlohmann prescribes the names and signatures.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, JsonDocument& document) : cursor_(text), document_(document) {}

  void build() { nlohmann::json::sax_parse(cursor_.stream(), this); }

  bool null() { return leaf({.kind = JsonKind::null}); }
  bool boolean(bool value) { return leaf({.kind = JsonKind::boolean, .integer = value}); }
  bool number_integer(std::int64_t value) { return leaf({.kind = JsonKind::integer, .integer = value}); }
  bool number_unsigned(std::uint64_t value) {
    if (value > std::numeric_limits<std::int64_t>::max()) return leaf({.kind = JsonKind::long_integer});
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(double, const std::string& raw) {
    // the parser turns integers beyond 64 bits into floating point
    const bool digits = raw.find_first_not_of("-0123456789") == raw.npos;
    return leaf({.kind = digits ? JsonKind::long_integer : JsonKind::fraction});
  }
  bool string(std::string& value) { return leaf({.kind = JsonKind::string, .text = std::move(value)}); }
  bool binary(nlohmann::json::binary_t&) { return false; }  // no JSON text holds any
  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    cursor_.skip_to_token();
    key_ = {name, cursor_.line(), cursor_.column()};
    if (!open_.back().keys.insert(name).second)
      return fail(pointer(*open_.back().value) + pointer_step(name), "duplicate key", "keep one of them");
    cursor_.skip_token(false);
    return true;
  }

  bool parse_error(std::size_t bytes_read, const std::string&, const nlohmann::json::exception& error) {
    const std::size_t last_read = bytes_read - 1;
    std::string message = cleaned(error.what());
    if (message.starts_with("number overflow")) message = "this number is too large; write a smaller one";
    if (message.starts_with("unexpected ']'; expected '['") || message.starts_with("unexpected '}'; expected string"))
      message += "; remove the comma before it";
    cursor_.skip_to_token(last_read);
    message += remedy_for(message, cursor_.character(), cursor_.before());
    if (message.starts_with("invalid string")) cursor_.move_to(last_read);
    return fail(open_.empty() ? "" : pointer(*open_.back().value), message);
  }

 private:
  struct Open {
    JsonValue* value;  // stays valid: only the innermost container grows
    std::unordered_set<std::string> keys;
  };

  JsonValue& add(JsonValue value) {
    cursor_.skip_to_token();
    value.line = cursor_.line();
    value.column = cursor_.column();
    value.key = std::exchange(key_, {});
    if (open_.empty()) return document_.root = std::move(value);
    return open_.back().value->items.emplace_back(std::move(value));
  }
  bool leaf(JsonValue value) {
    const bool number = JsonKind::integer <= value.kind && value.kind <= JsonKind::fraction;
    add(std::move(value));
    cursor_.skip_token(number);
    return true;
  }
  bool open(JsonKind kind) {
    JsonValue& value = add({.kind = kind});
    if (open_.size() == max_json_depth)
      return fail(pointer(value), "nested deeper than " + std::to_string(max_json_depth) + " levels");
    open_.push_back({&value, {}});
    cursor_.skip_token(false);
    return true;
  }
  bool close() {
    open_.pop_back();
    cursor_.skip_to_token();
    cursor_.skip_token(false);
    return true;
  }
  bool fail(std::string pointer, std::string message, std::string hint = {}) {
    document_.error = {std::move(pointer), cursor_.line(), cursor_.column(), std::move(message), std::move(hint)};
    return false;
  }
  std::string pointer(const JsonValue& value) const { return pointer_to(document_.root, value); }

  Cursor cursor_;
  JsonDocument& document_;
  std::vector<Open> open_;
  JsonKey key_;  // of the next value
};

/// Defects that the parser would accept or mistake for the end of the text.
std::optional<Finding> defect_of_bytes(std::string_view text, const FileLimit& limit) {
  if (text.size() > limit.bytes)
    return Finding{"", 1, 1, "larger than " + std::to_string(limit.bytes >> 20) + " MiB", limit.if_longer};
  if (text.starts_with("\xEF\xBB\xBF")) return Finding{"", 1, 1, "starts with a byte order mark", "save it without"};
  if (text.find_first_not_of(" \t\r\n") == text.npos) return Finding{"", 1, 1, "empty", limit.if_empty};
  const std::size_t nul = text.find('\0');
  if (nul == text.npos) return {};
  const std::string_view before = text.substr(0, nul);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return Finding{"", static_cast<int>(line), static_cast<int>(nul - line_start) + 1, "NUL byte", ""};
}

}  // namespace

std::string_view name_of(JsonKind kind) {
  static constexpr std::array<std::string_view, 8> names{
      "null",     "a boolean", "an integer", "an integer beyond 64 bits", "a fractional number",
      "a string", "an array",  "an object"};
  return names[static_cast<std::size_t>(kind)];
}

const JsonValue* find_member(const JsonValue& value, std::string_view key) {
  const auto found = std::ranges::find(
      value.items, key, [](const JsonValue& item) -> auto& { return item.key.name; });
  return found == value.items.end() ? nullptr : &*found;
}

JsonDocument read_json(std::string_view text, const FileLimit& limit) {
  JsonDocument document;
  document.error = defect_of_bytes(text, limit);
  if (document.error) return document;
  TreeBuilder(text, document).build();
  return document;
}

std::string in_json(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string pointer_to(const JsonValue& root, const JsonValue& value) {
  if (&root == &value) return "";
  const auto begin = [](const JsonValue& item) { return std::pair(item.line, item.column); };
  const auto after = std::ranges::upper_bound(root.items, begin(value), {}, begin);  // in the document's order
  const JsonValue& holder = *std::prev(after);
  return pointer_step(root, holder) + pointer_to(holder, value);
}

}  // namespace mpigraft::table
