// SPDX-License-Identifier: MIT
// Conjugate gradients for the Poisson equation on a line: two scalar products and one swap of edges an iteration.
#include <array>

#include "app.hpp"

namespace {

constexpr int cells = 1000;
using Vector = std::array<double, cells + 2>;  // its neighbours' edges lie outside

double product(const Vector& x, const Vector& y) {
  double own = std::inner_product(x.begin() + 1, x.end() - 1, y.begin() + 1, 0.0), whole = 0;
  MPI_Allreduce(&own, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return whole;
}

/// ap := A p, of this rank's rows of the matrix (-1 2.1 -1).
void multiply(Vector& p, Vector& ap) {
  const int left = app::left_neighbour(), right = app::right_neighbour();
  MPI_Request requests[4];
  MPI_Status statuses[4];
  p.front() = p.back() = 0;
  MPI_Irecv(&p.front(), 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&p.back(), 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&p[cells], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&p[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, statuses);
  for (int i = 1; i <= cells; ++i) ap[i] = 2.1 * p[i] - p[i - 1] - p[i + 1];
}

}  // namespace

int main(int argc, char** argv) {
  const int iterations = app::start(argc, argv, 1000);
  Vector x, r, p, ap;
  for (int done = 0; done < iterations;) {  // solves the same system again until all iterations are done
    x.fill(0), r.fill(1), p.fill(1);
    double rr = product(r, r);
    for (int i = 0; i < 60; ++i, ++done) {
      multiply(p, ap);
      const double alpha = rr / product(p, ap);
      for (int k = 1; k <= cells; ++k) x[k] += alpha * p[k], r[k] -= alpha * ap[k];
      const double next = product(r, r);
      for (int k = 1; k <= cells; ++k) p[k] = r[k] + next / rr * p[k];
      rr = next;
    }
  }
  multiply(x, ap);
  return app::end("cg", std::all_of(ap.begin() + 1, ap.end() - 1, [](double y) { return std::abs(y - 1) < 1e-6; }));
}
