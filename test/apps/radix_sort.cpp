// SPDX-License-Identifier: MIT
// Radix sort from the least significant digit on (Huang 2007, chapter VI.A), in which the records do move between
// ranks: a pass counts digits, scans the counters over the ranks, and sends each record to its place.
#include <array>

#include "app.hpp"

namespace {

constexpr int digit_bits = 8, digits = 1 << digit_bits;

/// A record. Its number tells records of equal keys apart, which must keep their order.
struct Record {
  std::uint32_t key, number;
  bool operator==(const Record&) const = default;
};

/// The place of this rank's first record with each digit: behind all smaller digits, and behind this digit of the ranks
/// before.
std::vector<long> first_places(const std::vector<long>& counts) {
  const std::vector<long> before = app::before<long>(counts, MPI_LONG, MPI_SUM, 0);
  std::vector<long> places(counts.size());
  MPI_Allreduce(counts.data(), places.data(), digits, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  std::exclusive_scan(places.begin(), places.end(), places.begin(), 0L);
  std::ranges::transform(places, before, places.begin(), std::plus<>());
  return places;
}

std::vector<Record> sort_by_digit(const app::Blocks& blocks, const std::vector<Record>& records, int shift) {
  const auto digit = [shift](const Record& record) { return record.key >> shift & (digits - 1); };
  std::vector<long> counts(digits), places;
  for (const Record& record : records) ++counts[digit(record)];
  counts = first_places(counts);
  for (const Record& record : records) places.push_back(counts[digit(record)]++);
  return app::place(blocks, records, places).items;
}

std::uint32_t key_of(const std::string& input, std::uint64_t random) {
  const auto key = static_cast<std::uint32_t>(random);
  if (input == "equal") return 7;
  return input == "skewed" ? key >> random % 33 % 32 : key;  // most of its keys are small
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(argc, argv, "radix_sort",
               {{"size", {"10000"}}, {"steps", {"3"}}, {"input", {"uniform", "skewed", "equal", "sorted"}}});
  std::vector<Record> records(run.number("size"));
  auto next = run.random();
  for (Record& record : records) record.key = key_of(run.word("input"), next());
  if (run.word("input") == "sorted") std::ranges::sort(records, {}, &Record::key);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].number = static_cast<std::uint32_t>(i);
  auto expected = records;
  std::ranges::stable_sort(expected, {}, &Record::key);
  const app::Blocks blocks = run.blocks(run.number("size"));
  const auto sort = [&](long) {
    std::vector<Record> own = blocks.own(records);
    for (int shift = 0; shift < 32; shift += digit_bits) own = sort_by_digit(blocks, own, shift);
    return app::Part<Record>{blocks.first(), own};
  };
  return run.judge(sort, expected);
}
