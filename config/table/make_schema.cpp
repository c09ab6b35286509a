// SPDX-License-Identifier: MIT
// Writes the JSON schema of tables: a template, to which the collectives and algorithms of the catalogue are added.
//   make_schema TEMPLATE SCHEMA
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "algorithms/catalogue.hpp"
#include "algorithms/composition.hpp"

namespace mpigraft::table {

namespace {

using Json = nlohmann::ordered_json;

Json properties(Json of_keys) { return {{"properties", std::move(of_keys)}}; }

/// The condition that the key has the value, or one of the values in an array.
Json where(const char* key, Json value) {
  return properties({{key, {{value.is_array() ? "enum" : "const", std::move(value)}}}});
}

/// The short and the full names of the collective's algorithms for which `has` holds.
Json names_of(Collective collective, auto has) {
  Json names = Json::array();
  for (const auto& [name, info] : listed) {
    if (info->collective != collective || !std::invoke(has, *info)) continue;
    names.push_back(name.substr(name.find('/') + 1));
    names.push_back(name);
  }
  return names;
}

/// What holds for rules of the collective.
Json rules_of(Collective collective) {
  const auto named = [=](auto has) { return where("algorithm", names_of(collective, has)); };
  Json all = names_of(collective, [](const AlgorithmInfo&) { return true; });
  all.insert(all.begin(), "native");
  Json rules = where("algorithm", std::move(all));
  if (!info_of(collective).combines()) rules["properties"]["operator"] = false;
  if (!info_of(collective).moves_data()) rules["properties"]["bytes"] = false;
  rules["allOf"] = {
      {{"if", named(&AlgorithmInfo::commutative)}, {"then", where("operator", {"any", "commutative", "user"})}},
      {{"if", named(&AlgorithmInfo::k_ported)}, {"else", properties({{"ports", false}})}},
      {{"if", named(&AlgorithmInfo::barrier)}, {"else", where("barrier", false)}}};
  return rules;
}

Json rules_of(Composition composition) {
  Json variants = Json::array();
  for (const Variant variant : all_variants)
    if (info_of(composition).has(variant)) variants.push_back(name_of(variant));
  Json rules = where("algorithm", std::move(variants));
  for (const char* key : {"operator", "segment", "ports", "barrier"}) rules["properties"][key] = false;
  return rules;
}

void add_catalogue(Json& schema) {
  Json& rule = schema["$defs"]["rule"];
  rule["allOf"] = {{{"if", where("algorithm", "native")}, {"then", properties({{"segment", false}})}}};
  std::string streams;
  const auto add = [&](auto call) {
    rule["properties"]["collective"]["enum"].push_back(name_of(call));
    rule["allOf"].push_back({{"if", where("collective", name_of(call))}, {"then", rules_of(call)}});
  };
  for (const Collective collective : all_collectives) {
    add(collective);
    if (!info_of(collective).combines()) streams.append(streams.empty() ? "" : ", ").append(name_of(collective));
  }
  for (std::size_t i = 0; i < composition_count; ++i) add(static_cast<Composition>(i));
  auto& of_operator = rule["properties"]["operator"]["description"].get_ref<std::string&>();
  of_operator += "; not for " + streams;
}

}  // namespace

}  // namespace mpigraft::table

int main(int, char** argv) {
  std::ifstream text(argv[1]);
  auto schema = nlohmann::ordered_json::parse(text);
  mpigraft::table::add_catalogue(schema);
  std::ofstream file(argv[2]);
  file << schema.dump(1) << std::endl;
  return file ? 0 : 1;
}
