// SPDX-License-Identifier: MIT
// Writes the JSON schema of tables, from a template and the collectives and algorithms of the catalogue.
//   make_schema TEMPLATE SCHEMA
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "algorithms/composition.hpp"

namespace mpigraft::table {

namespace {

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

void append(std::string& list, const std::string& item, const char* separator = ", ") {
  list += (list.empty() ? "" : separator) + item;
}

void replace(std::string& text, std::string_view mark, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += by.size()) text.replace(at, mark.size(), by);
}

/// The short and the full names of the collective's algorithms for which `has` holds, as elements of an array.
template <class F>
std::string names_of(Collective collective, F has) {
  std::string names;
  for (const auto& [name, info] : listed) {
    if (info->collective != collective || !has(*info)) continue;
    append(names, in_quotes(name.substr(name.find('/') + 1)));
    append(names, in_quotes(name));
  }
  return names;
}

std::string rules_of(Collective collective) {
  std::string text = R"(        {"if": {"properties": {"collective": {"const": @NAME@}}},
         "then": {"properties": {"algorithm": {"enum": ["native", @ALL@]}},
                  "allOf": [{"if": {"properties": {"algorithm": {"enum": [@COMMUTATIVE@]}}},
                             "then": {"properties": {"operator": {"enum": ["any", "commutative", "user"]}}}},
                            {"if": {"properties": {"algorithm": {"enum": [@PORTS@]}}}, )"
                     R"("else": {"properties": {"ports": false}}},
                            {"if": {"properties": {"algorithm": {"enum": [@BARRIER@]}}},
                             "else": {"properties": {"barrier": {"const": false}}}}]}})";
  replace(text, "@NAME@", in_quotes(name_of(collective)));
  replace(text, "@ALL@", names_of(collective, [](const AlgorithmInfo&) { return true; }));
  replace(text, "@COMMUTATIVE@", names_of(collective, [](const AlgorithmInfo& info) { return info.commutative; }));
  replace(text, "@PORTS@", names_of(collective, [](const AlgorithmInfo& info) { return info.k_ported; }));
  replace(text, "@BARRIER@", names_of(collective, [](const AlgorithmInfo& info) { return info.barrier; }));
  return text;
}

std::string no_operator(Collective collective) {
  std::string text = R"(        {
          "if": {"properties": {"collective": {"const": @NAME@}}},
          "then": {"properties": {"operator": false}}
        })";
  replace(text, "@NAME@", in_quotes(name_of(collective)));
  return text;
}

std::string variants_of(Composition composition) {
  std::string text = R"(        {
          "if": {"properties": {"collective": {"const": @NAME@}}},
          "then": {"properties": {"algorithm": {"enum": [@VARIANTS@]},
                                  "operator": false, "segment": false, "ports": false, "barrier": false}}
        })";
  std::string variants;
  for (const Variant variant : all_variants)
    if (info_of(composition).has(variant)) append(variants, in_quotes(name_of(variant)));
  replace(text, "@NAME@", in_quotes(name_of(composition)));
  replace(text, "@VARIANTS@", variants);
  return text;
}

std::string schema(std::string text) {
  std::string names, streams, without_operator, algorithms, composed, variants;
  for (std::size_t i = 0; i < composition_count; ++i) {
    append(composed, in_quotes(compositions[i].name));
    append(variants, variants_of(static_cast<Composition>(i)), ",\n");
  }
  for (const Collective collective : all_collectives) {
    append(names, in_quotes(name_of(collective)));
    append(algorithms, rules_of(collective), ",\n");
    if (info_of(collective).combines()) continue;
    append(streams, std::string(name_of(collective)));
    append(without_operator, no_operator(collective), ",\n");
  }
  replace(text, "@COLLECTIVES@", names);
  replace(text, "@STREAMS@", streams);
  replace(text, "@NO_OPERATOR@", without_operator);
  replace(text, "@ALGORITHMS@", algorithms);
  replace(text, "@COMPOSITIONS@", composed);
  replace(text, "@VARIANTS@", variants);
  return text;
}

}  // namespace

}  // namespace mpigraft::table

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "make_schema TEMPLATE SCHEMA\n";
    return 2;
  }
  std::ostringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  std::ofstream file(argv[2]);
  file << mpigraft::table::schema(text.str()) << std::flush;
  return text && file ? 0 : 1;
}
