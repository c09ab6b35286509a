// SPDX-License-Identifier: MIT
// A transport among some of another transport's ranks, so that an algorithm can run among them unchanged.
#pragma once

#include "algorithms/transport.hpp"

namespace mpigraft {

/// Ranks rank_of(0), ..., rank_of(size - 1), of which this one is rank_of(index). Scratch comes out of `pool`, which
/// must be large enough.
template <AsyncTransport T, class RankOf>
class Part {
 public:
  using Request = typename T::Request;

  Part(T& whole, int size, int index, Block pool, RankOf rank_of)
      : whole_(whole), size_(size), index_(index), pool_(pool), rank_of_(rank_of) {}

  int rank() const { return index_; }
  int size() const { return size_; }

  void send(Block block, int to) { whole_.send(block, rank_of_(to)); }
  void recv(Block block, int from) { whole_.recv(block, rank_of_(from)); }
  void sendrecv(Block out, int to, Block in, int from) { whole_.sendrecv(out, outer(to), in, outer(from)); }
  Request isend(Block block, int to) { return whole_.isend(block, rank_of_(to)); }
  Request irecv(Block block, int from) { return whole_.irecv(block, rank_of_(from)); }
  void wait(Request request) { whole_.wait(request); }
  void receive_and_combine(Request request, Block in, Block upper, Block out) {
    whole_.receive_and_combine(request, in, upper, out);
  }
  void combine_and_receive(Block lower, Request request, Block in, Block out) {
    whole_.combine_and_receive(lower, request, in, out);
  }

  void copy(Block from, Block to) { whole_.copy(from, to); }
  void combine(Block lower, Block upper) { whole_.combine(lower, upper); }
  void combine(Block lower, Block upper, Block out) { whole_.combine(lower, upper, out); }

  Block scratch(std::int64_t count, int times = 1) {
    const Block taken = pool_.part(used_, count * times);
    used_ += taken.count;
    return taken;
  }

 private:
  int outer(int peer) const { return peer == none ? none : rank_of_(peer); }

  T& whole_;
  const int size_, index_;
  const Block pool_;
  std::int64_t used_ = 0;
  const RankOf rank_of_;
};

}  // namespace mpigraft
