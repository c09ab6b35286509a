// SPDX-License-Identifier: MIT
// What the library writes at a job's end, where memory may be short.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "config/report/report.hpp"
#include "config/table/table.hpp"

namespace {

std::int64_t allocations_left = -1;  // negative: any number

/// Calls `write` with ever more memory, until it is enough. Without enough it throws, and nothing ends the program.
template <class F>
std::string with_ever_more_memory(F write) {
  for (std::int64_t enough = 0;; ++enough) {
    allocations_left = enough;
    try {
      std::string text = write();
      allocations_left = -1;
      return text;
    } catch (const std::bad_alloc&) {
      allocations_left = -1;
    }
  }
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = allocations_left == 0 ? nullptr : std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  return memory;
}
/// Under a sanitizer, its own would not go with our delete.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace mpigraft {

TEST_CASE("a table or a report that memory is too short for is not written, and the program goes on") {
  const table::Table table =
      table::parse_table(R"({"version": 1, "machine": {"latency": "2us"}, "requires": {"host": "n*"}, "scratch": "1M",
    "rules": [{"collective": "scan", "algorithm": "two_tree", "bytes": {"max": "64K"}, "note": "longer than a few bytes"},
              {"collective": "exscan", "algorithm": "k_ported", "ports": 3, "ranks": {"min": 2, "max": 5}}]})")
          .table;
  REQUIRE(table.rules.size() == 2);
  CHECK(with_ever_more_memory([&] { return canonical(table); }) == canonical(table));
  report::JobReport report;
  report.rows.emplace_back().reason = "a rule that is longer than a few bytes";
  report.jobs.emplace_back().program = "a program of a name that is longer than a few bytes";
  CHECK(with_ever_more_memory([&] { return json_of(report); }) == json_of(report));
}

}  // namespace mpigraft
