// SPDX-License-Identifier: MIT
#include "config/table/json_reader.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "config/table/size.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

/// Of a value or a key.
std::string place(const auto& at) { return std::to_string(at.line) + ':' + std::to_string(at.column); }

JsonValue read(std::string_view text) {
  JsonDocument document = read_json(text);
  if (document.error) FAIL(describe("text", *document.error));
  return document.root;
}

std::string error_of(std::string_view text) {
  const JsonDocument document = read_json(text);
  return document.error ? describe("t", *document.error) : "no error";
}

}  // namespace

TEST_CASE("columns are exact after every kind of token") {
  const JsonValue root = read(R"([12,-3,1.5e+3 , 0,true,false,null,"a\"]\\",[],{},9])");
  const std::vector<std::string> places{"1:2",  "1:5",  "1:8",  "1:17", "1:19", "1:24",
                                        "1:30", "1:35", "1:44", "1:47", "1:50"};
  REQUIRE(root.items.size() == places.size());
  for (std::size_t i = 0; i < places.size(); ++i) CHECK(place(root.items[i]) == places[i]);
}

TEST_CASE("lines are counted through every white space") {
  const JsonValue root = read("\n {\r\n\t\"a\" :\n\n 1 ,\"b\":{\"c\":\n2}\n}\n\n");
  CHECK(place(root) == "2:2");
  CHECK(place(root.items[0].key) == "3:2");
  CHECK(place(root.items[0]) == "5:2");
  CHECK(place(root.items[1].key) == "5:5");
  CHECK(place(root.items[1]) == "5:9");
  CHECK(place(root.items[1].items[0].key) == "5:10");
  CHECK(place(root.items[1].items[0]) == "6:1");
}

TEST_CASE("columns count bytes, and escapes as they are written") {
  const JsonValue root = read("{\"\xc3\xa9\xe2\x82\xac\": \"\\u00e9\\n\", \"x\": 1}");
  CHECK(root.items[0].key.name == "\xc3\xa9\xe2\x82\xac");
  CHECK(place(root.items[0]) == "1:11");
  CHECK(root.items[0].text == "\xc3\xa9\n");
  CHECK(place(root.items[1].key) == "1:23");
  CHECK(place(root.items[1]) == "1:28");
}

TEST_CASE("integers are exact or refused") {
  CHECK(read("9223372036854775807").integer == std::numeric_limits<std::int64_t>::max());
  CHECK(read("-9223372036854775808").integer == std::numeric_limits<std::int64_t>::min());
  for (const char* digits : {"9223372036854775808", "-9223372036854775809", "123456789012345678901234567890"})
    CHECK(read(digits).kind == JsonKind::long_integer);
  CHECK(place(read("[123456789012345678901234567890 ,1]").items[1]) == "1:34");
  CHECK(read("1e3").kind == JsonKind::fraction);
  CHECK(error_of("1e999") == "t:1:1: this number is too large; write a smaller one");
}

TEST_CASE("depth is bounded, breadth is not") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(error_of(nested(max_json_depth)) == "no error");
  CHECK(error_of(nested(max_json_depth + 1)).starts_with("t:1:17: /0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0: nested deeper"));
  CHECK(error_of('[' + nested(8) + ',' + nested(15) + ',' + nested(15) + ']') == "no error");
  CHECK(error_of(std::string(500000, '[')).find("nested deeper than 16 levels") != std::string::npos);
  CHECK(error_of(std::string(3, '{')) == "t:1:2: unexpected '{'; expected string literal");
}

TEST_CASE("duplicate keys are refused, where they are duplicates") {
  CHECK(error_of(R"({"a":1,"b":{"a":2},"a":3})") == "t:1:20: /a: duplicate key; keep one of them");
  CHECK(error_of(R"([{"k":{"x/~":1, "x\/~":2}}])") == "t:1:17: /0/k/x~1~0: duplicate key; keep one of them");
  CHECK(error_of(R"([{"a":1},{"a":1}])") == "no error");
}

