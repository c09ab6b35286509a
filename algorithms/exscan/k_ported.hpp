// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "algorithms/info.hpp"
#include "algorithms/patterns/k_ported.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::exscan {

/// W := V_0 (+) ... (+) V_(r-1) where a rank can send and receive k messages at once. With k = 1 the digits are the
/// bits of p-1, the second round-optimal algorithm of Traeff 2026.
struct k_ported {
  template <AsyncTransport T>
  static void run(T& net, const Operands& operands, const Params& params) {
    const Block V = operands.input, W = operands.result;
    const KPortedPattern pattern(net.size(), params.ports);
    std::array<Block, max_ports> in{};
    for (int j = 0; j < buffers(pattern, params.ports); ++j) in[static_cast<std::size_t>(j)] = net.scratch(V.count);
    const Block X = sums_later(pattern) ? net.scratch(V.count) : V;
    for (int i = 0; i < pattern.rounds(); ++i) run_round(net, V, W, pattern.round(i), i == 0, X, in);
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
  /// k messages at once need k buffers.
  static constexpr std::int64_t scratch(int p, std::int64_t m, const Params& params) {
    const KPortedPattern pattern(p, params.ports);
    return (buffers(pattern, params.ports) + sums_later(pattern)) * m;
  }

  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "after Traeff 2026, arXiv:2604.25667",
      .summary = "k messages at once (the rule's ports, 2 unless told): round-optimal for k ports",
      .rounds = "ceil(log_(k+1) p)",
      .k_ported = true,
      .theorem = theorem,
      .scratch = scratch,
  };

 private:
  static constexpr bool arrives(const Piece& piece, std::int64_t r) { return r - piece.distance >= !piece.inclusive; }
  static constexpr bool leaves(const Piece& piece, int p, std::int64_t r) {
    return r + piece.distance < p && (piece.inclusive || r > 0);
  }
  /// Number of receive buffers. The first piece of all goes straight to W.
  static constexpr int buffers(const KPortedPattern& pattern, int k) {
    if (pattern.rounds() > 1) return k;
    return std::max(0, static_cast<int>(pattern.all().size()) - 1);
  }
  /// True if W (+) V is ever sent.
  static constexpr bool sums_later(const KPortedPattern& pattern) {
    for (int i = 1; i < pattern.rounds(); ++i)
      if (pattern.round(i)[0].inclusive) return true;
    return false;
  }

  template <AsyncTransport T>
  static void run_round(T& net, Block V, Block W, std::span<const Piece> pieces, bool first, Block X,
                        std::span<const Block> in) {
    const int p = net.size(), r = net.rank();
    const bool sums = !first && r > 0 && pieces[0].inclusive && leaves(pieces[0], p, r);
    if (sums) net.combine(W, V, X);
    std::array<typename T::Request, max_ports> arriving{}, leaving{};
    std::size_t arrivals = 0, departures = 0;
    const auto into = [&](std::size_t j) { return !first ? in[j] : j > 0 ? in[j - 1] : W; };
    for (const Piece& piece : pieces) {
      const auto d = static_cast<int>(piece.distance);
      if (arrives(piece, r)) arriving[arrivals] = net.irecv(into(arrivals), r - d), ++arrivals;
      if (leaves(piece, p, r)) leaving[departures++] = net.isend(!piece.inclusive ? W : sums ? X : V, r + d);
    }
    for (std::size_t j = 0; j < departures; ++j) net.wait(leaving[j]);
    for (std::size_t j = 0; j < arrivals; ++j) {
      net.wait(arriving[j]);
      if (into(j) != W) net.combine(into(j), W);
    }
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
