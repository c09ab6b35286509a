// SPDX-License-Identifier: MIT
#include "config/table/table_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

/// A folder that is gone after the test. It is where the test runs: TMPDIR may name what is not there.
struct Folder {
  std::string path = (std::filesystem::current_path() / "mpigraft-XXXXXX").string();

  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path + '/' + name) << text;
    return path + '/' + name;
  }
};

}  // namespace

TEST_CASE("the environment wins over the site, the site over the embedded table") {
  const Folder folder;
  const std::string named = folder.file("named", "1"), site = folder.file("site", "2");
  const TableFile from_environment = read_table_file(named, site);
  CHECK(from_environment.error.empty());
  CHECK(from_environment.origin == named);
  CHECK(from_environment.text == "1");
  const TableFile from_site = read_table_file("", site);
  CHECK(from_site.origin == site);
  CHECK(from_site.text == "2");
  for (const std::string& absent : {folder.path + "/absent", folder.path + "/absent/absent", named + "/table.json"}) {
    const TableFile embedded = read_table_file("", absent);
    CHECK(embedded.error.empty());
    CHECK(embedded.origin == "embedded");
    CHECK(embedded.text == default_table_text());
  }
}

TEST_CASE("a table that is named has to be there") {
  const Folder folder;
  const std::string absent = folder.path + "/absent";
  CHECK(read_table_file(absent, folder.file("site", "2")).error ==
        absent + ": No such file or directory; check the path and its permissions");
  CHECK_FALSE(read_table("").error.empty());
}

TEST_CASE("only regular files are read, from the site as well") {
  const Folder folder;
  const std::string pipe = folder.path + "/pipe", link = folder.path + "/link";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_table(pipe).error == pipe + ": is not a regular file; copy the table into one");
  CHECK(read_table_file("", pipe).error == pipe + ": is not a regular file; copy the table into one");
  CHECK(read_table(folder.path).error == folder.path + ": is a directory; name the table in it");
  CHECK(read_table_file("", folder.path).error == folder.path + ": is a directory; name the table in it");
  CHECK(read_table("/dev/zero").error == "/dev/zero: is not a regular file; copy the table into one");
  std::filesystem::create_symlink(folder.file("table", "3"), link);
  CHECK(read_table(link).text == "3");
}

TEST_CASE("a file that exists but may not be read is an error, not the embedded table") {
  const Folder folder;
  const std::string dangling = folder.path + "/loop";
  std::filesystem::create_symlink(dangling, dangling);
  const TableFile file = read_table_file("", dangling);
  CHECK(file.error == dangling + ": Too many levels of symbolic links; check the path and its permissions");
  CHECK(file.text.empty());
}

TEST_CASE("files are read whole up to the limit") {
  const Folder folder;
  const std::string largest(max_table_bytes, ' ');
  CHECK(read_table(folder.file("full", largest)).text == largest);
  const std::string larger = folder.file("larger", largest + ' ');
  CHECK(read_table(larger).error == larger + ": is larger than 1 MiB; merge rules");
  const TableFile empty = read_table(folder.file("empty", ""));
  CHECK(empty.error.empty());
  CHECK(empty.text.empty());
}
