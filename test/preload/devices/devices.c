// SPDX-License-Identifier: MIT
// Collectives on buffers in a GPU's memory. MPI itself cannot reach it, so every collective must be grafted.
// `devices DRIVER all|mix|managed [late|short]`: on all ranks all buffers lie there, or some on some ranks.
// `late`: the driver is loaded between two equal calls. `short`: a rank has no memory for its copy.
#define _GNU_SOURCE
#include "../programs/allocations.h"
#include "../programs/check.h"

enum { most = 30000, gap = 2 };
static const int64_t guard = (int64_t)0xA5A5A5A5A5A5A5A5;  // canaries

static int drawn;
static const char* where;
static void* driver;
static void* (*gpu_alloc)(size_t);
static void* (*gpu_alloc_managed)(size_t);
static void (*gpu_write)(void*, const void*, size_t);
static void (*gpu_read)(void*, const void*, size_t);
static long (*gpu_copied)(void);

static void find(void* function, const char* name) {
  *(void**)function = dlsym(driver, name);
  if (*(void**)function == NULL) exit(2);
}

static void load(const char* file) {
  driver = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (driver == NULL) fprintf(stderr, "%s\n", dlerror()), exit(2);
  find(&gpu_alloc, "gpu_alloc"), find(&gpu_alloc_managed, "gpu_alloc_managed");
  find(&gpu_write, "gpu_write"), find(&gpu_read, "gpu_read"), find(&gpu_copied, "gpu_copied");
}

/// A buffer somewhere, and its content in host memory.
struct buffer {
  void* address;
  size_t bytes;
  int on_gpu;
  int64_t* content;
};

static int draws_gpu(void) {
  if (strcmp(where, "mix") != 0) return 1;
  ++drawn;
  return (rank * 5 + drawn * 3 + drawn / 7) % 3 != 0;
}

static struct buffer buffer_of(int64_t* content, int64_t n) {
  struct buffer b = {.bytes = (size_t)n * sizeof *content, .on_gpu = driver != NULL && draws_gpu(), .content = content};
  b.address = !b.on_gpu                       ? malloc(b.bytes + 1)
              : strcmp(where, "managed") == 0 ? gpu_alloc_managed(b.bytes + 1)
                                              : gpu_alloc(b.bytes + 1);
  if (b.address == NULL) exit(2);
  if (b.on_gpu)
    gpu_write(b.address, content, b.bytes);
  else
    memcpy(b.address, content, b.bytes);
  return b;
}

/// Elements of this rank, or canaries.
static int64_t* numbers(int64_t n, int of_rank) {
  int64_t* const all = filled((size_t)n * sizeof *all);
  if (of_rank) small_sums.make(all, n, rank, 0);
  return all;
}
static struct buffer elements(int64_t n, int of_rank) { return buffer_of(numbers(n, of_rank), n); }

static const int64_t* read_back(struct buffer* b) {
  if (b->on_gpu)
    gpu_read(b->content, b->address, b->bytes);
  else
    memcpy(b->content, b->address, b->bytes);
  return b->content;
}

/// Compares and frees both; memory of the GPU stays.
static void expect_content(struct buffer* b, int64_t* want, const char* what) {
  expect(memcmp(read_back(b), want, b->bytes) == 0, what);
  if (!b->on_gpu) free(b->address);
  free(b->content), free(want);
}

/// Received parts lie in descending order, with gaps behind them.
static void spread(struct parts* parts) {
  int64_t place = 0;
  for (int r = size; r-- > 0; place += parts->counts[r] + gap) set_part(parts, r, parts->counts[r], place);
}

/// Puts the parts of a vector of `n` where they are received.
static int64_t* laid_out(const struct parts* parts, int64_t* vector, int64_t n, int64_t room) {
  int64_t* const all = numbers(room, 0);
  for (int r = 0; r < size; ++r)
    memcpy(all + parts->displacements[r], vector + first_of(r, size, n), (size_t)parts->counts[r] * sizeof *all);
  free(vector);
  return all;
}

