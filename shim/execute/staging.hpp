// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shim/abi/arguments.hpp"
#include "shim/execute/transport_state.hpp"
#include "shim/memory/device.hpp"

namespace mpigraft::execute {

/// A grafted call whose buffers may lie in a GPU's memory. The algorithm runs on copies of them in host memory. Ranks
/// may differ in where their buffers lie, so nothing else depends on it, neither the decision nor a message.
class Staging {
 public:
  /// Copies the input. If that fails, the rank goes through its schedule without buffers (Call::lost).
  Staging(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call);

  /// The call on buffers that the CPU reads and writes.
  const abi::Call& call() const { return call_; }
  /// Takes and returns the error of the call. If it has succeeded, copies the result into the program's buffer.
  int finish(int error);

  static inline std::atomic<std::int64_t> calls{0};  // of this process that ran on copies

 private:
  /// The bytes of a buffer that the call reads or writes, and those between them.
  struct Buffer {
    char *begin = nullptr, *end = nullptr;
    bool is_read = false;
    const memory::Driver* driver = nullptr;  // null: the call uses the buffer itself
    char* copy = nullptr;                    // the copy of the byte at `begin`

    void add(const void* element_0, std::int64_t count, const abi::Datatype& type);
    bool empty() const { return !end; }
    std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
    /// Bytes that suffice for a copy that lies in its cache lines as the buffer does.
    std::size_t room() const { return driver ? bytes() + 2 * line : 0; }
    char* of_copy(const void* address) const;
  };
  static constexpr std::size_t line = 64;

  std::size_t find_buffers();
  void for_each_result(auto f) const;
  int bring();
  int plan_results();
  void tell() const;

  const agree::Negotiated& agreed_;
  abi::Call call_;
  Buffer send_, recv_;
  const Scratch::Lease memory_;
  std::vector<memory::Copy> results_;  // from the copy to the program's buffer
};

[[gnu::noinline, gnu::cold]] int on_copies(const agree::Negotiated& agreed, TransportState& transport,
                                           const abi::Call& call, auto graft) {
  Staging staging(agreed, transport, call);
  return staging.finish(graft(staging.call()));
}

/// Returns graft(the call on buffers in host memory).
[[gnu::always_inline]] inline int on_host_memory(const agree::Negotiated& agreed, TransportState& transport,
                                                 const abi::Call& call, auto graft) {
  if (!memory::Devices::may_exist()) [[likely]]
    return graft(call);
  return on_copies(agreed, transport, call, graft);
}

}  // namespace mpigraft::execute
