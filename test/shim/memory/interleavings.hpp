// SPDX-License-Identifier: MIT
// Threads that meet in words (atomic, as a protocol uses them) and in plain memory. As the C++ memory model asks, the
// words' acquire and release must order every two accesses to plain memory, whatever the order in which they happened
// to run. A few short threads are tried in all interleavings, many long ones in one that stands for all.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpigraft::interleavings {

inline constexpr std::size_t max_threads = 16;
using Clock = std::array<std::uint32_t, max_threads>;  // of each thread, so many steps are known of (Lamport, Mattern)

inline bool covers(const Clock& clock, const Clock& other) {
  return std::ranges::equal(clock, other, std::greater_equal());
}
inline void join(Clock& clock, const Clock& other) {
  std::ranges::transform(clock, other, clock.begin(), std::ranges::max);
}

/// The values of a word, the last of them now, and what was known where each was released.
struct Store {
  std::uint64_t value = 0;
  Clock released{};
};
using Stores = std::vector<Store>;

/// One execution: the threads as they follow a schedule, and what is wrong.
class Execution {
 public:
  using Threads = std::vector<std::function<void()>>;

  /// With `stands_for_all`, a thread does not pause before each step, but only where it awaits a word.
  explicit Execution(bool stands_for_all = false) : stands_for_all(stands_for_all) { running_ = this; }
  static Execution& current() { return *running_; }

  /// Starts the threads; each runs up to its first pause.
  void launch(Threads threads) {
    threads_ = std::move(threads);
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      Fiber& fiber = fibers_.emplace_back();
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.data();
      fiber.context.uc_stack.ss_size = fiber.stack.size();
      fiber.context.uc_link = &scheduler_;
      makecontext(&fiber.context, &Execution::enter, 0);
      go_on(t);
    }
  }
  /// Lets thread `t`, which is not over, go on to its next pause.
  void go_on(std::size_t t) {
    active_ = t;
    swapcontext(&scheduler_, &fibers_[t].context);
  }
  std::size_t threads() const { return threads_.size(); }
  bool over(std::size_t t) const { return fibers_[t].over; }
  bool all_over() const { return std::ranges::all_of(fibers_, &Fiber::over); }
  /// The number of steps that the threads have made.
  std::size_t steps() const {
    std::size_t all = 0;
    for (std::size_t t = 0; t < threads(); ++t) all += fibers_[t].clock[t];
    return all;
  }
  /// Everything that decides what can follow.
  std::string state() const;
  std::string problem;  // the first one
  const bool stands_for_all;

  // The steps of a thread: accesses to plain memory, and to words.
  void read(const void* place, int expected) {
    Place& p = places_[place];
    step([&] { return p.value; });
    expect(covers(clock(), p.written), "read while it may be written");
    expect(p.value == expected, "read something else");
    p.read[active_] = clock()[active_];
  }
  void write(const void* place, int value) {
    Place& p = places_[place];
    step([] { return 0; });
    expect(covers(clock(), p.written), "written while it may be written");
    expect(covers(clock(), p.read), "written while it may be read");
    p.value = value;
    p.written[active_] = clock()[active_];
  }
  void add(const Stores& word) { words_.push_back(&word); }
  std::uint64_t load(const Stores& word, std::memory_order order) {
    step([&] { return word.back().value; });
    if (order == std::memory_order_acquire) join(clock(), word.back().released);
    return word.back().value;
  }
  std::uint64_t await(const Stores& word, std::uint64_t least);
  void store(Stores& word, std::uint64_t value, std::memory_order order) {
    step([] { return 0; });
    expect(!stands_for_all || value >= word.back().value, "goes back");
    word.push_back({value, order == std::memory_order_release ? clock() : Clock{}});
  }

  /// Makes a thread's try again and again until `succeeds()`. One in vain leaves no trace, so that it need not be made
  /// twice in the same state.
  void until(auto succeeds) {
    for (;;) {
      const auto history = fibers_[active_].history;
      const Clock before = clock();
      if (succeeds()) return;
      fibers_[active_].history = history, clock() = before;
    }
  }
  void expect(bool held, const char* otherwise) {
    if (!held && problem.empty()) problem = otherwise;
  }

 private:
  struct Fiber {
    ucontext_t context{};
    std::array<char, 32768> stack;
    bool over = false;
    std::uint64_t history = 0;  // what it has done and read
    Clock clock{};
  };
  struct Place {
    int value = 0;
    Clock written{}, read{};
  };

  static void enter() {
    running_->threads_[running_->active_]();
    running_->fibers_[running_->active_].over = true;
  }
  Clock& clock() { return fibers_[active_].clock; }
  void pause() { swapcontext(&fibers_[active_].context, &scheduler_); }
  /// Begins the thread's next step, in which it sees what `seen` tells then.
  void step(auto seen) {
    if (!stands_for_all) pause();
    Fiber& fiber = fibers_[active_];
    fiber.history = (fiber.history ^ (static_cast<std::uint64_t>(seen()) + 1)) * 0x9e3779b97f4a7c15ULL;
    fiber.history ^= fiber.history >> 29;
    ++fiber.clock[active_];
  }

  static inline Execution* running_ = nullptr;
  Threads threads_;
  std::deque<Fiber> fibers_;
  ucontext_t scheduler_{};
  std::size_t active_ = 0;
  std::vector<const Stores*> words_;
  std::map<const void*, Place> places_;
};

