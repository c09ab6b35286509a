// SPDX-License-Identifier: MIT
// Random scenes of messages and waits, alike on all ranks: prints a checksum of every status, return code and byte that
// MPI has given to all of them. Arguments: seed, number of scenes, and to see a difference between two runs in full,
// the number of the first scene and the word verbose.
#include <unistd.h>

#include "waits.h"

enum { scenes_of_a_line = 100, most_ranks = 64 };

static void send_one(enum send form, const struct buffer* b, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == bsend) attach(b->count * b->shape->size);
  int code = send_by(form, b, to, tag, comm, &request);
  if (request != MPI_REQUEST_NULL) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (form == bsend) detach();
  note("sent by %d: class %d", form, class_of(code));
}

/// How a message is received. A probe's status has the count of what is coming; its length decides the buffer.
struct receipt {
  enum { unprobed, probe, mprobe, iprobe, improbe, probe_forms } probed;
  enum { recv, irecv, recv_large, recv_ignoring, receive_forms } by;
  enum { by_both, from_any, any_tag, wild_forms } wild;
};

static void receive_one(struct receipt how, struct buffer b, int from, int tag, MPI_Comm comm) {
  const MPI_Datatype type = b.shape->type;
  MPI_Status status = blank(), found = blank();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = 0, code = MPI_SUCCESS;
  if (how.wild == from_any) from = MPI_ANY_SOURCE;
  if (how.wild == any_tag) tag = MPI_ANY_TAG;
  if (how.probed == probe) MPI_Probe(from, tag, comm, &found);
  if (how.probed == mprobe) MPI_Mprobe(from, tag, comm, &message, &found);
  while (how.probed == iprobe && !flag) MPI_Iprobe(from, tag, comm, &flag, &found);
  while (how.probed == improbe && !flag) MPI_Improbe(from, tag, comm, &flag, &message, &found);
  if (how.probed != unprobed) {
    int count;
    note_status(message == MPI_MESSAGE_NO_PROC ? "no process" : "probed", MPI_SUCCESS, &found, type);
    MPI_Get_count(&found, type, &count);
    b = empty_buffer(b.shape, count), from = found.MPI_SOURCE, tag = found.MPI_TAG;
  }
  if (message != MPI_MESSAGE_NULL && how.by == irecv)
    MPI_Imrecv(b.data, b.count, type, &message, &request);
  else if (message != MPI_MESSAGE_NULL)
    code = MPI_Mrecv(b.data, b.count, type, &message, &status);
  else if (how.by == irecv)
    MPI_Irecv(b.data, b.count, type, from, tag, comm, &request);
  else if (how.by == recv_large)
    code = MPI_Recv_c(b.data, b.count, type, from, tag, comm, &status);
  else
    code = MPI_Recv(b.data, b.count, type, from, tag, comm, how.by == recv ? &status : MPI_STATUS_IGNORE);
  if (request != MPI_REQUEST_NULL) code = MPI_Wait(&request, &status);
  note_status("received", code, &status, type);
  note_buffer("received", &b, 0);
}

/// One message, and perhaps an answer, or to nobody and from nobody; all others go on to the next scene.
static void pair(const struct place* at) {
  static const enum send forms[] = {send, ssend, bsend, send_large, ssend_large, issend};
  const enum send sent_by = forms[draw(6)];
  const int answered = chance(50), room = chance(50) * draw(9), alone = chance(8);
  const struct receipt how = {draw(probe_forms), draw(receive_forms), alone ? by_both : draw(wild_forms)};
  const struct shape* shape = &shapes[draw(shape_count)];
  const int a = draw(at->size), b = (a + 1 + draw(at->size > 1 ? at->size - 1 : 1)) % at->size;
  const int count = draw_bytes() / shape->size, other = alone ? MPI_PROC_NULL : at->rank == a ? b : a;
  if (!alone && (at->size == 1 || (at->rank != a && at->rank != b))) return;
  const struct buffer mine = full_buffer(shape, count, 0);
  for (int turn = 0; turn <= (answered || alone); ++turn)
    if (alone ? turn == 0 : (at->rank == a) == (turn == 0))
      send_one(sent_by, &mine, other, scene_tag(turn), at->comm);
    else
      receive_one(how, empty_buffer(shape, count + room), other, scene_tag(turn), at->comm);
}

/// A ring of random distance: this rank's neighbours. With distance 0 a rank has itself.
struct ring {
  int to, from;
};
static struct ring draw_ring(const struct place* at) {
  const int distance = draw(at->size);
  return (struct ring){(at->rank + distance) % at->size, (at->rank - distance + at->size) % at->size};
}

