// SPDX-License-Identifier: MIT
// Collectives on buffers in a GPU's memory. MPI itself cannot reach it, so every collective must be grafted.
// `devices DRIVER all|mix|managed [late|blocking|short]`: on all ranks all buffers lie there, or some on some ranks.
// `late`: the driver is loaded between two equal calls. `blocking`: makes the calls that aware_mpi.c brings to MPI.
// `short`: a rank has no memory for its copy.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef int64_t I;
enum { most = 30000, guard = -77 };

static int rank, size, wrong, drawn;
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
struct Buffer {
  void* address;
  size_t bytes;
  int on_gpu;
  I* content;
};

static int draws_gpu(void) {
  if (strcmp(where, "mix") != 0) return 1;
  ++drawn;
  return (rank * 5 + drawn * 3 + drawn / 7) % 3 != 0;
}

/// A buffer of `count` numbers of which number i is first + i * step.
static struct Buffer buffer(int count, I first, I step) {
  struct Buffer b = {.bytes = (size_t)count * sizeof(I), .on_gpu = driver != NULL && draws_gpu()};
  b.content = malloc(b.bytes);
  for (int i = 0; i < count; ++i) b.content[i] = first + i * step;
  b.address = !b.on_gpu                       ? malloc(b.bytes)
              : strcmp(where, "managed") == 0 ? gpu_alloc_managed(b.bytes)
                                              : gpu_alloc(b.bytes);
  if (b.address == NULL) exit(2);
  if (b.on_gpu)
    gpu_write(b.address, b.content, b.bytes);
  else
    memcpy(b.address, b.content, b.bytes);
  return b;
}

static const I* read_back(struct Buffer* b) {
  if (b->on_gpu)
    gpu_read(b->content, b->address, b->bytes);
  else
    memcpy(b->content, b->address, b->bytes);
  return b->content;
}

static void expect(I got, I want, const char* what, int at) {
  if (got == want || wrong++ > 5) return;
  printf("rank %d: %s: element %d is %" PRId64 " instead of %" PRId64 "\n", rank, what, at, got, want);
}

/// The sum over ranks lo..hi-1 of the inputs that fill() makes.
static I sum(int lo, int hi, int i) {
  I all = 0;
  for (int r = lo; r < hi; ++r) all += 1000 * (r + 1) + i;
  return all;
}
static struct Buffer input(int count) { return buffer(count, 1000 * (rank + 1), 1); }
static struct Buffer result(int count) { return buffer(count, guard, 0); }

static void compare(struct Buffer* b, int count, int lo, int hi, int from, const char* what) {
  const I* const got = read_back(b);
  for (int i = 0; i < count; ++i) expect(got[i], lo < hi ? sum(lo, hi, from + i) : guard, what, i);
}

static void finish(MPI_Request* request) {
  if (*request != MPI_REQUEST_NULL) MPI_Wait(request, MPI_STATUS_IGNORE);
}
#define BOTH(name, nonblocking_name, ...)                                       \
  (nonblocking ? MPI_I##nonblocking_name(__VA_ARGS__, MPI_COMM_WORLD, &request) \
               : MPI_##name(__VA_ARGS__, MPI_COMM_WORLD)),                      \
      finish(&request)

static void prefixes(int count, int nonblocking) {
  MPI_Request request = MPI_REQUEST_NULL;
  struct Buffer in = input(count), out = result(count), self = input(count), ex = result(count), both = input(count);
  BOTH(Scan, scan, in.address, out.address, count, MPI_INT64_T, MPI_SUM);
  compare(&out, count, 0, rank + 1, 0, "scan");
  BOTH(Scan, scan, MPI_IN_PLACE, self.address, count, MPI_INT64_T, MPI_SUM);
  compare(&self, count, 0, rank + 1, 0, "scan in place");
  BOTH(Exscan, exscan, in.address, ex.address, count, MPI_INT64_T, MPI_SUM);
  compare(&ex, count, 0, rank, 0, "exscan");  // the first rank's buffer stays as it is
  BOTH(Exscan, exscan, MPI_IN_PLACE, both.address, count, MPI_INT64_T, MPI_SUM);
  compare(&both, count, 0, rank ? rank : 1, 0, "exscan in place");
  compare(&in, count, rank, rank + 1, 0, "input");
}

static void to_one_or_all(int count, int nonblocking) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int root = size - 1;
  struct Buffer in = input(count), out = result(count), all = result(count), self = input(count), one = input(count);
  BOTH(Reduce, reduce, in.address, rank == root ? out.address : (void*)8, count, MPI_INT64_T, MPI_SUM, root);
  compare(&out, count, 0, rank == root ? size : 0, 0, "reduce");
  BOTH(Reduce, reduce, rank == root ? MPI_IN_PLACE : self.address, rank == root ? self.address : (void*)8, count,
       MPI_INT64_T, MPI_SUM, root);
  compare(&self, count, rank == root ? 0 : rank, rank == root ? size : rank + 1, 0, "reduce in place");
  BOTH(Allreduce, allreduce, in.address, all.address, count, MPI_INT64_T, MPI_SUM);
  compare(&all, count, 0, size, 0, "allreduce");
  BOTH(Bcast, bcast, one.address, count, MPI_INT64_T, root);
  compare(&one, count, root, root + 1, 0, "bcast");
}

