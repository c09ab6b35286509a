// SPDX-License-Identifier: MIT
// Sorts keys that are spread over the ranks: splitters from samples, everything to everybody, places by a prefix sum.
#include "app.hpp"

using Key = unsigned;

namespace {

constexpr int keys = 1000;

/// Takes part in the sort of all keys, of which `own` are sorted. Returns the sorted keys that this rank gets.
std::vector<Key> sort_all(const std::vector<Key>& own) {
  const int size = app::ranks();
  std::vector<Key> samples, splitters(size);
  for (long r = 0; r < size; ++r) samples.push_back(own[r * keys / size]);
  MPI_Allreduce(samples.data(), splitters.data(), size, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
  std::vector<std::vector<Key>> to(size);
  for (const Key key : own)
    to[std::upper_bound(splitters.begin() + 1, splitters.end(), key) - splitters.begin() - 1].push_back(key);
  std::vector<Key> sorted = app::exchange(to);
  std::ranges::sort(sorted);
  return sorted;
}

Key sum_of_all(const std::vector<Key>& own) {
  Key sum = std::reduce(own.begin(), own.end()), all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// True if the keys of all ranks are in order, and none is lost.
bool is_right(const std::vector<Key>& own, const std::vector<Key>& sorted) {
  const Key least = sorted.empty() ? ~Key{0} : sorted.front();
  Key least_after = ~Key{0};
  MPI_Sendrecv(&least, 1, MPI_UNSIGNED, app::left_neighbour(), 0, &least_after, 1, MPI_UNSIGNED, app::right_neighbour(),
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const long n = static_cast<long>(sorted.size()), up_to_here = app::sum_before(n) + n;
  const bool none_lost = app::rank() + 1 < app::ranks() || up_to_here == keys * app::ranks();
  const bool in_order = std::ranges::is_sorted(sorted) && (sorted.empty() || sorted.back() <= least_after);
  return sum_of_all(own) == sum_of_all(sorted) && none_lost && in_order;
}

}  // namespace

int main(int argc, char** argv) {
  const int sorts = app::start(argc, argv, 200);
  std::vector<Key> own(keys);
  int right = 1;
  for (Key state = app::rank() + 1, i = 0; right && i < static_cast<Key>(sorts); ++i) {
    for (Key& key : own) key = state = state * 1664525 + 1013904223;
    std::ranges::sort(own);
    right = is_right(own, sort_all(own));
    if (!right) std::fprintf(stderr, "rank %d: sort %u is wrong\n", app::rank(), i);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  }
  return app::end("sample_sort", right);
}