/// Exchanges round a ring, which may end at nobody.
static void sendrecv(const struct place* at) {
  enum { both, replace, both_large, begun };
  const int form = draw(MPI_VERSION < 4 ? begun : begun + 1), open = chance(20) && form != begun, any = draw(3);
  // In MPICH 4.0 MPI_Isendrecv frees a derived type that it was given, and hangs where it sends to nobody.
  const struct shape* shape = &shapes[draw(form == begun ? 2 : shape_count)];
  const int count = draw_bytes() / shape->size, tag = scene_tag(0);
  struct ring ring = draw_ring(at);
  if (open && at->rank == at->size - 1) ring.to = MPI_PROC_NULL;
  if (open && ring.from == at->size - 1) ring.from = MPI_PROC_NULL;
  const int source = any == 1 && ring.from != MPI_PROC_NULL ? MPI_ANY_SOURCE : ring.from;
  const struct buffer mine = full_buffer(shape, count, 0), theirs = empty_buffer(shape, count + 3);
  MPI_Status status = blank();
  int code = MPI_SUCCESS;
#define SENT mine.data, count, shape->type, ring.to, tag
#define RECEIVED theirs.data, count + 3, shape->type, FROM
#define FROM source, any == 2 ? MPI_ANY_TAG : tag, at->comm
  if (form == both) code = MPI_Sendrecv(SENT, RECEIVED, &status);
  if (form == replace) code = MPI_Sendrecv_replace(SENT, FROM, &status);
  if (form == both_large) code = MPI_Sendrecv_c(SENT, RECEIVED, &status);
#if MPI_VERSION >= 4
  if (form == begun) {
    MPI_Request request;
    MPI_Isendrecv(SENT, RECEIVED, &request);
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
#endif
  note_status("sendrecv", code, &status, shape->type);
  note_buffer("sendrecv", form == replace ? &mine : &theirs, 0);
}

/// Calls that MPI refuses.
static void refused(const struct place* at) {
  char byte = 1;
  MPI_Status status = blank();
  MPI_Request request = MPI_REQUEST_NULL;
  const int codes[] = {MPI_Recv(&byte, -1, MPI_BYTE, 0, 3, at->comm, &status),
                       MPI_Send(&byte, 1, MPI_BYTE, at->size, 3, at->comm),
                       MPI_Recv(&byte, 1, MPI_BYTE, 0, -7, at->comm, &status),
                       MPI_Recv(&byte, 1, MPI_DATATYPE_NULL, 0, 3, at->comm, &status),
                       MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE),
                       MPI_Probe(at->size, 3, at->comm, &status)};
  for (int i = 0; i < 6; ++i) note("refused: class %d", class_of(codes[i]));
  note_status("refused", codes[0], &status, MPI_BYTE);
}

static int query(void* state, MPI_Status* status) {
  status->MPI_SOURCE = 5, status->MPI_TAG = 6;
  MPI_Status_set_elements(status, MPI_INT64_T, *(int*)state);
  MPI_Status_set_cancelled(status, *(int*)state % 2);
  return MPI_SUCCESS;
}
static int let_go(void* state) { return *(int*)state = -1, MPI_SUCCESS; }
static int cancel(void* state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

/// Null requests, generalised ones, and receives that are cancelled.
static void join_others(struct crowd* crowd, int* state, int from, MPI_Comm comm) {
  for (int nulls = draw(3); nulls > 0; --nulls) joining(crowd, waits, NULL);
  if (chance(20)) {
    MPI_Request* const request = joining(crowd, waits, NULL);
    MPI_Grequest_start(query, let_go, cancel, state, request);
    MPI_Grequest_complete(*request);
  }
  if (chance(15)) {
    const struct buffer never = empty_buffer(shapes, 9);
    MPI_Request* const request = joining(crowd, receives, &never);
    MPI_Irecv(never.data, 9, MPI_BYTE, from, scene_tag(9), comm, request);
    MPI_Cancel(request);
  }
}

/// Ignores statuses; what blocks meanwhile waits for another message than those under way.
static void complete_unattended(struct crowd* c, struct ring ring, MPI_Comm comm) {
  int which, word = rank;
  MPI_Sendrecv_replace(&word, 1, MPI_INT, ring.to, scene_tag(10), ring.from, scene_tag(10), comm, MPI_STATUS_IGNORE);
  if (chance(50)) MPI_Waitany(c->n, c->requests, &which, MPI_STATUS_IGNORE);
  MPI_Waitall(c->n, c->requests, MPI_STATUSES_IGNORE);
  note("unattended: word %d", word);
}

/// Several messages at once among other requests. One of them may be too long.
static void ring(const struct place* at) {
  const int k = 1 + draw(4), receives_first = chance(50), torn_one = chance(8) ? draw(k) : -1, unattended = chance(10);
  const enum completion completion = draw(completion_forms);
  const struct ring ring = draw_ring(at);
  int torn = -1, state = 3 + draw(2), bytes = 0, out[4];
  struct crowd crowd = {0};
  struct buffer mine[4], theirs[4];
  for (int i = 0; i < k; ++i) {
    const struct shape* shape = &shapes[draw(shape_count)];
    int count = draw_bytes() / shape->size, more = chance(30) * draw(7);
    if (i == torn_one) count += 5, more = -1 - draw(5);
    mine[i] = full_buffer(shape, count, i), theirs[i] = empty_buffer(shape, count + more);
    out[i] = draw(send_init), bytes += count * shape->size + MPI_BSEND_OVERHEAD;
  }
  attach(bytes);
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < k; ++i) {
      if ((half == 0) != receives_first) {
        send_by(out[i], &mine[i], ring.to, scene_tag(i), at->comm, joining(&crowd, sends, &mine[i]));
        continue;
      }
      const int any = draw(4);
      if (i == torn_one) torn = crowd.n;
      MPI_Irecv(theirs[i].data, theirs[i].count, theirs[i].shape->type, any == 1 ? MPI_ANY_SOURCE : ring.from,
                any == 2 ? MPI_ANY_TAG : scene_tag(i), at->comm, joining(&crowd, receives, &theirs[i]));
    }
  join_others(&crowd, &state, ring.from, at->comm);
  if (unattended && torn < 0)
    complete_unattended(&crowd, ring, at->comm);
  else
    complete(completion, &crowd);
  detach();
  note("state %d", release_is_open(torn) ? 0 : state);  // a generalised request's, -1 once MPI has let go of it
  note_crowd(&crowd, torn);
}

