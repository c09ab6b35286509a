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

/// Most buffers (input, result, scratch) that a transport can tell apart in one run.
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

/// A rank's buffers in one run. Their lengths may differ, and differ from rank to rank. If a collective has one buffer,
/// `input` and `result` are the same block. The input of a rank that has none, and the result of a rank that gets none,
/// stay untouched.
struct Operands {
  Block input, result;
  Parts parts = {};      // of the vector, if the collective has parts
  bool aliased = false;  // the input lies in the memory of the result
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
/// `receive_and_combine(request, in, upper, out)` is `wait(request)`, then `combine(in, upper, out)`, where `in` is the
/// block being received. It leaves nothing defined in `in`, so a transport may combine while the message arrives.
/// `combine_and_receive(lower, request, in, out)` combines from above, by `combine(lower, in)` and `copy(in, out)`, so
/// that `out` may be `lower`.
template <class T>
concept AsyncTransport = Transport<T> && requires(T& net, Block block, int peer, typename T::Request request) {
  { net.isend(block, peer) } -> std::same_as<typename T::Request>;
  { net.irecv(block, peer) } -> std::same_as<typename T::Request>;
  net.wait(request);
  net.receive_and_combine(request, block, block, block);
  net.combine_and_receive(block, request, block, block);
};

/// Most bytes of a page, unless a single element is longer.
inline constexpr std::int64_t page_bytes = 8 << 10;

/// Elements, from `first` on, of the page that rank `owner` publishes in step `step`.
struct Page {
  int owner = 0;
  std::int64_t step = 0, first = 0;
};

/// A transport whose ranks share memory: all ranks may read what one publishes. `publish` never waits for readers of
/// the same step; `read` waits for the owner. A rank's steps begin at 0 and never decrease, and it publishes at most
/// once in each. It reads nothing of steps before its own, because their memory is reused.
template <class T>
concept SharedTransport = AsyncTransport<T> && requires(T& net, Block block, Page page, std::int64_t step) {
  net.publish(block, step);
  net.read(page, block);                            // as many elements as the block has
  net.read_and_combine(page, block, block, block);  // (page, in, upper, out): read(page, in), combine(in, upper, out)
  net.combine_and_read(block, page, block, block);  // (lower, page, in, out): as combine_and_receive, but of a page
};

/// sendrecv(out, to, in, from), then sum := in (+) upper unless `from` is `none`. `out` may be `upper` and `sum`.
template <AsyncTransport T>
void sendrecv_and_combine(T& net, Block out, int to, Block in, int from, Block upper, Block sum) {
  typename T::Request incoming{};
  if (from != none) incoming = net.irecv(in, from);
  if (to != none) net.send(out, to);
  if (from != none) net.receive_and_combine(incoming, in, upper, sum);
}

}  // namespace mpigraft
