// SPDX-License-Identifier: MIT
// The Transport concept: all that an algorithm may do. An algorithm is a function template over it, so the
// same text runs over MPI point-to-point (shim/pmpi_transport) and over the recorder that proves it
// (algorithms/model). Control flow must be oblivious: no branch on data, no polling, no wildcard source.
#pragma once

#include <concepts>
#include <cstdint>

#include "algorithms/parts.hpp"

namespace mpigraft {

/// The missing side of a `sendrecv`: exchange with nobody (MPI_PROC_NULL).
inline constexpr int none = -1;

/// Input, result and scratch blocks that a transport can tell apart in one run.
inline constexpr int max_origins = 16;

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

/// A rank's buffers in one run. They may differ in length, and from rank to rank. Where a collective has one buffer,
/// `input` and `result` are the same block; where a rank has no input or gets no result, the block stays untouched.
struct Operands {
  Block input, result;
  Parts parts = {};  // of the vector, where the collective cuts it
};

/// One rank's view of the network and of its own buffers.
///
/// Rules every algorithm keeps, checked by the proof suite:
///  * `input` is read only. With MPI_IN_PLACE it may lie in the memory of `result` (info_of(...).in_place): the
///    algorithm then writes a part of `result` only after the last read of that part of `input`.
///    `copy(input, result)` costs nothing in that case.
///  * `result` is touched only where the collective defines it: not at rank 0 of an exscan, not off the
///    root of a reduce.
///  * `sendrecv` may send and receive the same peer; its two blocks never overlap.
template <class T>
concept Transport = requires(T& net, Block block, int peer, std::int64_t count) {
  { net.rank() } -> std::same_as<int>;
  { net.size() } -> std::same_as<int>;
  net.send(block, peer);
  net.recv(block, peer);
  net.sendrecv(block, peer, block, peer);         // either peer may be `none`
  net.copy(block, block);                         // copy(from, to)
  net.combine(block, block);                      // combine(lower, upper): upper := lower (+) upper
  net.combine(block, block, block);               // combine(lower, upper, out): out := lower (+) upper
  { net.scratch(count) } -> std::same_as<Block>;  // up to as long as the vector
  // scratch(count, times): `times` parts of `count` elements; no operation crosses a border between parts
  { net.scratch(count, peer) } -> std::same_as<Block>;
};

/// A transport whose messages overlap computation, for pipelines: `wait` ends what `isend`/`irecv` began.
/// `wait_and_combine(request, in, upper, out)` is `wait(request)`, `combine(in, upper, out)` for what was received into
/// `in`, which afterwards holds nothing: a transport may combine as it comes.
template <class T>
concept AsyncTransport = Transport<T> && requires(T& net, Block block, int peer, typename T::Request request) {
  { net.isend(block, peer) } -> std::same_as<typename T::Request>;
  { net.irecv(block, peer) } -> std::same_as<typename T::Request>;
  net.wait(request);
  net.wait_and_combine(request, block, block, block);
};

/// A page is no longer than this, or one element.
inline constexpr std::int64_t page_bytes = 8 << 10;

/// Elements, from `first` on, of what rank `owner` publishes in step `step`.
struct Page {
  int owner = 0;
  std::int64_t step = 0, first = 0;
};

/// A transport whose ranks share memory: what one publishes, all may read. `publish` never waits for a reader of that
/// step, `read` waits for the owner. A rank's steps begin at 0 and never go down, it publishes at most once in each,
/// and it reads nothing of earlier ones: their memory is used again.
template <class T>
concept SharedTransport = AsyncTransport<T> && requires(T& net, Block block, Page page, std::int64_t step) {
  net.publish(block, step);
  net.read(page, block);                            // as many elements as the block has
  net.read_and_combine(page, block, block, block);  // (page, in, upper, out): read(page, in), combine(in, upper, out)
};

/// sendrecv(out, to, in, from), and what comes is combined: sum := in (+) upper. `out` may be `upper` and `sum`.
template <AsyncTransport T>
void sendrecv_and_combine(T& net, Block out, int to, Block in, int from, Block upper, Block sum) {
  typename T::Request incoming{};
  if (from != none) incoming = net.irecv(in, from);
  if (to != none) net.send(out, to);
  if (from != none) net.wait_and_combine(incoming, in, upper, sum);
}

}  // namespace mpigraft