/// Waits until a word that never decreases has come to `least`. In the execution that stands for all, the thread learns
/// what the first store that suffices has released, and nothing of later ones: whichever it sees in another
/// interleaving, of the same thread, has no less before it.
inline std::uint64_t Execution::await(const Stores& word, std::uint64_t least) {
  const auto before = [](std::uint64_t a, std::uint64_t b) { return static_cast<std::int64_t>(a - b) < 0; };
  if (!stands_for_all) {
    until([&] { return !before(load(word, std::memory_order_acquire), least); });
    return word.back().value;
  }
  while (before(word.back().value, least)) pause();
  step([] { return 0; });
  join(clock(), std::ranges::lower_bound(word, least, before, &Store::value)->released);
  return least;
}

inline std::string Execution::state() const {
  std::string all;
  const auto add = [&](const auto& value) { all.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto add_clock = [&](const Clock& clock) {
    all.append(reinterpret_cast<const char*>(clock.data()), threads() * sizeof clock[0]);
  };
  for (const Fiber& fiber : fibers_) add(fiber.over), add(fiber.history), add_clock(fiber.clock);
  for (const Stores* word : words_) add(word->back().value), add_clock(word->back().released);
  for (const auto& [at, place] : places_) add(at), add(place.value), add_clock(place.written), add_clock(place.read);
  return all;
}

/// In place of std::atomic<Value>.
template <class Value>
class WordOf {
 public:
  WordOf() { Execution::current().add(stores_); }
  Value load(std::memory_order order) const { return static_cast<Value>(Execution::current().load(stores_, order)); }
  Value await(Value least) const { return static_cast<Value>(Execution::current().await(stores_, least)); }
  void store(Value value, std::memory_order order) { Execution::current().store(stores_, value, order); }

 private:
  Stores stores_ = Stores(1);
};

/// A word whose stores do not release what was written before.
template <class Word>
struct Relaxed : Word {
  void store(auto value, std::memory_order) { Word::store(value, std::memory_order_relaxed); }
};

struct Outcome {
  std::string problem;     // empty: none in any interleaving
  int ends = 0;            // states in which all threads are over
  std::size_t states = 0;  // or, of the execution that stands for all, steps

  bool is_well() const { return problem.empty() && ends > 0; }
};

/// All states, and for each those that it follows from.
struct Graph {
  std::map<std::string, std::size_t> number;
  std::vector<std::vector<std::size_t>> before;
  std::vector<std::size_t> ends;

  /// True if the threads can come to an end from every state.
  bool all_reach_an_end() const {
    std::vector<bool> reaches(before.size());
    std::vector<std::size_t> open = ends;
    std::size_t reaching = 0;
    while (!open.empty()) {
      const std::size_t state = open.back();
      open.pop_back();
      if (reaches[state]) continue;
      reaches[state] = true;
      ++reaching;
      open.insert(open.end(), before[state].begin(), before[state].end());
    }
    return reaching == before.size();
  }
};

/// Makes what the threads share, and the threads; for each execution anew, at the same addresses.
using Start = std::function<Execution::Threads()>;

/// Tries every interleaving.
inline Outcome explore(const Start& start) {
  struct Open {
    std::vector<std::size_t> schedule;
    std::size_t from;
  };
  Outcome outcome;
  Graph graph;
  std::vector<Open> open{{{}, 0}};
  while (!open.empty() && outcome.problem.empty()) {
    const Open next = std::move(open.back());
    open.pop_back();
    Execution execution;
    execution.launch(start());
    for (const std::size_t t : next.schedule) execution.go_on(t);
    outcome.problem = execution.problem;
    const auto [at, is_new] = graph.number.try_emplace(execution.state(), graph.number.size());
    if (is_new) graph.before.emplace_back();
    graph.before[at->second].push_back(next.from);
    if (!is_new) continue;
    if (execution.all_over()) graph.ends.push_back(at->second);
    for (std::size_t t = 0; t < execution.threads(); ++t) {
      if (execution.over(t)) continue;
      open.push_back({next.schedule, at->second});
      open.back().schedule.push_back(t);
    }
  }
  if (outcome.problem.empty() && !graph.all_reach_an_end()) outcome.problem = "waits for ever";
  outcome.ends = static_cast<int>(graph.ends.size());
  outcome.states = graph.number.size();
  return outcome;
}

/// Runs the execution that stands for all, if what the threads do depends on no value that they see: steps that are
/// ordered in it are so in every interleaving (Lamport 1978).
inline Outcome run_for_all(const Start& start) {
  Execution execution(true);
  execution.launch(start());
  for (std::size_t before = 0; execution.problem.empty() && execution.steps() != before;) {
    before = execution.steps();
    for (std::size_t t = 0; t < execution.threads(); ++t)
      if (!execution.over(t)) execution.go_on(t);
  }
  execution.expect(execution.all_over(), "waits for ever");
  return {.problem = execution.problem, .ends = execution.all_over(), .states = execution.steps()};
}

/// Starts so many threads on a System that is made of `arguments`; thread t is its run(t).
template <class System, class... Arguments>
Start start_of(int threads, const Arguments&... arguments) {
  return [=, system = std::make_shared<std::optional<System>>()] {
    system->emplace(arguments...);
    Execution::Threads all;
    for (int t = 0; t < threads; ++t) all.emplace_back([&one = **system, t] { one.run(t); });
    return all;
  };
}

}  // namespace mpigraft::interleavings
