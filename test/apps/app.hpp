// SPDX-License-Identifier: MIT
// What the programs share. Each checks its own result, and rank 0 prints the outcome. The mini programs take a number
// of steps. The applications have distributed sequences, and one run with options and timed steps.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace app {

inline int rank() {
  int own = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  return own;
}

inline int ranks() {
  int all = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return all;
}

/// Neighbours on a line, or nobody.
inline int left_neighbour() { return rank() > 0 ? rank() - 1 : MPI_PROC_NULL; }
inline int right_neighbour() { return rank() + 1 < ranks() ? rank() + 1 : MPI_PROC_NULL; }

/// Begins a program. Returns the number of steps on its command line, or `usual`.
inline int start(int argc, char** argv, int usual) {
  MPI_Init(&argc, &argv);
  return argc > 1 ? std::atoi(argv[1]) : usual;
}

/// True at rank 0 if the result is right on every rank.
inline bool all_right(int right) {
  int all = 0;
  MPI_Reduce(&right, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  return all;
}

/// Ends a program. Returns its exit code, which is 0 if the result is right on every rank.
inline int end(const char* name, bool right) {
  const bool is_first = rank() == 0, all = all_right(right);
  if (is_first) std::printf("%s: %s\n", name, all ? "right" : "WRONG");
  MPI_Finalize();
  return is_first && !all;
}

/// The items of a sequence that one rank holds, from an index on.
template <class T>
struct Part {
  long first;
  std::vector<T> items;
};

/// Distribution of a sequence: rank r holds the indices from starts[r] to before starts[r + 1], which can be none.
class Blocks {
 public:
  explicit Blocks(std::vector<long> starts) : starts_(std::move(starts)) {}
  /// The most even distribution; the first ranks are empty if there are fewer items than ranks.
  explicit Blocks(long items) {
    for (long r = 0; r <= ranks(); ++r) starts_.push_back(r * items / ranks());
  }

  long first() const { return starts_[rank()]; }
  long count() const { return starts_[rank() + 1] - first(); }
  int owner(long index) const {
    return static_cast<int>(std::ranges::upper_bound(starts_, index) - starts_.begin()) - 1;
  }

  template <class T>
  std::vector<T> own(const std::vector<T>& whole) const {
    return {whole.begin() + first(), whole.begin() + first() + count()};
  }

 private:
  std::vector<long> starts_;
};

/// An MPI datatype for T: its bytes.
template <class T>
class Type {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Type() {
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  Type(const Type&) = delete;
  ~Type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// An MPI operator for a function T combine(T of_lower_ranks, T of_higher_ranks).
template <class T, auto combine>
class Operator {
 public:
  explicit Operator(bool commutes) { MPI_Op_create(combine_all, commutes, &op_); }
  Operator(const Operator&) = delete;
  ~Operator() { MPI_Op_free(&op_); }
  operator MPI_Op() const { return op_; }

 private:
  static void combine_all(void* lower, void* higher, int* count, MPI_Datatype*) {
    const T* from = static_cast<const T*>(lower);
    T* to = static_cast<T*>(higher);
    std::transform(from, from + *count, to, to, combine);
  }
  MPI_Op op_;
};

/// The values of all ranks before this one, combined; `none` on rank 0, where MPI leaves them undefined.
template <class T>
std::vector<T> before(const std::vector<T>& own, MPI_Datatype type, MPI_Op op, const T& none) {
  std::vector<T> combined(own.size(), none);
  MPI_Exscan(own.data(), combined.data(), static_cast<int>(own.size()), type, op, MPI_COMM_WORLD);
  if (rank() == 0) std::ranges::fill(combined, none);
  return combined;
}

inline long sum_before(long own) { return before<long>({own}, MPI_LONG, MPI_SUM, 0).front(); }

inline long sum_of_all(long own) {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return own;
}

/// Sends the items to[r] to rank r, for all r; returns those from all ranks, in the order of the ranks.
template <class T>
std::vector<T> exchange(const std::vector<std::vector<T>>& to) {
  const Type<T> type;
  std::vector<int> sent(to.size()), places(to.size()), counts(to.size()), their_places(to.size());
  std::ranges::transform(to, sent.begin(), [](const auto& items) { return static_cast<int>(items.size()); });
  MPI_Alltoall(sent.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(sent.begin(), sent.end(), places.begin(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), their_places.begin(), 0);
  std::vector<T> out, in(std::reduce(counts.begin(), counts.end()));
  for (const auto& items : to) out.insert(out.end(), items.begin(), items.end());
  MPI_Alltoallv(out.data(), sent.data(), places.data(), type, in.data(), counts.data(), their_places.data(), type,
                MPI_COMM_WORLD);
  return in;
}

/// Sends items[i] to the owner of indices[i]; returns this rank's part of the sequence that they make.
template <class T>
Part<T> place(const Blocks& blocks, const std::vector<T>& items, const std::vector<long>& indices) {
  struct Placed {
    long index;
    T item;
  };
  std::vector<std::vector<Placed>> to(ranks());
  for (std::size_t i = 0; i < items.size(); ++i) to[blocks.owner(indices[i])].push_back({indices[i], items[i]});
  Part<T> part{blocks.first(), std::vector<T>(blocks.count())};
  for (const Placed& placed : exchange(to)) part.items[placed.index - part.first] = placed.item;
  return part;
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

  /// Calls prepare(k) and, on the clock, step(k) for each k of --steps. It returns this rank's part of a result, which
  /// must be the vector `expected`. Returns the exit code.
  template <class Step, class T>
  int judge(
      Step step, const std::vector<T>& expected, const std::function<void(long)>& prepare = [](long) {}) {
    int right = 1;
    double seconds = 0;
    for (long k = 0; k < number("steps"); ++k) {
      prepare(k);
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      const auto part = step(k);
      seconds += MPI_Wtime() - begin;
      const long count = static_cast<long>(part.items.size()), all = static_cast<long>(expected.size());
      right = sum_of_all(count) == all && right && part.first + count <= all &&
              std::equal(part.items.begin(), part.items.end(), expected.begin() + part.first);
    }
    return tell(right, seconds);
  }

 private:
  void set(const std::string& option, const std::string& value) {
    const auto known = options_.find(option.starts_with("--") ? option.substr(2) : "");
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    if (known == options_.end() ||
        (known->second.size() == 1 ? !is_number : !std::ranges::count(known->second, value))) {
      if (rank() == 0)
        std::fprintf(stderr, "%s: not understood: %s %s\n", name_.c_str(), option.c_str(), value.c_str());
      MPI_Finalize();
      std::exit(2);
    }
    auto& values = known->second;
    if (values.size() > 1) std::swap(values.front(), *std::ranges::find(values, value));
    if (values.size() == 1) values.front() = value;
  }

  int tell(int right, double seconds) const {
    const bool all = all_right(right);
    double longest = 0;
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank() != 0) return 0;
    std::string title = name_;
    for (const auto& [option, values] : options_) title += values.size() > 1 ? " " + values.front() : "";
    std::printf("%s: size %ld, ranks %d, %s, seconds %.6f\n", title.c_str(), number("size"), ranks(),
                all ? "right" : "WRONG", longest);
    return !all;
  }

  std::string name_;
  Options options_;
};

}  // namespace app