/// Rank r has 2 + 3 r elements, in one buffer with a gap of 2 behind each part, the last rank's part first.
static void parts(int scale, int nonblocking) {
  MPI_Request request = MPI_REQUEST_NULL;
  int counts[64], places[64], whole = 0, gapped = 0, first = 0;
  for (int r = size; r-- > 0;) {
    counts[r] = (2 + 3 * r) * scale, places[r] = gapped;
    gapped += counts[r] + 2, whole += counts[r];
  }
  for (int r = 0; r < rank; ++r) first += counts[r];
  struct Buffer in = input(counts[rank]), out = result(gapped), vector = input(whole), part = result(counts[rank]),
                self = input(whole), equal = result(size * scale);
  BOTH(Allgatherv, allgatherv, in.address, counts[rank], MPI_INT64_T, out.address, counts, places, MPI_INT64_T);
  const I* const got = read_back(&out);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < counts[r]; ++i) expect(got[places[r] + i], 1000 * (r + 1) + i, "allgatherv", i);
    for (int i = 0; i < 2; ++i) expect(got[places[r] + counts[r] + i], guard, "allgatherv, gap", i);
  }
  BOTH(Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.address, counts, places, MPI_INT64_T);
  read_back(&out);
  for (int r = 0; r < size; ++r) expect(out.content[places[r]], 1000 * (r + 1), "allgatherv in place", r);
  BOTH(Allgather, allgather, in.address, scale, MPI_INT64_T, equal.address, scale, MPI_INT64_T);
  read_back(&equal);
  for (int i = 0; i < size * scale; ++i) expect(equal.content[i], 1000 * (i / scale + 1) + i % scale, "allgather", i);
  BOTH(Reduce_scatter, reduce_scatter, vector.address, part.address, counts, MPI_INT64_T, MPI_SUM);
  compare(&part, counts[rank], 0, size, first, "reduce_scatter");
  BOTH(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, self.address, counts, MPI_INT64_T, MPI_SUM);
  compare(&self, counts[rank], 0, size, first, "reduce_scatter in place");
}

static char* worked_on;  // by the GPU, while an operator of the program runs

static void add_pairs(void* lower, void* upper, int* count, MPI_Datatype* type) {
  (void)type;
  const I *a = lower, two = 2;
  I* b = upper;
  for (int i = 0; i < *count; ++i, a += 3, b += 3) b[0] += a[0], b[1] += a[1];
  if (worked_on) gpu_write(worked_on, &two, sizeof two);
}

/// Elements of two numbers and a gap, in which the GPU works meanwhile.
static void gaps(int count) {
  MPI_Datatype pair, with_gap;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_INT64_T, &pair);
  MPI_Type_create_resized(pair, 0, 3 * sizeof(I), &with_gap);
  MPI_Type_commit(&with_gap);
  MPI_Op_create(add_pairs, 1, &op);
  struct Buffer in = input(3 * count), out = result(3 * count), one = input(3 * count);
  worked_on = out.on_gpu ? (char*)out.address + 2 * sizeof(I) : NULL;
  MPI_Allreduce(in.address, out.address, count, with_gap, op, MPI_COMM_WORLD);
  read_back(&out);
  for (int i = 0; i < 3 * count; ++i)
    if (i != 2) expect(out.content[i], i % 3 == 2 ? guard : sum(0, size, i), "allreduce with gaps", i);
  if (worked_on && out.content[2] != guard) expect(out.content[2], 2, "work in a gap", 2);
  worked_on = NULL;
  MPI_Bcast(one.address, count, with_gap, 0, MPI_COMM_WORLD);
  read_back(&one);
  for (int i = 0; i < 3 * count; ++i)
    expect(one.content[i], 1000 * (i % 3 == 2 ? rank + 1 : 1) + i, "bcast with gaps", i);
  MPI_Op_free(&op);
  MPI_Type_free(&with_gap);
  MPI_Type_free(&pair);
}