TEST_CASE("the text is bounded and plain UTF-8") {
  const std::string full = "[\"" + std::string(max_table_bytes - 4, 'x') + "\"]";
  CHECK(error_of(full) == "no error");
  CHECK(error_of(full + ' ').starts_with("t:1:1: larger than 1 MiB"));
  CHECK(error_of("\xEF\xBB\xBF{}").starts_with("t:1:1: starts with a byte order mark"));
  CHECK(error_of(std::string_view("[1,\n 2\0]", 8)) == "t:2:3: NUL byte");
  CHECK(error_of(std::string_view("{}\0", 3)) == "t:1:3: NUL byte");
  CHECK(error_of("[\n \"ab\xff\"]") == "t:2:5: invalid string: ill-formed UTF-8 byte");
  CHECK(error_of("[\"\xc0\xaf\"]") == "t:1:3: invalid string: ill-formed UTF-8 byte");
  CHECK(error_of("[\"\xed\xa0\x80\"]") == "t:1:4: invalid string: ill-formed UTF-8 byte");
  CHECK(error_of("\xff") == "t:1:1: invalid literal");
}

TEST_CASE("syntax errors name the place and the container") {
  const std::string empty = R"(t:1:1: empty; write at least {"version": 1, "rules": []})";
  CHECK(error_of("") == empty);
  CHECK(error_of("\n \r\n\t") == empty);
  CHECK(error_of("[1,,2]") == "t:1:4: unexpected ','; expected '[', '{', or a literal");
  CHECK(error_of("{\"a\": [1 2]}") == "t:1:10: /a: unexpected number literal; expected ']'; put a comma before it");
  CHECK(error_of("{\"a\": 1\n \"b\": 2}") == "t:2:2: unexpected string literal; expected '}'; put a comma before it");
  CHECK(error_of("{\"a\" 1}") == "t:1:6: unexpected number literal; expected ':'; put a colon before it");
  CHECK(error_of("{\"a\": {\"b\": tru}}") == "t:1:13: /a: invalid literal");
  CHECK(error_of("[1,\n2,]") == "t:2:3: unexpected ']'; expected '[', '{', or a literal; remove the comma before it");
  CHECK(error_of("{\"a\": 1,}") == "t:1:9: unexpected '}'; expected string literal; remove the comma before it");
  CHECK(error_of("[1]\n [2]") == "t:2:2: unexpected '['; expected end of input");
  CHECK(error_of("[01]") == "t:1:3: unexpected number literal; expected ']'");
  CHECK(error_of("[1-2]") == "t:1:3: unexpected number literal; expected ']'");
  CHECK(error_of("[-0.5e-7 8]") == "t:1:10: unexpected number literal; expected ']'; put a comma before it");
  CHECK(error_of("[NaN]") == "t:1:2: invalid literal");
  CHECK(error_of("['a']") == "t:1:2: invalid literal; write strings in double quotes");
  const std::string comments = "invalid literal; JSON has no comments: remove it, or write a \"note\"";
  CHECK(error_of("[/* */]") == "t:1:2: " + comments);
  CHECK(error_of("# mine\n{}") == "t:1:1: " + comments);
}

TEST_CASE("every cut of a document is an error, and never more") {
  const std::string text = R"({"version": 1, "rules": [{"a": [1, -2.5, true, null, "x\u00e9"]}, {}]})";
  CHECK(error_of(text) == "no error");
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    const JsonDocument document = read_json(std::string_view(text).substr(0, length));
    REQUIRE(document.error);
    CHECK(document.error->line == 1);
    CHECK(document.error->column <= static_cast<int>(length) + 1);
  }
}

TEST_CASE("a value's pointer is that of RFC 6901, cut where a key is long") {
  const std::string k(64, 'k');
  const JsonDocument document =
      read_json(R"({"a/b~c": [[], [1, {"~1": 2}], {"": 3}], ")" + k + R"(": 4, ")" + k + R"(k": 5})");
  const JsonValue& root = document.root;
  const JsonValue& list = root.items[0];
  CHECK(pointer_to(root, root) == "");
  CHECK(pointer_to(root, list) == "/a~1b~0c");
  CHECK(pointer_to(root, list.items[0]) == "/a~1b~0c/0");
  CHECK(pointer_to(root, list.items[1].items[0]) == "/a~1b~0c/1/0");
  CHECK(pointer_to(root, list.items[1].items[1].items[0]) == "/a~1b~0c/1/1/~01");
  CHECK(pointer_to(root, list.items[2].items[0]) == "/a~1b~0c/2/");
  CHECK(pointer_to(root, root.items[1]) == '/' + k);
  CHECK(pointer_to(root, root.items[2]) == '/' + k + "...");
}

TEST_CASE("formatted text may have any length") {
  const std::string word(1000, 'a');
  CHECK(formatted("%s %jd", word.c_str(), std::int64_t{5}) == word + " 5");
  CHECK(formatted("%.1f%%", 2.25).size() == 4);
}
