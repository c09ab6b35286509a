// SPDX-License-Identifier: MIT
// The file of a table: where it comes from, and where it is in force.
#include "config/table/table_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/table/interface.hpp"
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

/// All that is known of a file.
std::string words(const TableFile& file) { return file.origin + '|' + file.text + '|' + file.error; }

constexpr const char* mpich = "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n";

std::string problem(const std::string& mpi, const std::string& host) {
  return why_not_in_force("t", {mpi, host}, surroundings(mpich, "node17.site"));
}

}  // namespace

TEST_CASE("the environment wins over the site, the site over the embedded table") {
  const Folder folder;
  const std::string named = folder.file("named", "1"), site = folder.file("site", "2");
  CHECK(words(read_table_file(named, site)) == named + "|1|");
  CHECK(words(read_table_file("", site)) == site + "|2|");
  for (const std::string& absent : {folder.path + "/absent", folder.path + "/absent/absent", named + "/table.json"})
    CHECK(words(read_table_file("", absent)) == "embedded|" + std::string(default_table_text()) + '|');
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
  const std::string irregular = "is not a regular file; copy it into one";
  for (const auto& [path, problem] :
       {std::pair{pipe, irregular}, {folder.path, "is a directory; name the file in it"}, {"/dev/zero", irregular}}) {
    CHECK(read_table(path).error == path + ": " + problem);
    CHECK(read_table_file("", path).error == path + ": " + problem);
  }
  std::filesystem::create_symlink(folder.file("table", "3"), link);
  CHECK(read_table(link).text == "3");
}

TEST_CASE("a file that exists but may not be read is an error, not the embedded table") {
  const Folder folder;
  const std::string dangling = folder.path + "/loop";
  std::filesystem::create_symlink(dangling, dangling);
  CHECK(words(read_table_file("", dangling)) ==
        dangling + "||" + dangling + ": Too many levels of symbolic links; check the path and its permissions");
}

TEST_CASE("files are read whole up to the limit") {
  const Folder folder;
  const std::string largest(max_table_bytes, ' ');
  CHECK(read_table(folder.file("full", largest)).text == largest);
  const std::string larger = folder.file("larger", largest + ' ');
  CHECK(read_table(larger).error == larger + ": is larger than 1 MiB; use ranges to merge rules");
  CHECK(words(read_table(folder.file("empty", ""))) == folder.path + "/empty||");
}

TEST_CASE("the first line of the library's version counts, one blank between its words") {
  CHECK(surroundings(mpich, "h").mpi == "MPICH Version: 4.0.2");
  CHECK(surroundings("MPI VERSION    : CRAY MPICH version 8.1.25 (ANL base 3.4a2)\r\nBUILD", "h").mpi ==
        "MPI VERSION : CRAY MPICH version 8.1.25 (ANL base 3.4a2)");
  CHECK(surroundings("  \t", "h").mpi.empty());
  CHECK(surroundings("", "h").host == "h");
}

TEST_CASE("patterns are those of the shell, for the whole text") {
  for (const char* pattern :
       {"", "*", "MPICH Version: 4.0.2", "MPICH*", "*4.0*", "MPICH Version: 4.[0-1].?", "* 4.[!1]*"})
    CHECK(problem(pattern, "").empty());
  for (const char* pattern : {"MPICH", "4.0.2", "mpich*", "MPICH Version: 4.1*", "MPICH Version:\t4.0.2"})
    CHECK_FALSE(problem(pattern, "").empty());
  CHECK(problem("", "node*").empty());
  CHECK(problem("", "*.site").empty());
  CHECK_FALSE(problem("", "node").empty());
  CHECK(problem("", "").empty());
}

TEST_CASE("one sentence says what was found and what is asked for") {
  CHECK(problem("Open MPI*", "login*") ==
        "t: the MPI library is \"MPICH Version: 4.0.2\", the table requires \"Open MPI*\"");
  CHECK(problem("MPICH*", "login*") == "t: the host is \"node17.site\", the table requires \"login*\"");
  CHECK(why_not_in_force("t", {"", "a\n"}, {"", "b\x1b\x7f"}) ==
        R"(t: the host is "b\x1b\x7f", the table requires "a\x0a")");
}

TEST_CASE("requirements are read and described") {
  const ParsedTable parsed = parse_table(R"({"version": 1, "requires": {"host": "n*", "mpi": "MPICH*"}, "rules": []})");
  CHECK(parsed.findings.empty());
  CHECK(parsed.table.required.any());
  CHECK(describe(parsed.table.required) == "mpi \"MPICH*\", host \"n*\"");
  CHECK(describe(Requirements{"", "n*"}) == "host \"n*\"");
  CHECK_FALSE(parse_table(R"({"version": 1, "requires": {}, "rules": []})").table.required.any());
  CHECK(parse_table(R"({"version": 1, "requires": {}, "rules": []})").findings.empty());
}

TEST_CASE("the version tells whether ranks spin while they wait in a library") {
  CHECK(waits_spin("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7"));
  CHECK(waits_spin("MPICH Version:"));
  CHECK(waits_spin("Intel(R) MPI Library 2021.11 for Linux* OS"));
  CHECK_FALSE(waits_spin("MPICH Version:      5.0.2\n"));
  CHECK_FALSE(waits_spin("MPICH Version:      10.1"));
  CHECK_FALSE(waits_spin("Open MPI v4.1.4, package: Debian"));
}
