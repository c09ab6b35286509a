// SPDX-License-Identifier: MIT
// Statements of an algorithm about itself: selection reads the requirements, and `mpigraft list` prints the rest. What
// a run costs is counted from its schedules (model/price.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "algorithms/collective.hpp"
#include "algorithms/parts.hpp"

namespace mpigraft {

class Program;

inline constexpr int max_ports = 8;

/// Most bytes of a page of shared memory, unless a single element is longer.
inline constexpr std::int64_t page_bytes = 8 << 10;

/// ceil(log2 x) for x >= 1; 0 below.
constexpr int ceil_log2(std::int64_t x) {
  return x <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}

/// The linear cost model: a message of s bytes takes latency + s * per_byte, combining s bytes takes
/// s * combine_per_byte. Seconds and bytes. The defaults are a cluster of 2025: 1.5 us, 12.5 GB/s, 10 GB/s.
struct Machine {
  double latency = 1.5e-6;             // alpha
  double per_byte = 1 / 12.5e9;        // beta
  double combine_per_byte = 1 / 10e9;  // gamma
};

/// Parameters of one call besides the communicator and the buffers; equal on all ranks.
struct Params {
  int root = 0;                    // bcast, reduce
  std::int64_t element_bytes = 8;  // packed size of one element (1 for bcast: a byte stream)
  std::int64_t segment = 0;        // pipeline block in bytes; 0: the algorithm's formula
  std::int64_t largest_block = 0;  // limit in bytes for the formula, so that blocks stay in a node's caches; 0: none
  int ports = 2;                   // k: messages that a k-ported algorithm sends, and receives, at once
  bool barrier = false;            // all ranks pass a barrier between rounds, where an algorithm offers it
  Machine machine = {};
  Parts parts = {};                 // of the vector, if the collective has parts; `run` finds them in its operands
  std::span<const int> nodes = {};  // the first rank of every node, where each has consecutive ranks; empty: one node
};

/// The parts of m elements for p ranks: those in `params`, or even ones if it has none.
constexpr Parts parts_of(int p, std::int64_t m, const Params& params) {
  const Parts& given = params.parts;
  return given.each == 0 && given.longer == 0 && given.firsts.empty() ? even_parts(m, p) : given;
}

/// The placement of ranks on nodes that an algorithm requires.
enum class Placement {
  any,          // the algorithm ignores nodes
  consecutive,  // several nodes, each with consecutive ranks
  equal,        // the same, and as many ranks on each node
  one,          // a single node, whose ranks share memory
};

/// True if the algorithm sees several nodes.
constexpr bool looks_at_nodes(Placement placement) {
  return placement == Placement::consecutive || placement == Placement::equal;
}

inline constexpr std::array<std::string_view, 4> placement_names{"any", "consecutive", "equal", "one"};

/// When an algorithm applies the operator to parts of a vector. MPI permits that, but MPICH never does it, and programs
/// rely on their own operators getting whole vectors.
enum class Cuts {
  never,
  blocks,  // block by block; never if the rule's segment is as long as the vector
  pages,   // the same, and no block is longer than a page
  always,
};

inline constexpr std::array<std::string_view, 4> cuts_names{"never", "blocks", "pages", "always"};

struct AlgorithmInfo {
  Collective collective = {};  // the catalogue fills in this, and the text
  std::string_view paper;      // author year, section
  std::string_view summary;    // one line
  std::string_view rounds;     // the round count as the literature writes it, q = ceil(log2 p)
  bool commutative = false;    // needs a commutative operator
  Cuts cuts = Cuts::never;     // which vectors the operator gets in parts
  bool pipelined = cuts == Cuts::blocks || cuts == Cuts::pages;  // works block by block: a rule's segment matters
  bool scales = false;  // a schedule for one element, or for parts of one, fits all lengths up to a page if multiplied
  // The association of a result is the tree in which its operands are combined. It decides the last bits of
  // floating-point sums. Ranks that get the same combination get it with the same association. For the same ranks, root
  // and ports it is always the same, unless ranks share a node differently (`varies_with_nodes`), or:
  bool varies_with_length = false;        // it depends on the vector's length, or on where in the vector an element is
  bool varies_with_blocks = false;        // it depends on the block size
  std::string_view associates_like = {};  // the algorithm of the collective with the same association, on one node
  bool k_ported = false;                  // up to `ports` messages at once each way; all others keep to one
  bool barrier = false;                   // offers the variant with barriers
  Placement placement = Placement::any;
  std::string_view flat = {};        // the algorithm of the same collective that runs where the placement does not fit
  void (*text)(Program&) = nullptr;  // the algorithm itself

  /// True if the association depends on which ranks share a node, if only because `flat` then runs instead.
  constexpr bool varies_with_nodes() const { return placement != Placement::any && info_of(collective).combines(); }
};

/// Length in bytes up to which the algorithm is sure to apply the operator to whole vectors, for all ranks, roots and
/// nodes. `segment` is that of Params.
constexpr std::int64_t whole_up_to(const AlgorithmInfo& info, std::int64_t segment) {
  switch (info.cuts) {
    case Cuts::never:
      return std::numeric_limits<std::int64_t>::max();
    case Cuts::blocks:
      return segment;  // 0: the formula may cut a vector of any length
    case Cuts::pages:
      return segment > 0 ? std::min(segment, page_bytes) : page_bytes;
    case Cuts::always:
      break;
  }
  return 0;
}

}  // namespace mpigraft
