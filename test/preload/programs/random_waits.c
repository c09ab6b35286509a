// SPDX-License-Identifier: MIT
// Random scenes of messages and waits, alike on all ranks: prints a digest of every status, return code and byte that
// MPI has given to all of them. Arguments: seed, number of scenes, and to see a difference between two runs in full,
// the number of the first scene and the word verbose.
#include "waits_requests.h"

enum { scenes_of_a_line = 100 };

static void sum(const struct place* at) {
  const int64_t mine = at->rank;
  int64_t all = 0;
  const int code = MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, at->comm);
  note("sum: class %d, %lld", class_of(code), (long long)all);
}

struct scene {
  const char* name;
  void (*play)(const struct place*);
  int weight;
};
static const struct scene scenes[] = {
    {"pair", pair, 24}, {"sendrecv", sendrecv, 12},    {"nobody", to_nobody, 2},      {"refused", refused, 1},
    {"ring", ring, 24}, {"persistent", persistent, 5}, {"unattended", unattended, 4}, {"sum", sum, 8},
};
enum { scene_count = sizeof scenes / sizeof scenes[0] };

static const struct scene* draw_scene(void) {
  int all = 0, i = 0;
  for (int k = 0; k < scene_count; ++k) all += scenes[k].weight;
  for (int left = draw(all); left >= scenes[i].weight; ++i) left -= scenes[i].weight;
  return &scenes[i];
}

static void play(uint64_t seed, const struct place places[place_count]) {
  generator = mixed(seed * 0x9fb21c651e98df25u + (uint64_t)scene_number);
  pool_used = 0;
  const struct scene* scene = draw_scene();
  const struct place* at = &places[draw(place_count)];
  const int late = chance(3) ? draw(size) : -1;
  note("%s in %d of %d", scene->name, at->rank, at->size);
  if (rank == late) usleep(500);
  scene->play(at);
}

int main(int argc, char** argv) {
  struct place places[place_count];
  start(&argc, &argv);
  if (size < 2 || size > most_ranks) return 2;
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const int count = argc > 2 ? atoi(argv[2]) : 1000, first = argc > 3 ? atoi(argv[3]) : 0;
  verbose = argc > 4;
  pool = malloc(pool_bytes);
  if (pool == NULL) return 2;
  make_shapes();
  make_places(places);
  for (int i = 0; i < place_count; ++i) MPI_Comm_set_errhandler(places[i].comm, MPI_ERRORS_RETURN);
  for (scene_number = first; scene_number < first + count;) {
    play(seed, places);
    if (++scene_number % scenes_of_a_line != 0 && scene_number < first + count) continue;
    char line[60];
    checksum = digest, digest = 0;
    snprintf(line, sizeof line, "seed %" PRIu64 " up to scene %d", seed, scene_number);
    end_section(line);
  }
  free_shapes();
  free_places(places);
  free(pool);
  return finish();
}
