// SPDX-License-Identifier: MIT
// All interleavings of a few short threads, tried one after the other. Threads meet in words (atomic, as a protocol
// uses them) and in plain memory. As the C++ memory model asks, the words' acquire and release must order every two
// accesses to plain memory, whatever the order in which they happened to run.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpigraft::interleavings {

inline constexpr std::size_t max_threads = 3;
using Clock = std::array<std::uint32_t, max_threads>;  // of each thread, so many steps are known of (Lamport, Mattern)

inline bool covers(const Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < max_threads; ++i)
    if (clock[i] < other[i]) return false;
  return true;
}
inline void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < max_threads; ++i) clock[i] = std::max(clock[i], other[i]);
}

class SharedWord;

/// One execution: the threads as they follow a schedule, and what is wrong.
class Execution {
 public:
  using Threads = std::vector<std::function<void()>>;

  Execution() { running = this; }
  /// Starts the threads; each runs up to its first step.
  void launch(Threads threads);
  static Execution& current() { return *running; }

  /// Lets thread `t`, which is not over, make one step.
  void step(std::size_t t);
  std::size_t threads() const { return threads_.size(); }
  bool over(std::size_t t) const { return fibers_[t]->over; }
  /// Everything that decides what can follow.
  std::string state() const;
  std::string problem;  // the first one

  // called by the threads
  void pause();  // the next step begins
  void read(const void* place, int expected);
  void write(const void* place, int value);
  /// All that one attempt of a thread has seen, so that one that fails leaves no trace.
  struct Mark {
    std::uint64_t history;
    Clock clock;
  };
  Mark mark() const { return {fibers_[active_]->history, clock()}; }
  void forget(const Mark& mark) { fibers_[active_]->history = mark.history, fibers_[active_]->clock = mark.clock; }

 private:
  friend class SharedWord;
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

  static void enter();
  Clock& clock() { return fibers_[active_]->clock; }
  const Clock& clock() const { return fibers_[active_]->clock; }
  void tick(std::uint64_t seen);

  static inline Execution* running = nullptr;
  Threads threads_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  ucontext_t scheduler_{};
  std::size_t active_ = 0;
  std::vector<const SharedWord*> words_;
  std::map<const void*, Place> places_;
};

class SharedWord {
 protected:
  SharedWord() { Execution::current().words_.push_back(this); }
  std::uint64_t load_value(std::memory_order order) const;
  void store_value(std::uint64_t value, std::memory_order order);

 private:
  friend class Execution;
  std::uint64_t value_ = 0;
  Clock released_{};
};

/// In place of std::atomic<Value>.
template <class Value>
class WordOf : SharedWord {
 public:
  Value load(std::memory_order order) const { return static_cast<Value>(load_value(order)); }
  void store(Value value, std::memory_order order) { store_value(value, order); }
};
using Word = WordOf<std::uint32_t>;

/// A word whose stores do not release what was written before.
template <class Word>
struct Relaxed : Word {
  void store(auto value, std::memory_order) { Word::store(value, std::memory_order_relaxed); }
};

/// Tries until `succeeds()`. A try in vain leaves no trace, so that it need not be tried twice in the same state.
void until(auto succeeds) {
  for (;;) {
    const auto mark = Execution::current().mark();
    if (succeeds()) return;
    Execution::current().forget(mark);
  }
}

inline void Execution::launch(Threads threads) {
  threads_ = std::move(threads);
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    Fiber& fiber = *fibers_.emplace_back(std::make_unique<Fiber>());
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = &scheduler_;
    makecontext(&fiber.context, &Execution::enter, 0);
    step(t);
  }
}

inline void Execution::enter() {
  running->threads_[running->active_]();
  running->fibers_[running->active_]->over = true;
}

inline void Execution::step(std::size_t t) {
  active_ = t;
  swapcontext(&scheduler_, &fibers_[t]->context);
}

inline void Execution::pause() { swapcontext(&fibers_[active_]->context, &scheduler_); }

inline void Execution::tick(std::uint64_t seen) {
  Fiber& fiber = *fibers_[active_];
  fiber.history = (fiber.history ^ (seen + 1)) * 0x9e3779b97f4a7c15ULL;
  fiber.history ^= fiber.history >> 29;
  ++fiber.clock[active_];
}

inline void Execution::read(const void* place, int expected) {
  pause();
  Place& p = places_[place];
  tick(static_cast<std::uint64_t>(p.value));
  if (problem.empty() && !covers(clock(), p.written)) problem = "read while it may be written";
  if (problem.empty() && p.value != expected) problem = "read something else";
  p.read[active_] = clock()[active_];
}

inline void Execution::write(const void* place, int value) {
  pause();
  Place& p = places_[place];
  tick(0);
  if (problem.empty() && !covers(clock(), p.written)) problem = "written while it may be written";
  if (problem.empty() && !covers(clock(), p.read)) problem = "written while it may be read";
  p.value = value;
  p.written[active_] = clock()[active_];
}

inline std::uint64_t SharedWord::load_value(std::memory_order order) const {
  Execution& e = Execution::current();
  e.pause();
  e.tick(value_);
  if (order == std::memory_order_acquire) join(e.clock(), released_);
  return value_;
}

inline void SharedWord::store_value(std::uint64_t value, std::memory_order order) {
  Execution& e = Execution::current();
  e.pause();
  e.tick(0);
  value_ = value;
  released_ = order == std::memory_order_release ? e.clock() : Clock{};
}

inline std::string Execution::state() const {
  std::string all;
  const auto add = [&](const auto& value) { all.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const auto& fiber : fibers_) add(fiber->over), add(fiber->history), add(fiber->clock);
  for (const SharedWord* word : words_) add(word->value_), add(word->released_);
  for (const auto& [where, place] : places_) add(where), add(place.value), add(place.written), add(place.read);
  return all;
}

struct Outcome {
  std::string problem;  // empty: none in any interleaving
  int ends = 0;         // states in which all threads are over
  std::size_t states = 0;

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

/// Tries every interleaving. `start` makes what the threads share, and the threads; for each execution anew, at the
/// same addresses.
inline Outcome explore_all(const std::function<Execution::Threads()>& start) {
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
    for (const std::size_t t : next.schedule) execution.step(t);
    outcome.problem = execution.problem;
    const auto [at, is_new] = graph.number.try_emplace(execution.state(), graph.number.size());
    if (is_new) graph.before.emplace_back();
    graph.before[at->second].push_back(next.from);
    if (!is_new) continue;
    bool all_over = true;
    for (std::size_t t = 0; t < execution.threads(); ++t) {
      if (execution.over(t)) continue;
      all_over = false;
      open.push_back({next.schedule, at->second});
      open.back().schedule.push_back(t);
    }
    if (all_over) graph.ends.push_back(at->second);
  }
  if (outcome.problem.empty() && !graph.all_reach_an_end()) outcome.problem = "waits for ever";
  outcome.ends = static_cast<int>(graph.ends.size());
  outcome.states = graph.number.size();
  return outcome;
}

/// Tries every interleaving of so many threads on a System that is made of `arguments`; thread t is its run(t).
template <class System, class... Arguments>
Outcome explore(int threads, const Arguments&... arguments) {
  std::optional<System> system;
  return explore_all([&] {
    system.emplace(arguments...);
    Execution::Threads all;
    for (int t = 0; t < threads; ++t) all.emplace_back([&system, t] { system->run(t); });
    return all;
  });
}

}  // namespace mpigraft::interleavings