static void one_call(enum collective c, int64_t n, int asks_in_place, int nonblocking) {
  const struct facts facts = facts_of(c);
  const int root = size - 1, in_place = asks_in_place && takes_in_place(c, rank, root);
  const int input_in_out = in_place || input_in_result(c, rank, root);
  struct parts parts;
  MPI_Request request = MPI_REQUEST_NULL;
  cut(&parts, rank, size, n);
  const int spreads = facts.input_part && parts.each < 0;
  if (spreads) spread(&parts);
  const int64_t room = n + spreads * gap * size, at = parts.first;
  struct buffer in = elements(n, 1);
  struct buffer out = buffer_of(laid_out(&parts, numbers(n, input_in_out), n, room), room);
  struct arguments a = {in.address, out.address, n, MPI_INT64_T, MPI_SUM, root, MPI_COMM_WORLD};
  if (facts.input_part) a.send = shifted(a.send, at * (MPI_Aint)sizeof(int64_t));
  if (in_place) a.send = MPI_IN_PLACE;
  if (facts.result_part && !in_place) a.recv = shifted(a.recv, at * (MPI_Aint)sizeof(int64_t));
  if (facts.rooted && !facts.one_buffer && rank != root) a.recv = (void*)8;
  call_function(c, plain_form, &a, has_parts(c) ? &parts : NULL, nonblocking ? &request : NULL);
  if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
  int64_t* want = numbers(n, input_in_out);
  put_result(&small_sums, c, rank, size, root, n, want);
  if (in_place && facts.result_part) {  // it is at the start, and what follows is open
    memmove(want, want + at, (size_t)parts.count * sizeof *want);
    out.bytes = (size_t)parts.count * sizeof *want;
    expect_content(&out, want, collective_names[c]);
  } else {
    expect_content(&out, laid_out(&parts, want, n, room), collective_names[c]);
  }
  expect_content(&in, numbers(n, 1), "the input");
  free_parts(&parts);
}

static void all_calls(int nonblocking) {
  static const int64_t lengths[] = {1, most - 1, most};  // in parts of one length, and of two
  for (enum collective c = 0; c < collective_count; ++c)
    for (int i = 0; i < 3; ++i)
      for (int in_place = 0; in_place < 2; ++in_place) one_call(c, lengths[i], in_place, nonblocking);
}

static char* worked_on;  // by the GPU, while an operator of the program runs

static void add_pairs(void* lower, void* upper, int* count, MPI_Datatype* type) {
  (void)type;
  const int64_t *a = lower, two = 2;
  int64_t* b = upper;
  for (int i = 0; i < *count; ++i, a += 3, b += 3) b[0] += a[0], b[1] += a[1];
  if (worked_on) gpu_write(worked_on, &two, sizeof two);
}

/// Elements of two numbers and a gap, in which the GPU works meanwhile.
static void gaps(int count) {
  const int n = 3 * count;
  MPI_Datatype pair = contiguous_type(2, MPI_INT64_T), with_gap;
  MPI_Op op;
  MPI_Type_create_resized(pair, 0, 3 * sizeof(int64_t), &with_gap);
  MPI_Type_commit(&with_gap);
  MPI_Op_create(add_pairs, 1, &op);
  struct buffer in = elements(n, 1), out = elements(n, 0), one = elements(n, 1);
  int64_t *sums = numbers(n, 0), *of_first = numbers(n, 1);
  combine_ranks(&small_sums, 0, size, 0, n, sums);
  for (int i = 0; i < n; ++i) sums[i] = i % 3 == 2 ? guard : sums[i], of_first[i] = small(i % 3 == 2 ? rank : 0, i);
  worked_on = out.on_gpu ? (char*)out.address + 2 * sizeof(int64_t) : NULL;
  MPI_Allreduce(in.address, out.address, count, with_gap, op, MPI_COMM_WORLD);
  if (worked_on && read_back(&out)[2] != guard) sums[2] = 2;
  worked_on = NULL;
  expect_content(&out, sums, "allreduce with gaps");
  MPI_Bcast(one.address, count, with_gap, 0, MPI_COMM_WORLD);
  expect_content(&one, of_first, "bcast with gaps");
  MPI_Op_free(&op);
  MPI_Type_free(&with_gap);
  MPI_Type_free(&pair);
}

