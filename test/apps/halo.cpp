// SPDX-License-Identifier: MIT
// Heat in a rod: each rank has some cells and swaps its two outer ones with its neighbours before every step.
#include "app.hpp"

constexpr int cells = 1000;

int main(int argc, char** argv) {
  const int steps = app::start(argc, argv, 1000), left = app::left_neighbour(), right = app::right_neighbour();
  double heat[cells + 2], next[cells + 2], total = 0;
  std::ranges::fill(heat, app::rank() + 1);
  for (int step = 0; step < steps; ++step) {
    heat[0] = heat[1];
    heat[cells + 1] = heat[cells];
    MPI_Sendrecv(&heat[cells], 1, MPI_DOUBLE, right, 0, &heat[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&heat[1], 1, MPI_DOUBLE, left, 1, &heat[cells + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    double own = 0;
    for (int i = 1; i <= cells; ++i) own += next[i] = (heat[i - 1] + 2 * heat[i] + heat[i + 1]) / 4;
    std::copy_n(next + 1, cells, heat + 1);
    MPI_Allreduce(&own, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  const double expected = cells * (app::ranks() * (app::ranks() + 1.0) / 2);  // no heat is lost at the ends
  return app::end("halo", std::abs(total - expected) < expected * 1e-9);
}
