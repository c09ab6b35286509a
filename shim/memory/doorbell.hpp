// SPDX-License-Identifier: MIT
// Sleep and wake protocol for a rank that waits for words in shared memory. Each rank has a doorbell. While the rank
// sleeps, its doorbell says whom it waits for and how far that one must come. A writer rings after its store, and a
// sleeper polls once more after it has set its doorbell. So at least one of them observes the other's store (Dekker's
// argument, hence the fences). `Word` is std::atomic<std::uint32_t>, `Mark` std::atomic<Position>; test/shim/memory
// puts others in their place and tries all interleavings.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/memory/broadcast_buffer.hpp"
#include "shim/memory/ring.hpp"

namespace mpigraft::memory {

/// The doorbell of one rank. It is all zero at first; `sleeper` is 0 while the rank is awake.
template <class Word, class Mark>
struct alignas(stride_bytes) Doorbell {
  Word sleeper;
  Mark until;
};

inline constexpr std::uint32_t anyone = UINT32_MAX;
/// The word of a rank that waits for `peer` alone.
constexpr std::uint32_t only(int peer) { return static_cast<std::uint32_t>(peer) + 1; }

/// Messages have no position. With this one, a rank that waits for a message is woken by every doorbell, and the
/// doorbell of a message wakes only such ranks.
inline constexpr Position any_position = 0;

/// Says in the rank's doorbell that it waits for `whom`, `anyone` or `only(peer)`, to come to `until`, which never
/// decreases, except to `any_position`. Returns true if the rank may sleep while the word `sleeper` holds `whom`, and
/// false if `poll()` sees what it waits for.
template <class Word, class Mark, class Poll>
bool may_sleep(Doorbell<Word, Mark>& doorbell, std::uint32_t whom, Position until, Poll poll) {
  doorbell.until.store(until, std::memory_order_relaxed);
  doorbell.sleeper.store(whom, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return !poll();
}

/// Sleeps unless `poll()` sees what the rank waits for, as may_sleep. `sleep(word, value)` returns when woken, and at
/// once if the word does not hold `value`, as a futex does; it may return earlier.
template <class Word, class Mark, class Poll, class Sleep>
void sleep_unless(Doorbell<Word, Mark>& doorbell, std::uint32_t whom, Position until, Poll poll, Sleep sleep) {
  if (may_sleep(doorbell, whom, until, poll)) sleep(doorbell.sleeper, whom);
  doorbell.sleeper.store(0, std::memory_order_relaxed);
}

/// Called between a rank's stores and the doorbells that it rings for them.
inline void before_doorbells() { std::atomic_thread_fence(std::memory_order_seq_cst); }

/// Tells the doorbell's rank that rank `me` has come to `at`. `wake(word)` wakes whoever sleeps on the word. REQUIRES:
/// before_doorbells() since the stores.
template <class Word, class Mark, class Wake>
void ring_doorbell(Doorbell<Word, Mark>& theirs, int me, Position at, Wake wake) {
  const std::uint32_t whom = theirs.sleeper.load(std::memory_order_acquire);
  if (whom != anyone && whom != only(me)) return;
  if (const Position until = theirs.until.load(std::memory_order_relaxed); until != any_position && before(at, until))
    return;
  theirs.sleeper.store(0, std::memory_order_relaxed);
  wake(theirs.sleeper);
}

}  // namespace mpigraft::memory
