// SPDX-License-Identifier: MIT
// Sorts keys that are spread over the ranks: splitters from samples, everything to everybody, places by a prefix sum.
#include <string.h>

#include "app.h"

enum { keys = 1000, most_ranks = 256 };

static int in_order(const void* a, const void* b) {
  const unsigned x = *(const unsigned*)a, y = *(const unsigned*)b;
  return (x > y) - (x < y);
}

static unsigned next_key(unsigned* state) { return *state = *state * 1664525 + 1013904223; }

/// Takes part in the sort of all keys, of which `own` are sorted. Returns the number of sorted keys that this rank got,
/// in *sorted.
static int exchange(const unsigned* own, unsigned** sorted) {
  static unsigned samples[most_ranks], splitters[most_ranks];
  static int counts[most_ranks], places[most_ranks], theirs[most_ranks], their_places[most_ranks];
  for (int i = 0; i < size; ++i) splitters[i] = own[(long)i * keys / size];
  memcpy(samples, splitters, sizeof samples);
  MPI_Allreduce(samples, splitters, size, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
  memset(counts, 0, sizeof counts);
  for (int i = 0, to = 0; i < keys; ++i) {
    while (to + 1 < size && own[i] >= splitters[to + 1]) ++to;
    ++counts[to];
  }
  MPI_Alltoall(counts, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
  int total = 0;
  for (int i = 0, sent = 0; i < size; sent += counts[i], total += theirs[i], ++i)
    places[i] = sent, their_places[i] = total;
  *sorted = realloc(*sorted, sizeof(unsigned) * (total + 1));
  MPI_Alltoallv(own, counts, places, MPI_UNSIGNED, *sorted, theirs, their_places, MPI_UNSIGNED, MPI_COMM_WORLD);
  qsort(*sorted, total, sizeof(unsigned), in_order);
  return total;
}

/// True if the keys of all ranks are in order, and none is lost.
static int sorted_right(const unsigned* sorted, int n, unsigned sum) {
  int before = 0, all = 0, right = 1;
  unsigned own = 0, sum_after = 0, sum_before = 0, least = n > 0 ? sorted[0] : ~0u, least_after = ~0u;
  MPI_Exscan(&n, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) own += sorted[i], right = right && (i == 0 || sorted[i - 1] <= sorted[i]);
  MPI_Allreduce(&own, &sum_after, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&sum, &sum_before, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
  MPI_Sendrecv(&least, 1, MPI_UNSIGNED, left_neighbour(), 0, &least_after, 1, MPI_UNSIGNED, right_neighbour(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  all = (rank > 0 ? before : 0) + n;
  if (rank + 1 == size) right = right && all == keys * size;
  return right && sum_before == sum_after && (n == 0 || sorted[n - 1] <= least_after);
}

int main(int argc, char** argv) {
  const int sorts = start(&argc, &argv, 200);
  unsigned own[keys], state = rank + 1, *sorted = NULL;
  int right = size <= most_ranks;
  for (int i = 0; right && i < sorts; ++i) {
    unsigned sum = 0;
    for (int k = 0; k < keys; ++k) sum += own[k] = next_key(&state);
    qsort(own, keys, sizeof own[0], in_order);
    const int n = exchange(own, &sorted);
    right = sorted_right(sorted, n, sum) || (fprintf(stderr, "rank %d: sort %d is wrong\n", rank, i), 0);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  }
  free(sorted);
  return end("sample_sort", right);
}
