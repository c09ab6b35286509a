// SPDX-License-Identifier: MIT
// THE memory of calls. Programs repeat calls, and looking up an attribute and deciding take longer than a short
// message.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shim/abi/arguments.hpp"
#include "shim/abi/binding.hpp"

namespace mpigraft::entry {

struct Communicator;
struct KnownCall;
struct Warming;

/// A pointer to a state may be kept until this number changes. It changes when any state is deleted, because MPI may
/// reuse the communicator's handle, when MPI_Finalize begins, and when a communicator turns out to get no transport
/// state or wants it.
inline std::atomic<std::uint64_t> generation{0};

/// A thread's last call of a collective on a communicator. It is forgotten when `generation` changes.
struct MadeCall {
  std::uint64_t made_in = UINT64_MAX;  // value of `generation`
  std::uintptr_t comm = 0;

  bool knows(const abi::RawCall& raw, std::uint64_t now) const { return made_in == now && comm == raw.comm; }
};

/// One that went to PMPI, as calls like it will.
struct alignas(64) NativeCall : MadeCall {
  abi::CallKind kind;
};

/// For each collective several, so that communicators that take turns do not evict each other.
template <class Made>
using Places = std::array<std::array<Made, 4>, collective_count>;

template <class Made>
Made& place_of(Places<Made>& places, const abi::RawCall& raw) {
  auto& of_collective = places[static_cast<std::size_t>(raw.collective)];
  // MPICH counts its handles; Open MPI's are addresses, multiples of 16
  return of_collective[(raw.comm ^ raw.comm >> 4) % of_collective.size()];
}

/// The last calls that go to PMPI without another look, apart from the others: an entry point looks here first. Empty
/// while callers differ.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Places<NativeCall> native_calls{};

/// True if the call goes to PMPI without another look.
[[gnu::always_inline]] inline bool stays_native(const abi::RawCall& raw) {
  const NativeCall& last = place_of(native_calls, raw);
  return last.knows(raw, generation.load(std::memory_order_acquire)) && last.kind.is_of(raw);
}

/// Makes calls of this kind, as `raw` is one, stay native; never if they are watched.
inline void remember_native(const abi::RawCall& raw, const abi::CallKind& kind) {
  if (abi::callers_differ) return;
  place_of(native_calls, raw) = {{generation.load(std::memory_order_acquire), raw.comm}, kind};
}

/// A made call that need not stay native, and where to find what is known of it.
struct alignas(64) LastCall : MadeCall {
  Communicator* communicator = nullptr;  // null: it is warming_up
  KnownCall* known = nullptr;            // what was known of this call, and may by now be of another one; null: nothing
  Warming* warming_up = nullptr;

  void remember(const abi::RawCall& raw, std::uint64_t now, Communicator& found) {
    made_in = now, comm = raw.comm, communicator = &found, known = nullptr;
  }
  void remember(const abi::RawCall& raw, std::uint64_t now, Warming& found) {
    made_in = now, comm = raw.comm, communicator = nullptr, known = nullptr, warming_up = &found;
  }
};

/// This thread's place for calls like `raw`.
LastCall& last_call_of(const abi::RawCall& raw);

}  // namespace mpigraft::entry
