// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <limits>

#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {
constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
}

TEST_CASE("sizes are numbers with an optional suffix of 1024") {
  CHECK(parse_size("0") == 0);
  CHECK(parse_size("8") == 8);
  CHECK(parse_size("64K") == 65536);
  CHECK(parse_size("64k") == 65536);
  CHECK(parse_size("1M") == 1048576);
  CHECK(parse_size("2g") == 2147483648);
  CHECK(parse_size("inf") == infinite);
  CHECK(parse_size("9223372036854775807") == infinite);
}

TEST_CASE("anything else is no size") {
  const char* text =
      GENERATE("", "K", "-1", "+1", "-", " 1", "1 ", "1.5K", "1KB", "1KiB", "0x10", "1e3", "INF", "infinite", "1T",
               "K1", "9223372036854775808", "99999999999999999999", "9007199254740992K", "-1K");
  CAPTURE(text);
  CHECK_FALSE(parse_size(text));
}

TEST_CASE("the largest size of every suffix") {
  CHECK(parse_size("9007199254740991K") == infinite - 1023);
  CHECK(parse_size("8589934591G") == infinite - ((std::int64_t{1} << 30) - 1));
  CHECK_FALSE(parse_size("8589934592G"));
}

TEST_CASE("sizes are written as short as they read back") {
  CHECK(format_size(0) == "0");
  CHECK(format_size(1000) == "1000");
  CHECK(format_size(65536) == "64K");
  CHECK(format_size(65537) == "65537");
  CHECK(format_size(3 << 20) == "3M");
  CHECK(format_size(std::int64_t{1} << 40) == "1024G");
  CHECK(format_size(infinite) == "inf");
  for (std::int64_t size = 1; size < infinite / 3; size *= 3) CHECK(parse_size(format_size(size)) == size);
  for (std::int64_t size = 1; size < infinite / 2; size *= 2) CHECK(parse_size(format_size(size)) == size);
}

TEST_CASE("counts take no suffix") {
  CHECK(parse_count("12") == 12);
  CHECK_FALSE(parse_count("12K"));
  CHECK_FALSE(parse_count("inf"));
  CHECK_FALSE(parse_count("-0"));
  CHECK_FALSE(parse_count(""));
}

TEST_CASE("formatted text may have any length") {
  const std::string word(1000, 'a');
  CHECK(formatted("%s %jd", word.c_str(), std::int64_t{5}) == word + " 5");
  CHECK(formatted("%.1f%%", 2.25).size() == 4);
}

TEST_CASE("a segment is none or above zero") {
  CHECK(parse_segment("none") == unsegmented);
  CHECK(parse_segment("8K") == 8192);
  CHECK_FALSE(parse_segment("0"));
  CHECK_FALSE(parse_segment("0K"));
  CHECK_FALSE(parse_segment("None"));
  CHECK(format_segment(unsegmented) == "none");
  CHECK(format_segment(8192) == "8K");
}
