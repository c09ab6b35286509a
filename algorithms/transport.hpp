// SPDX-License-Identifier: MIT
// The Transport concept: all that a schedule asks for. The same steps run over MPI and shared memory
// (shim/execute/pmpi_transport) and over the recorder that proves them (algorithms/model).
#pragma once

#include <concepts>
#include <cstdint>

#include "algorithms/parts.hpp"

namespace mpigraft {

/// No rank.
inline constexpr int none = -1;

/// `count` consecutive elements, from element `first`, of the buffer that the transport knows as `origin`.
/// Elements, never bytes: extents, packing and memory are the transport's business.
struct Block {
  int origin = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;

  /// Elements `[from, from + length)` of this block.
  constexpr Block part(std::int64_t from, std::int64_t length) const { return {origin, first + from, length}; }
  friend constexpr bool operator==(const Block&, const Block&) = default;
};

/// A rank's buffers in one run. Their lengths may differ, and differ from rank to rank. If a collective has one buffer,
/// `input` and `result` are the same block. The input of a rank that has none, and the result of a rank that gets none,
/// stay untouched.
struct Operands {
  Block input, result;
  Parts parts = {};      // of the vector, if the collective has parts
  bool aliased = false;  // the input lies in the memory of the result
};

/// Elements, from `first` on, of the page that rank `owner` publishes in step `step`.
struct Page {
  int owner = 0;
  std::int64_t step = 0, first = 0;
};

/// One rank's view of the network and of its own buffers: what a schedule is carried out over.
///
/// Rules that schedules keep, and the proofs check:
///  * `input` is read only. With MPI_IN_PLACE it may lie in the memory of `result` (info_of(...).in_place): a part of
///    `result` is then written only after the last read of that part of `input`.
///  * `result` is touched only where the collective defines it: not at rank 0 of an exscan, not off the root of a
///    reduce.
///  * Pages need ranks that share memory: all may read what one publishes. `publish` does not wait for readers of the
///    same step, but may wait for those of earlier ones; `read` waits for the owner. So a schedule with pages has no
///    messages. A rank's steps begin at 0 and never decrease, and it publishes at most
///    once in each. It reads nothing of steps before its own, because their memory is reused.
template <class T>
concept Transport = requires(T& net, Block block, int peer, std::int64_t count, typename T::Request request,
                             Page page) {
  { net.rank() } -> std::same_as<int>;
  { net.size() } -> std::same_as<int>;
  net.send(block, peer);
  { net.isend(block, peer) } -> std::same_as<typename T::Request>;
  { net.irecv(block, peer) } -> std::same_as<typename T::Request>;
  net.wait(request);
  net.copy(block, block);            // copy(from, to)
  net.combine(block, block, block);  // combine(lower, upper, out): out := lower (+) upper; `out` may be `upper`
  // (request, in, operand, out, operand_is_lower): wait(request), and combine(in, operand, out), or in the other order,
  // where `in` is the block being received and `out` may be `operand`. It leaves nothing defined in `in`, so that a
  // transport may combine while the message arrives.
  net.receive_and_combine(request, block, block, block, true);
  net.publish(block, count);                              // (block, step)
  net.read(page, block);                                  // as many elements as the block has
  net.read_and_combine(page, block, block, block, true);  // the same with a page
  // scratch(count, times): `times` parts of `count` elements; no operation crosses a border between parts
  { net.scratch(count, peer) } -> std::same_as<Block>;
};

}  // namespace mpigraft
