// SPDX-License-Identifier: MIT
#include "config/table/site_settings.hpp"

#include <algorithm>
#include <array>

#include "config/table/checked_json.hpp"
#include "config/table/settings.hpp"
#include "config/table/suggest.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::table {

namespace {

constexpr std::array<std::string_view, 4> known_keys{"enabled", "defaults", "fixed", "note"};
constexpr std::string_view never_of_site = "MPIGRAFT_DISABLE";

/// From the JSON tree to the settings.
class SiteReader : CheckedJson {
 public:
  SiteReader(const JsonValue& root, SiteSettings& out) : CheckedJson(root), out_(out) {}

  void read() {
    if (expect_keys(&root_, known_keys, {})) {
      out_.enabled = read_flag(find_member(root_, "enabled")).value_or(true);
      read_defaults(find_member(root_, "defaults"));
      read_fixed(find_member(root_, "fixed"));
      read_text(find_member(root_, "note"));
    }
    for (const Finding& finding : sorted_findings()) out_.errors.push_back(describe(out_.origin, finding));
  }

 private:
  bool is_variable(std::string_view name, const JsonValue& where) {
    if (name == never_of_site)
      add(where, in_quotes(name) + " belongs to the job", R"(write "enabled": false for all jobs)");
    else if (std::ranges::find(variable_names, name) == variable_names.end())
      add(where, "unknown variable " + in_quotes(name), suggestion(name, variable_names));
    else
      return true;
    return false;
  }

  void read_defaults(const JsonValue* defaults) {
    if (!expect(defaults, JsonKind::object, R"(write one such as {"MPIGRAFT_WAIT": "native"})")) return;
    for (const JsonValue& item : defaults->items)
      if (is_variable(item.key.name, item))
        out_.defaults[item.key.name] = item.kind == JsonKind::integer ? std::to_string(item.integer) : read_text(&item);
  }

  void read_fixed(const JsonValue* fixed) {
    if (!expect(fixed, JsonKind::array, R"(write one such as ["MPIGRAFT_SHARED"])")) return;
    for (const JsonValue& item : fixed->items)
      if (expect(&item, JsonKind::string) && is_variable(item.text, item)) out_.fixed.push_back(item.text);
  }

  SiteSettings& out_;
};

}  // namespace

std::string site_settings_path() { return site_file("mpigraft.json"); }

SiteSettings read_site_settings(const std::string& path) {
  SiteSettings site;
  if (!exists(path)) return site;
  constexpr FileLimit limit{max_table_bytes, "", "write at least {}"};
  const TableFile file = read_regular(path, limit);
  site.origin = file.origin;
  if (!file.error.empty()) {
    site.errors.push_back(file.error);
    return site;
  }
  const JsonDocument document = read_json(file.text, limit);
  if (document.error)
    site.errors.push_back(describe(site.origin, *document.error));
  else
    SiteReader(document.root, site).read();
  return site;
}

Setting setting(std::string_view name, const char* in_environment, const SiteSettings& site) {
  const std::string_view given = in_environment ? in_environment : "";
  const auto found = site.defaults.find(name);
  const std::string_view of_site = found == site.defaults.end() ? std::string_view{} : found->second;
  if (std::ranges::find(site.fixed, name) != site.fixed.end())
    return {of_site, Setting::Source::site, !given.empty() && given != of_site};
  if (!given.empty()) return {given, Setting::Source::environment};
  return of_site.empty() ? Setting{} : Setting{of_site, Setting::Source::site};
}

}  // namespace mpigraft::table