/// The same elements by their absolute addresses, the higher one first.
static void from_bottom(void) {
  struct Buffer in = input(4), out = result(4);
  MPI_Aint at[2][2];
  MPI_Datatype type[2];
  int lengths[2] = {1, 1};
  for (int b = 0; b < 2; ++b) {
    char* const address = b ? out.address : in.address;
    MPI_Get_address(address + 3 * sizeof(I), &at[b][0]);
    MPI_Get_address(address + sizeof(I), &at[b][1]);
    MPI_Type_create_hindexed(2, lengths, at[b], MPI_INT64_T, &type[b]);
    MPI_Type_commit(&type[b]);
  }
  MPI_Bcast(MPI_BOTTOM, 1, type[rank != 0], 0, MPI_COMM_WORLD);
  struct Buffer* const got = rank ? &out : &in;
  read_back(got);
  expect(got->content[3], 1003, "from MPI_BOTTOM", 3);
  expect(got->content[1], 1001, "from MPI_BOTTOM", 1);
  expect(got->content[2], rank ? guard : 1002, "from MPI_BOTTOM", 2);
  for (int b = 0; b < 2; ++b) MPI_Type_free(&type[b]);
}

/// A call of mpigraft.h: the greatest prefix sum, which is that of the last rank.
static void compositions(int count) {
  int (*scan_allreduce)(const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Op, int, MPI_Comm);
  *(void**)&scan_allreduce = dlsym(RTLD_DEFAULT, "MPIGRAFT_Scan_allreduce");
  if (scan_allreduce == NULL) exit(2);
  struct Buffer in = input(count), out = result(count), self = input(count);
  scan_allreduce(in.address, out.address, count, MPI_INT64_T, MPI_SUM, MPI_MAX, 0, MPI_COMM_WORLD);
  compare(&out, count, 0, size, 0, "scan and allreduce");
  scan_allreduce(MPI_IN_PLACE, self.address, count, MPI_INT64_T, MPI_SUM, MPI_MAX, 0, MPI_COMM_WORLD);
  compare(&self, count, 0, size, 0, "scan and allreduce in place");
}

/// A broadcast whose root has no memory for its copy fails on all ranks.
static void without_memory(void) {
  enum { elements = 4 << 20 };
  struct Buffer b = input(elements);
  const int root = size - 1;
  int class = MPI_SUCCESS;
  struct rlimit before, tight;
  long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1) exit(2);
  fclose(file);
  getrlimit(RLIMIT_AS, &before);
  tight = before, tight.rlim_cur = (rlim_t)pages * 4096 + (8 << 20);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == root) setrlimit(RLIMIT_AS, &tight);
  const int code = MPI_Bcast(b.address, elements, MPI_INT64_T, root, MPI_COMM_WORLD);
  setrlimit(RLIMIT_AS, &before);
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  expect(class, MPI_ERR_NO_MEM, "class of a bcast without memory", 0);
  read_back(&b);
  for (int i = 0; i < elements; i += 1000) expect(b.content[i], 1000 * (rank + 1) + i, "bcast without memory", i);
  to_one_or_all(most, 0);
}

static void synchronize(void) {
  for (int r = 0; r < size; ++r)
    for (int s = 0; s < size; ++s)
      if (rank == r && s != r)
        MPI_Send(NULL, 0, MPI_BYTE, s, 1, MPI_COMM_WORLD);
      else if (rank == s && s != r)
        MPI_Recv(NULL, 0, MPI_BYTE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3) return 2;
  where = argv[2];
  const char* const how = argc > 3 ? argv[3] : "";
  const int blocking = strcmp(how, "blocking") == 0;
  if (strcmp(how, "late") != 0) load(argv[1]);
  for (int round = 0; round < 2; ++round) {
    for (int nonblocking = 0; nonblocking < 2 - blocking; ++nonblocking) {
      prefixes(1, nonblocking), prefixes(most, nonblocking);
      to_one_or_all(1, nonblocking), to_one_or_all(most, nonblocking);
      parts(1, nonblocking), parts(1000, nonblocking);
    }
    gaps(2), gaps(1000);
    if (!blocking) from_bottom();
    compositions(1), compositions(most);
    if (!driver) load(argv[1]);
  }
  if (strcmp(how, "short") == 0) without_memory();
  const long copied = gpu_copied();
  dlclose(driver);
  driver = NULL;  // from now on buffers are in host memory
  to_one_or_all(1, 0);
  if (strcmp(where, "managed") == 0 && !getenv("GPU_NEEDS_MANAGED_COPIES") ? copied != 0 : copied <= 0)
    wrong++, printf("rank %d: %ld bytes copied\n", rank, copied);
  synchronize();
  MPI_Finalize();
  if (rank == 0) printf("devices %s\n", wrong ? "WRONG" : "ok");
  return wrong != 0;
}