/// Started several times; waited for also when inactive.
static void persistent(const struct place* at) {
  const int k = 1 + draw(3), rounds = 1 + draw(3), all = chance(50), open = chance(20);
  const enum completion completion = draw(completion_forms);
  const struct ring ring = draw_ring(at);
  struct crowd crowd = {0};
  for (int i = 0; i < k; ++i) {
    const struct shape* shape = &shapes[draw(shape_count)];
    const int count = draw_bytes() / shape->size;
    const struct buffer theirs = empty_buffer(shape, count), mine = full_buffer(shape, count, i);
    MPI_Recv_init(theirs.data, count, shape->type, ring.from, scene_tag(i), at->comm,
                  joining(&crowd, receives, &theirs));
    send_by(send_init + draw(2), &mine, ring.to, scene_tag(i), at->comm, joining(&crowd, sends, &mine));
  }
  if (open) MPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 1, at->comm, joining(&crowd, waits, NULL));
  for (int round = 0; round < rounds; ++round) {
    complete(completion, &crowd);  // all are inactive
    note_crowd(&crowd, -1);
    if (all) MPI_Startall(crowd.n, crowd.requests);
    for (int i = 0; i < crowd.n && !all; ++i) MPI_Start(&crowd.requests[i]);
    complete((completion + round) % completion_forms, &crowd);
    note_crowd(&crowd, -1);
  }
  for (int i = 0; i < crowd.n; ++i) MPI_Request_free(&crowd.requests[i]);
}

static void sum(const struct place* at) {
  const int64_t mine = at->rank;
  int64_t all = 0;
  const int code = MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, at->comm);
  note("sum: class %d, %lld", class_of(code), (long long)all);
}

static const struct weighted {
  const char* name;
  void (*play)(const struct place*);
  int weight;
} scenes[] = {{"pair", pair, 25}, {"sendrecv", sendrecv, 12},    {"refused", refused, 1},
              {"ring", ring, 28}, {"persistent", persistent, 5}, {"sum", sum, 8}};
enum { weights = 79 };

static void play(uint64_t seed, const struct place places[place_count]) {
  generator = mixed(seed * 0x9fb21c651e98df25u + (uint64_t)scene_number);
  pool_used = 0;
  const struct weighted* scene = scenes;
  for (int left = draw(weights); left >= scene->weight; ++scene) left -= scene->weight;
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
  if ((pool = malloc(pool_bytes)) == NULL) return 2;
  struct kind gappy = make_gappy_kind();
  make_shapes(&gappy);
  make_places(places);
  for (int i = 0; i < place_count; ++i) MPI_Comm_set_errhandler(places[i].comm, MPI_ERRORS_RETURN);
  for (scene_number = first; scene_number < first + count;) {
    play(seed, places);
    if (++scene_number % scenes_of_a_line != 0 && scene_number < first + count) continue;
    char line[60];
    snprintf(line, sizeof line, "seed %" PRIu64 " up to scene %d", seed, scene_number);
    end_section(line);
  }
  free_kind(&gappy);
  free_places(places);
  free(pool);
  return finish();
}
