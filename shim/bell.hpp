// SPDX-License-Identifier: MIT
// How one who waits for words in shared memory sleeps, and how it is woken: one word for each rank, which says whom the
// rank waits for while it sleeps. A rank that has written something rings; a rank that sleeps has looked once more
// after it said so: of the two one sees the other (Dekker's argument, hence the fences).
// `Word` is std::atomic<std::uint32_t>; test/proof tries all interleavings of another one.
#pragma once

#include <atomic>
#include <cstdint>

namespace mpigraft {

/// All zero: the rank is awake.
template <class Word>
struct alignas(64) Bell {
  Word sleeper;
};

inline constexpr std::uint32_t anyone = UINT32_MAX;
/// What the word of one who waits for `peer` alone holds.
constexpr std::uint32_t only(int peer) { return static_cast<std::uint32_t>(peer) + 1; }

/// Sleeps unless `look()` sees what the rank waits for. `sleep(word, value)` returns when woken and at once where the
/// word holds something else, as a futex does; it may return earlier.
template <class Word, class Look, class Sleep>
void sleep_unless(Bell<Word>& own, std::uint32_t whom, Look look, Sleep sleep) {
  own.sleeper.store(whom, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!look()) sleep(own.sleeper, whom);
  own.sleeper.store(0, std::memory_order_relaxed);
}

/// Rank `me` has written something for the bell's rank. `wake(word)` wakes who sleeps on the word.
template <class Word, class Wake>
void ring_bell(Bell<Word>& theirs, int me, Wake wake) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t whom = theirs.sleeper.load(std::memory_order_relaxed);
  if (whom != anyone && whom != only(me)) return;
  theirs.sleeper.store(0, std::memory_order_relaxed);
  wake(theirs.sleeper);
}

}  // namespace mpigraft
