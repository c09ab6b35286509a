// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/butterfly.hpp"

namespace mpigraft::folded_butterfly {

/// The lowest `bits` bits of v in reverse order.
constexpr int reversed(int v, int bits) {
  int result = 0;
  for (int i = 0; i < bits; ++i) result = result << 1 | (v >> i & 1);
  return result;
}

/// The parts of a vector in the order in which a folded butterfly deals them out. Piece v has the parts of virtual rank
/// v, two where it stands for a pair. Pieces lie in the order of the reversed bits of v, so that those of all virtual
/// ranks with the same d lowest bits are consecutive. REQUIRES: the lower rank of each pair takes part.
class ReversedPieces {
 public:
  ReversedPieces(const Fold& fold, const Parts& parts) : fold_(fold), parts_(parts) {
    firsts_.reserve((std::size_t{1} << fold.rounds) + 1);
    firsts_.push_back(0);
    for (int i = 0; i < 1 << fold.rounds; ++i) firsts_.push_back(firsts_.back() + in_order(i).count);
  }

  int size() const { return 1 << fold_.rounds; }
  /// Where the i-th piece is in the vector in rank order.
  Share in_order(int i) const {
    const int v = reversed(i, fold_.rounds);
    const std::int64_t first = parts_.first(fold_.to_rank(v));
    return {first, parts_.first(fold_.to_rank(v + 1)) - first};
  }
  /// The pieces of all virtual ranks that agree with v in the d lowest bits.
  Share agreeing(int v, int d) const {
    const int i = reversed(v, d) << (fold_.rounds - d), end = i + (1 << (fold_.rounds - d));
    const std::int64_t first = firsts_[static_cast<std::size_t>(i)];
    return {first, firsts_[static_cast<std::size_t>(end)] - first};
  }

 private:
  const Fold fold_;
  const Parts parts_;
  std::pmr::vector<std::int64_t> firsts_;
};

/// True if a virtual rank that agrees with v in the d lowest bits has a part that is not empty.
inline bool any_has_part(const Fold& fold, const Parts& parts, int v, int d) {
  for (int u = v & ((1 << d) - 1); u < 1 << fold.rounds; u += 1 << d) {
    if (parts.first(fold.to_rank(u + 1)) > parts.first(fold.to_rank(u))) return true;
    if (parts.firsts.empty()) return false;  // the first ranks have the longest parts
  }
  return false;
}

}  // namespace mpigraft::folded_butterfly

namespace mpigraft::reduce_scatter {

/// Neighbours halve first, which keeps rank order. Parts are first put into an order in which each half is one message.
/// With fewer elements than ranks, whole vectors are exchanged, where any is needed.
///
/// Example: p = 5, m = 5. 3-4[0-1]>0 is elements 0 and 1 of x_3 (+) x_4, sent to rank 0.
///
///   round  rank 0           rank 1           rank 2           rank 3           rank 4
///       1                   1>0                               3[2]+3[4]>4      4[0-1]+4[3]>3
///       2  0-1[2]+0-1[4]>2                   2[0-1]+2[3]>0
///       3  0-2[3]>3                          0-2[4]>4         3-4[0-1]>0       3-4[2]>2
///       4  0-4[1]>1
inline void recursive_halving(Program& net) {
  using namespace folded_butterfly;
  const Parts parts = net.parts();
  const Fold fold(net.size(), 0);
  const int rank = net.rank();
  if (!fold.takes_part(rank)) {
    net.send(net.input(), fold.partner(rank));
    return net.result(net.recv(fold.partner(rank), parts.count(rank)));
  }
  Value sum = fold_in(net, net.input(), fold);
  if (const std::int64_t m = net.length(); m < net.size()) {
    sum = halve(net, sum, fold, fold.rounds, [&](int u, int d) {
      return Share{0, any_has_part(fold, parts, u, d) ? m : 0};
    });
    sum = part(sum, parts.first(rank), parts.first(rank + 1 + fold.paired(rank)) - parts.first(rank));
  } else {
    const ReversedPieces pieces(fold, parts);
    List<Value> reversed;
    for (int i = 0; i < pieces.size(); ++i)
      reversed.push_back(part(sum, pieces.in_order(i).first, pieces.in_order(i).count));
    sum = halve(net, net.join(reversed), fold, fold.rounds, [&](int u, int d) { return pieces.agreeing(u, d); });
  }
  net.result(part(sum, 0, parts.count(rank)));
  if (fold.paired(rank)) net.send(part(sum, parts.count(rank), parts.count(rank + 1)), rank + 1);
}

inline constexpr AlgorithmInfo recursive_halving_info{
    .paper = "Rabenseifner 2004; rank order: Gorlatch, Lengauer 1997, (28) and (29); any p: own",
    .summary = "halving between neighbours first, rank order kept, whole vectors for m < p",
    .rounds = "floor(log2 p), 2 more unless p = 2^k",
    .cuts = Cuts::always,
    .scales = true,
};

}  // namespace mpigraft::reduce_scatter
