// SPDX-License-Identifier: MIT
#include "config/table/site_settings.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/table/settings.hpp"

using namespace mpigraft::table;

namespace {

/// The site's file with this text.
SiteSettings of(const std::string& text) {
  std::string path = (std::filesystem::current_path() / "mpigraft-XXXXXX").string();
  const int fd = mkstemp(path.data());
  REQUIRE(fd >= 0);
  close(fd);
  std::ofstream(path) << text;
  SiteSettings site = read_site_settings(path);
  std::filesystem::remove(path);
  CHECK(site.origin == path);
  for (std::string& error : site.errors) {
    REQUIRE(error.starts_with(path + ':'));
    error.erase(0, path.size() + 1);
  }
  return site;
}

const char* unset(const char*) { return nullptr; }

/// In this environment MPIGRAFT_WAIT and MPIGRAFT_SHARED are set.
const char* of_job(const char* name) {
  return std::string_view(name) == "MPIGRAFT_WAIT"     ? "patient"
         : std::string_view(name) == "MPIGRAFT_SHARED" ? "0"
                                                       : nullptr;
}

}  // namespace

TEST_CASE("without a file the site settles nothing") {
  const SiteSettings site = read_site_settings("/absent/mpigraft.json");
  CHECK(site.origin.empty());
  CHECK(site.enabled);
  CHECK(site.errors.empty());
}

TEST_CASE("a site's values are those of variables that the job does not set") {
  const SiteSettings site = of(R"({"defaults": {"MPIGRAFT_WAIT": "native", "MPIGRAFT_ANSWER": 90}, "note": "ours"})");
  CHECK(site.errors.empty());
  CHECK(read_settings(unset, site).waiting == Waiting::native);
  CHECK(read_settings(unset, site).answer == 90);
  CHECK(read_settings(of_job, site).waiting == Waiting::patient);
  CHECK(read_settings(of_job, site).notes.empty());
}

TEST_CASE("a job cannot set what the site has fixed, and is told so") {
  const SiteSettings site =
      of(R"({"defaults": {"MPIGRAFT_WAIT": "native"}, "fixed": ["MPIGRAFT_WAIT", "MPIGRAFT_SHARED"]})");
  const Settings settings = read_settings(of_job, site);
  CHECK(settings.waiting == Waiting::native);
  CHECK(settings.shared);
  CHECK(settings.errors.empty());
  REQUIRE(settings.notes.size() == 2);
  CHECK(settings.notes[0] == "MPIGRAFT_SHARED: " + site.origin + " fixes it; the job's value is not used");
  const auto as_fixed = [](const char* name) { return std::string_view(name) == "MPIGRAFT_WAIT" ? "native" : nullptr; };
  CHECK(read_settings(as_fixed, site).notes.empty());
  CHECK(settings.notes[1] == "MPIGRAFT_WAIT: " + site.origin + " fixes it to \"native\"; the job's value is not used");
}

TEST_CASE("a site switches mpigraft off, whatever the job sets") {
  const SiteSettings site = of(R"({"enabled": false, "defaults": {"MPIGRAFT_TIMEOUT": "60"}})");
  for (const auto get : {unset, of_job}) {
    const Settings settings = read_settings(get, site);
    CHECK_FALSE(settings.enabled);
    CHECK_FALSE(ask_to_watch(settings));
    CHECK(settings.waiting == Waiting::as_oversubscribed);
  }
}

TEST_CASE("a job's own switch needs no site") {
  const SiteSettings site = of("{");
  const auto disabled = [](const char* name) { return std::string_view(name) == "MPIGRAFT_DISABLE" ? "1" : nullptr; };
  CHECK(read_settings(disabled, site).errors.empty());
}

TEST_CASE("defects of a site's file name place and remedy, and make calls native") {
  const auto error = [](const char* text) {
    const SiteSettings site = of(text);
    CHECK(read_settings(unset, site).errors == site.errors);
    return site.errors.size() == 1 ? site.errors[0] : std::to_string(site.errors.size()) + " errors";
  };
  CHECK(error("[]") == "1:1: expected an object, found an array");
  CHECK(error(R"({"enable": false})") == R"(1:2: /enable: unknown key "enable"; did you mean "enabled"?)");
  CHECK(error(R"({"enabled": "no"})") == "1:13: /enabled: expected a boolean, found a string");
  CHECK(error(R"({"defaults": {"MPIGRAFT_WAITS": "native"}})") ==
        R"(1:33: /defaults/MPIGRAFT_WAITS: unknown variable "MPIGRAFT_WAITS"; did you mean "MPIGRAFT_WAIT"?)");
  CHECK(
      error(R"({"defaults": {"MPIGRAFT_DISABLE": "1"}})") ==
      R"(1:35: /defaults/MPIGRAFT_DISABLE: "MPIGRAFT_DISABLE" belongs to the job; write "enabled": false for all jobs)");
  CHECK(error(R"({"defaults": {"MPIGRAFT_CHECK": true}})") ==
        "1:33: /defaults/MPIGRAFT_CHECK: expected a string, found a boolean");
  CHECK(error(R"({"fixed": ["MPIGRAFT_WAIT", 3]})") == "1:29: /fixed/1: expected a string, found an integer");
  CHECK(error(R"({"fixed": ["MPIGRAFT_WAITS"]})").starts_with("1:12: /fixed/0: unknown variable"));
  CHECK(
      error(R"({"defaults": []})").starts_with("1:14: /defaults: expected an object, found an array; write one such"));
  CHECK(error(R"({"fixed": {}})").starts_with("1:11: /fixed: expected an array, found an object; write one such"));
  CHECK(error("{\n// off\n}").starts_with("2:1: "));
  CHECK(read_site_settings("/").errors == std::vector<std::string>{"/: is a directory; name the table in it"});
}

TEST_CASE("a wrong value of the site's is told as the site's") {
  const SiteSettings site = of(R"({"defaults": {"MPIGRAFT_WAIT": "never"}})");
  const Settings settings = read_settings(unset, site);
  REQUIRE(settings.errors.size() == 1);
  CHECK(settings.errors[0] ==
        site.origin + ": MPIGRAFT_WAIT: \"never\" is not known; write auto, native or patient, or unset it");
}
