// SPDX-License-Identifier: MIT
#include <array>
#include <catch2/catch.hpp>

#include "config/table/suggest.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {
constexpr std::array<std::string_view, 4> words{"scan", "exscan", "bcast", "reduce"};
}

TEST_CASE("the nearest word is suggested") {
  CHECK(did_you_mean("reduse", words) == "did you mean \"reduce\"?");
  CHECK(did_you_mean("BCAST", words) == "did you mean \"bcast\"?");
  CHECK(did_you_mean("csan", words) == "did you mean \"scan\"?");  // one swap, but two replacements
  CHECK(did_you_mean("bcas", words) == "did you mean \"bcast\"?");
  CHECK(did_you_mean("exxscan", words) == "did you mean \"exscan\"?");
  CHECK(did_you_mean("scam", std::array<std::string_view, 2>{"scat", "scan"}) == "did you mean \"scat\"?");
}

TEST_CASE("nothing is suggested for what is far from every word") {
  CHECK(did_you_mean("gather", words).empty());
  CHECK(did_you_mean("", words).empty());
  CHECK(did_you_mean("nacs", words).empty());
  CHECK(did_you_mean(std::string(1 << 20, 's'), words).empty());
}

TEST_CASE("quotations are short and messages are one line") {
  CHECK(in_quotes("a") == "\"a\"");
  CHECK(in_quotes(std::string(64, 'x')) == '"' + std::string(64, 'x') + '"');
  CHECK(in_quotes(std::string(65, 'x')) == '"' + std::string(64, 'x') + "...\"");
  CHECK(printable("a\nb\x1b[0m\x7f\xc3\xa9") == "a\\x0ab\\x1b[0m\\x7f\xc3\xa9");
  CHECK(joined(words) == "scan, exscan, bcast, reduce");
}
