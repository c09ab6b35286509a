// SPDX-License-Identifier: MIT
// Where a table is in force.
#include "config/table/table_file.hpp"

#include <catch2/catch.hpp>

#include "config/table/interface.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

constexpr const char* mpich = "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n";

std::string problem(const std::string& mpi, const std::string& host) {
  return why_not_in_force("t", {mpi, host}, surroundings(mpich, "node17.site"));
}

}  // namespace

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

TEST_CASE("the version tells whether ranks spin while they wait in a library") {
  CHECK(waits_spin("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7"));
  CHECK(waits_spin("MPICH Version:"));
  CHECK(waits_spin("Intel(R) MPI Library 2021.11 for Linux* OS"));
  CHECK_FALSE(waits_spin("MPICH Version:      5.0.2\n"));
  CHECK_FALSE(waits_spin("MPICH Version:      10.1"));
  CHECK_FALSE(waits_spin("Open MPI v4.1.4, package: Debian"));
}
