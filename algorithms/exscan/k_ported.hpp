// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/k_ported.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::exscan {

/// W := V_0 (+) ... (+) V_(r-1) where a rank can send and receive k messages at once. With k = 1 the digits are the
/// bits of p-1, the second round-optimal algorithm of Traeff 2026.
///
/// Example: p = 8, m = 1, k = 2. 0-1>4 is x_0 (+) x_1, sent to rank 4.
///
///   round  rank 0       rank 1       rank 2       rank 3       rank 4       rank 5       rank 6       rank 7
///       1  0>1 0>2      1>2 1>3      2>3 2>4      3>4 3>5      4>5 4>6      5>6 5>7      6>7
///       2  0>3          0-1>4 0>6    0-2>5 0-1>7  1-3>6        2-4>7
struct k_ported {
  static void text(Program& net) {
    const int r = net.rank();
    const Value V = net.input();
    const KPortedPattern pattern(net.size(), net.params().ports);
    Value W = nothing;
    List<Value> in;
    for (int i = 0; i < pattern.rounds(); ++i) {
      const Value X = pattern.round(i)[0].inclusive ? net.combine(W, V) : nothing;
      in.clear();
      for (const Piece& piece : pattern.round(i)) net.send(piece.inclusive ? X : W, r + piece.distance);
      for (const Piece& piece : pattern.round(i))
        if (arrives(piece, r)) in.push_back(net.recv(r - piece.distance, V.count));
      for (const Value& arrived : in) W = net.combine(arrived, W);
    }
    net.result(W);
  }

  /// One application for each piece that arrives after the first, and one where a rank sends W (+) V. As a function of
  /// r the count changes only at the distances of pieces from either end of [0, p), so its maximum is next to one of
  /// these.
  static constexpr Theorem theorem(int p, std::int64_t m, const Params& params) {
    const KPortedPattern pattern(p, params.ports);
    std::int64_t most = 0;
    for (const Piece& piece : pattern.all())
      for (const std::int64_t r : {piece.distance, piece.distance + 1, p - 2 - piece.distance, p - 1 - piece.distance})
        if (r >= 0 && r < p) most = std::max(most, applications(pattern, p, r));
    return {.rounds = pattern.rounds(),
            .applications = most * m,
            .applications_last = applications(pattern, p, p - 1) * m,
            .sent = std::max(sends(pattern, p, 0), sends(pattern, p, 1)) * m,
            .received = static_cast<std::int64_t>(pattern.all().size()) * m};
  }
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "after Traeff 2026, arXiv:2604.25667",
      .summary = "k messages at once (the rule's ports, 2 unless told): round-optimal for k ports",
      .rounds = "ceil(log_(k+1) p)",
      .k_ported = true,
      .text = text,
      .theorem = theorem,
  };

 private:
  static constexpr bool arrives(const Piece& piece, std::int64_t r) { return r - piece.distance >= !piece.inclusive; }
  static constexpr bool leaves(const Piece& piece, int p, std::int64_t r) {
    return r + piece.distance < p && (piece.inclusive || r > 0);
  }

  static constexpr std::int64_t applications(const KPortedPattern& pattern, int p, std::int64_t r) {
    std::int64_t n = 0;
    for (int i = 0; i < pattern.rounds(); ++i) {
      const auto pieces = pattern.round(i);
      n += i > 0 && r > 0 && pieces[0].inclusive && leaves(pieces[0], p, r);
      for (const Piece& piece : pieces) n += arrives(piece, r);
    }
    return n - (r > 0 && p > 1);
  }
  static constexpr std::int64_t sends(const KPortedPattern& pattern, int p, std::int64_t r) {
    return std::ranges::count_if(pattern.all(), [=](const Piece& piece) { return leaves(piece, p, r); });
  }
};

}  // namespace mpigraft::exscan