/// Two elements by their absolute addresses, the higher one first.
static void from_bottom(void) {
  struct buffer one = elements(4, rank == 0);
  MPI_Aint at[2];
  MPI_Datatype type;
  int lengths[2] = {1, 1};
  MPI_Get_address((char*)one.address + 3 * sizeof(int64_t), &at[0]);
  MPI_Get_address((char*)one.address + sizeof(int64_t), &at[1]);
  MPI_Type_create_hindexed(2, lengths, at, MPI_INT64_T, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
  int64_t* const want = numbers(4, rank == 0);
  want[3] = small(0, 3), want[1] = small(0, 1);
  expect_content(&one, want, "from MPI_BOTTOM");
  MPI_Type_free(&type);
}

/// A call of mpigraft.h: the greatest prefix sum, which is that of the last rank.
static void compositions(int count) {
  int (*scan_allreduce)(const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Op, int, MPI_Comm);
  *(void**)&scan_allreduce = dlsym(RTLD_DEFAULT, "MPIGRAFT_Scan_allreduce");
  if (scan_allreduce == NULL) exit(2);
  for (int in_place = 0; in_place < 2; ++in_place) {
    struct buffer in = elements(count, 1), out = elements(count, in_place);
    int64_t* const want = numbers(count, 0);
    scan_allreduce(in_place ? MPI_IN_PLACE : in.address, out.address, count, MPI_INT64_T, MPI_SUM, MPI_MAX, 0,
                   MPI_COMM_WORLD);
    put_result(&small_sums, allreduce, rank, size, 0, count, want);
    expect_content(&out, want, "scan and allreduce");
  }
}

static int refuses(size_t bytes) { return bytes > 8 << 20; }

/// A broadcast whose root has no memory for its copy fails on all ranks.
static void without_memory(void) {
  enum { long_vector = 4 << 20 };
  where = "all";
  struct buffer b = elements(long_vector, 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  looks_at_allocations = rank == size - 1;
  const int code = MPI_Bcast(b.address, long_vector, MPI_INT64_T, size - 1, MPI_COMM_WORLD);
  looks_at_allocations = 0;
  expect(class_of(code) == MPI_ERR_NO_MEM, "class of a bcast without memory");
  expect_content(&b, numbers(long_vector, 1), "bcast without memory");
  all_calls(0);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc < 3) return 2;
  where = argv[2];
  const char* const how = argc > 3 ? argv[3] : "";
  const char* const slash = strrchr(argv[1], '/');
  if (dlopen(slash ? slash + 1 : argv[1], RTLD_LAZY | RTLD_NOLOAD)) skip("MPI has loaded the real driver");
  if (strcmp(how, "late") != 0) load(argv[1]);
  for (int round = 0; round < 2; ++round) {
    for (int nonblocking = 0; nonblocking < 2; ++nonblocking) all_calls(nonblocking);
    gaps(2), gaps(1000);
    from_bottom();
    compositions(1), compositions(most);
    if (!driver) load(argv[1]);
  }
  if (strcmp(how, "short") == 0) without_memory();
  const long copied = gpu_copied();
  dlclose(driver);
  driver = NULL;  // from now on buffers are in host memory
  all_calls(0);
  const int copies = strcmp(where, "managed") != 0 || getenv("GPU_NEEDS_MANAGED_COPIES");
  expect(copies ? copied > 0 : copied == 0, "the number of bytes copied");
  end_section("devices");
  return finish();
}
