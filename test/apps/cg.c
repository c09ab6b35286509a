// SPDX-License-Identifier: MIT
// Conjugate gradients for the Poisson equation on a line: two scalar products and one swap of edges an iteration.
#include "app.h"

enum { cells = 1000 };

static double product(const double* x, const double* y) {
  double own = 0, whole = 0;
  for (int i = 1; i <= cells; ++i) own += x[i] * y[i];
  MPI_Allreduce(&own, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return whole;
}

/// ap := A p, of this rank's rows of the matrix (-1 2.1 -1); p has its neighbours' edges outside.
static void multiply(double* p, double* ap) {
  MPI_Request requests[4];
  MPI_Status statuses[4];
  p[0] = p[cells + 1] = 0;
  MPI_Irecv(&p[0], 1, MPI_DOUBLE, left_neighbour(), 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&p[cells + 1], 1, MPI_DOUBLE, right_neighbour(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&p[cells], 1, MPI_DOUBLE, right_neighbour(), 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&p[1], 1, MPI_DOUBLE, left_neighbour(), 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, statuses);
  for (int i = 1; i <= cells; ++i) ap[i] = 2.1 * p[i] - p[i - 1] - p[i + 1];
}

int main(int argc, char** argv) {
  const int iterations = start(&argc, &argv, 1000);
  double x[cells + 2] = {0}, r[cells + 2] = {0}, p[cells + 2], ap[cells + 2];
  double error = 0, largest = 0;
  for (int done = 0; done < iterations;) {  // solves the same system again until all iterations are done
    for (int i = 1; i <= cells; ++i) x[i] = 0, r[i] = p[i] = 1;
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
  for (int i = 1; i <= cells; ++i)
    error = ap[i] > 1 ? ap[i] - 1 : 1 - ap[i], largest = error > largest ? error : largest;
  return end("cg", largest < 1e-6);
}
