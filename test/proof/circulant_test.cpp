// SPDX-License-Identifier: MIT
// The circulant schedules, for all ranks.
#include "algorithms/patterns/circulant.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace mpigraft;
using namespace mpigraft::circulant_graph;

namespace {

int at(const Row& row, int k) { return row[static_cast<std::size_t>(k)]; }

std::vector<Row> receive_rows(const Graph& graph) {
  std::vector<Row> rows;
  for (int r = 0; r < graph.p; ++r) rows.push_back(receive_row(graph, r));
  return rows;
}

/// True if R has q block numbers, all different modulo q: the base, and the others one phase earlier.
bool receives_all(const Row& R, int q, int base) {
  unsigned seen = 0;
  for (int k = 0; k < q; ++k) {
    const int number = at(R, k) == base ? base : at(R, k) + q;
    if (number < 0 || number >= q || (number == base && at(R, k) != base)) return false;
    seen |= 1U << number;
  }
  return seen == (1U << q) - 1;
}

/// True if every block that is sent in round k came in an earlier round, of this phase or of the one before.
bool has_what_it_sends(const Row& R, const Row& S, int q, int base) {
  for (int k = 0; k < q; ++k) {
    bool has = at(S, k) == base - q;
    for (int j = 0; j < k; ++j) has |= at(R, j) == at(S, k);
    if (!has) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("circulant schedules: what is sent is what is received, and every block comes once", "[circulant]") {
  for (int p = 2; p <= 4096; ++p) {
    const Graph graph(p);
    const std::vector<Row> R = receive_rows(graph);
    for (int r = 0; r < p; ++r) {
      const Row S = send_row(graph, r);
      bool agree = true;
      for (int k = 0; k < graph.q; ++k) agree &= at(S, k) == at(R[static_cast<std::size_t>(graph.to(r, k))], k);
      const int base = canonical(graph, r).base;
      const Row& mine = R[static_cast<std::size_t>(r)];
      const bool right = r == 0 || (receives_all(mine, graph.q, base) && has_what_it_sends(mine, S, graph.q, base));
      if (!agree || !right) FAIL("p = " << p << ", rank " << r);
    }
  }
}
