// SPDX-License-Identifier: MIT
// The attribute by which mpigraft knows a communicator of the program: its state or, before it has one, its warm_up.
// MPI deletes it when the program frees the communicator. The program's own delete functions may make collectives on it
// before or after that, in an order that may differ between ranks, so what was deleted is known until the communicator
// is gone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shim/abi/functions.hpp"

namespace mpigraft::entry {

struct Communicator;

/// The most set-ups of a communicator that are put off and come later; the next one is 16 times as late as the last.
inline constexpr int most_tries = 5;

/// The history of a communicator without state. It is equal on all ranks, because all take part in the same calls. It
/// fits in the attribute itself, so no rank loses count for lack of memory.
struct WarmUp {
  std::uint64_t calls : 23 = 0;    // native calls so far
  std::uint64_t tries : 5 = 0;     // negotiations that were put off
  std::uint64_t in_touch : 1 = 0;  // 1: all ranks are known to take part in negotiations
  std::uint64_t at_once : 1 = 0;   // 1: native calls take long here, or the user wants no native calls
  std::int64_t spent_ns : 33 = 0;  // estimated time of those that have not paid for anything

  /// Counts a native call that took about so long. Both numbers stay at their maximum.
  void add(std::int64_t estimated_ns);
};

/// The same with memory of its own, in which it is counted faster.
struct Warming {
  WarmUp warm_up;
  int size;  // ranks; 1: calls stay native
};

/// A communicator's attribute. The handle may be invalid.
struct Attribute {
  abi::Refused refused = {};  // set if MPI refused the handle
  bool readable = false;      // false: refused, no communicator, or MPI is not up
  bool found = false;         // false: neither a warm_up nor a state was there
  WarmUp warm_up = {};
  bool is_warming_up = false;            // calls stay native for now
  Warming* warming_up = nullptr;         // null if `warm_up` has no memory of its own
  Communicator* communicator = nullptr;  // null if it is warming_up, or if this rank had no memory for its state
};
Attribute attribute_of(abi::Comm comm);

/// REQUIRES: attribute_of(comm) is readable. Replaces an attribute without deleting the state in it.
void set_attribute(abi::Comm comm, Communicator* communicator);
void set_attribute(abi::Comm comm, const WarmUp& warm_up);
/// Gives a warm_up memory of its own, where it is then kept. Null: there is none.
Warming* keep(abi::Comm comm, const WarmUp& warm_up, int size);

/// While an object of this class lives, this thread is in the function of MPI that frees a communicator. At its end the
/// communicators that MPI has freed meanwhile are gone, and their states are deleted. At its begin it takes the
/// attribute from MPI: Open MPI reads freed memory if a delete function makes us replace it, and MPICH returns the
/// error of the attribute that it deletes last.
class Freeing {
 public:
  explicit Freeing(abi::Comm comm);
  ~Freeing();
  Freeing(const Freeing&) = delete;
  Freeing& operator=(const Freeing&) = delete;

  abi::Refused refused;  // set if MPI refused the handle
  /// The communicator stays, because a delete function of the program returned an error. MPI keeps the attribute again.
  void is_in_vain() const;

 private:
  const abi::Comm comm_;
  const std::size_t before_;
};

/// How many communicators this thread has begun to free so far.
std::uint64_t frees();
/// True if `comm` is one that it has begun to free since there were `before`.
bool is_freed_since(std::uint64_t before, abi::Comm comm);

/// Asks MPI from now on whether it is up, because MPI_Finalize has begun.
void expect_end();
bool expects_end();

}  // namespace mpigraft::entry
