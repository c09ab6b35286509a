// SPDX-License-Identifier: MIT
// What an administrator settles for every job of an installation.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mpigraft::table {

struct SiteSettings {
  std::string origin;   // path as it can be printed; empty: there is no such file
  bool enabled = true;  // false: every call of every job is native
  std::map<std::string, std::string, std::less<>> defaults = {};  // values of variables that a job does not set
  std::vector<std::string> fixed = {};                            // variables that a job cannot set
  std::vector<std::string> errors = {};                           // "FILE:LINE:COLUMN: PROBLEM; REMEDY"
};

/// <sysconfdir>/mpigraft/NAME
std::string site_file(const char* name);

/// <sysconfdir>/mpigraft/mpigraft.json
std::string site_settings_path();

/// Reads the file if there is one. What is wrong in it is told in `errors`. Throws only std::bad_alloc.
SiteSettings read_site_settings(const std::string& path = site_settings_path());

/// The value that a variable has in this process; "" where it has none.
struct Setting {
  enum class Source { nobody, environment, site };

  std::string_view value;
  Source source = Source::nobody;
  bool overruled = false;  // the environment has another value, but the site has fixed it
};

/// The value of the variable `name`, which is `in_environment` there; null or empty: unset.
Setting setting(std::string_view name, const char* in_environment, const SiteSettings& site);

}  // namespace mpigraft::table
