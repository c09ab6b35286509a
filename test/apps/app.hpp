// SPDX-License-Identifier: MIT
// One run of an application in C++: its options, its timed steps, their check, and the line that rank 0 prints.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "exchange.hpp"

namespace app {

/// A digest of some items of a sequence. Digests of parts add up, so the sum is the same for every distribution.
template <class T>
std::uint64_t digest(long first, const std::vector<T>& items) {
  static_assert(std::has_unique_object_representations_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);
  std::uint64_t sum = 0, words[sizeof(T) / sizeof(std::uint64_t)];
  for (const T& item : items) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ static_cast<std::uint64_t>(first++);
    std::memcpy(words, &item, sizeof(T));
    for (const std::uint64_t word : words) hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15u, 29);
    sum += hash * (hash >> 32 | 1);
  }
  return sum;
}

/// One run of an application, from MPI_Init to MPI_Finalize.
class Run {
 public:
  /// An option with one value takes numbers, one with several values these words; the first value is the default.
  using Options = std::map<std::string, std::vector<std::string>>;

  Run(int argc, char** argv, std::string name, Options options) : name_(std::move(name)), options_(std::move(options)) {
    MPI_Init(&argc, &argv);
    options_.insert({{"seed", {"1"}}, {"split", {"even", "uneven", "last"}}});
    for (int i = 1; i < argc; i += 2) set(argv[i], i + 1 < argc ? argv[i + 1] : "");
  }
  Run(const Run&) = delete;
  ~Run() { MPI_Finalize(); }

  const std::string& word(const std::string& option) const { return options_.at(option).front(); }
  long number(const std::string& option) const { return std::atol(word(option).c_str()); }
  std::mt19937_64 random(long stream = 0) const { return std::mt19937_64(number("seed") * 1000003u + stream); }

  /// A distribution of the input by --split: even, every third rank with none, or everything on the last rank.
  Blocks blocks(long items) const {
    std::vector<long> starts(ranks() + 1, word("split") == "last" ? 0 : items);
    if (word("split") == "even") return Blocks(items);
    if (word("split") == "uneven") {
      auto next = random(-1);
      std::ranges::generate(starts, [&] { return static_cast<long>(next() % (items + 1)); });
      std::ranges::sort(starts);
      for (int r = 1; r < ranks(); r += 3) starts[r] = starts[r - 1];
    }
    starts.front() = 0;
    starts.back() = items;
    return Blocks(starts);
  }

  /// Calls step(k) on the clock, for each k of --steps. It returns this rank's part of a result, which must be the
  /// vector expected(k); that is not on the clock. Returns the exit code.
  template <class Step, class Expected>
  int judge(Step step, Expected expected) {
    int right = 1;
    double seconds = 0;
    std::uint64_t own = 0, wanted = 0;
    for (long k = 0; k < number("steps"); ++k) {
      const auto& whole = expected(k);
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      const auto part = step(k);
      seconds += MPI_Wtime() - begin;
      const long end = part.first + static_cast<long>(part.items.size());
      right = right && end <= static_cast<long>(whole.size()) &&
              std::equal(part.items.begin(), part.items.end(), whole.begin() + part.first);
      own += digest(part.first, part.items);
      if (rank() == 0) wanted += digest(0, whole);  // only there it is compared
    }
    return tell(right, own, wanted, seconds);
  }

 private:
  void set(const std::string& option, const std::string& value) {
    const auto known = options_.find(option.starts_with("--") ? option.substr(2) : "");
    long number = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == value.data() + value.size() && number >= 0;
    if (known == options_.end() || (known->second.size() == 1 ? !is_number : !std::ranges::count(known->second, value)))
      refuse(option + " " + value);
    auto& values = known->second;
    if (values.size() > 1) std::swap(values.front(), *std::ranges::find(values, value));
    if (values.size() == 1) values.front() = value;
  }

  [[noreturn]] void refuse(const std::string& wrong) const {
    std::string usage = name_ + ": not understood: " + wrong + "; options are";
    for (const auto& [option, values] : options_) {
      usage += " --" + option + (values.size() == 1 ? " NUMBER" : "");
      for (std::size_t i = 0; values.size() > 1 && i < values.size(); ++i) usage += (i ? "|" : " ") + values[i];
    }
    if (rank() == 0) std::fprintf(stderr, "%s\n", usage.c_str());
    MPI_Finalize();
    std::exit(2);
  }

  int tell(int right, std::uint64_t own, std::uint64_t wanted, double seconds) const {
    int all_right = 0;
    std::uint64_t all = 0;
    double longest = 0;
    MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank() != 0) return 0;
    std::string title = name_;
    for (const auto& [option, values] : options_) title += values.size() > 1 ? " " + values.front() : "";
    all_right = all_right && all == wanted;
    std::printf("%s: size %ld, ranks %d, digest %016llx, %s, seconds %.6f\n", title.c_str(), number("size"), ranks(),
                static_cast<unsigned long long>(all), all_right ? "right" : "WRONG", longest);
    return !all_right;
  }

  std::string name_;
  Options options_;
};

}  // namespace app
