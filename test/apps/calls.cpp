// SPDX-License-Identifier: MIT
// Times kinds of calls, one after the other, for scripts/guard: `calls ROWS [CELL...]` prints for each cell its name
// and the microseconds of a call. That is the median of ROWS rows of calls, each as long as at the slowest rank.
#include "app.hpp"

namespace {

constexpr int one = 1, page = 1 << 10, ten_pages = 10 << 10, most = 100 << 10;  // elements
constexpr int most_rows = 100, most_calls = 1000, fewest_rows = 3, first_calls = 2;
constexpr double row_us = 2000, cell_us = 300000;

int rank, size;
long in[most], out[most];
MPI_Datatype pair;
MPI_Comm control;  // for messages between rows

void scan(int n) { MPI_Scan(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
void exscan(int n) { MPI_Exscan(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
void bcast(int n) { MPI_Bcast(in, n, MPI_LONG, 0, MPI_COMM_WORLD); }
void reduce(int n) { MPI_Reduce(in, out, n, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD); }
void allreduce(int n) { MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
int share(int n) { return n < size ? 1 : n / size; }
void reduce_scatter(int n) { MPI_Reduce_scatter_block(in, out, share(n), MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }
void allgather(int n) { MPI_Allgather(in, share(n), MPI_LONG, out, share(n), MPI_LONG, MPI_COMM_WORLD); }
void barrier(int n) { MPI_Barrier(n ? MPI_COMM_SELF : MPI_COMM_WORLD); }
void iallreduce(int n) {
  MPI_Request request;
  MPI_Iallreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/// A sum that the program lets go on while it computes, about as long as the sum takes.
void overlap(int n) {
  const double compute_s = 3e-9 * n;
  constexpr int tests = 8;
  MPI_Request request;
  MPI_Iallreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
  for (int i = 0, done; i < tests; ++i) {
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < compute_s / tests) {
    }
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/// A duplicate on which n calls are made.
void duplicate(int n) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < n; ++i) MPI_Allreduce(in, out, 1, MPI_LONG, MPI_SUM, comm);
  MPI_Comm_free(&comm);
}
/// The same ranks, but no duplicate, on which n calls are made.
void split(int n) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
  for (int i = 0; i < n; ++i) MPI_Allreduce(in, out, 1, MPI_LONG, MPI_SUM, comm);
  MPI_Comm_free(&comm);
}
/// A length that has not come for n calls.
void lengths(int n) {
  static int length = 0;
  length = length % n + 1;
  MPI_Allgather(in, length, MPI_CHAR, out, length, MPI_CHAR, MPI_COMM_WORLD);
}
void typed(int n) { MPI_Allgather(in, n, pair, out, n, pair, MPI_COMM_WORLD); }
void probe(int n) {
  int found = n;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}
/// A receive that nobody answers, looked at and cancelled.
void test(int n) {
  MPI_Request request;
  int found = n;
  MPI_Irecv(out, 1, MPI_LONG, rank, 1, MPI_COMM_WORLD, &request);
  MPI_Test(&request, &found, MPI_STATUS_IGNORE);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
void ring(int n) {
  MPI_Sendrecv(in, n, MPI_LONG, (rank + 1) % size, 0, out, n, MPI_LONG, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
void alltoall(int n) { MPI_Alltoall(in, share(n), MPI_LONG, out, share(n), MPI_LONG, MPI_COMM_WORLD); }

struct Kind {
  const char* name;
  void (*call)(int n);
  std::vector<int> n = {one, page, ten_pages, most};  // elements, or what the function takes
};
const Kind kinds[] = {{"scan", scan},
                      {"exscan", exscan},
                      {"bcast", bcast},
                      {"reduce", reduce},
                      {"allreduce", allreduce},
                      {"reduce_scatter", reduce_scatter},
                      {"allgather", allgather},
                      {"barrier", barrier, {0}},
                      {"barrier_self", barrier, {1}},
                      {"iallreduce", iallreduce, {one, page}},
                      {"overlap", overlap, {page, most}},
                      {"alltoall", alltoall, {one, page}},
                      {"duplicate", duplicate, {0, 1, 8, 80}},
                      {"split", split, {8}},
                      {"lengths", lengths, {500, 5000}},
                      {"typed", typed, {one}},
                      {"probe", probe, {0}},
                      {"test", test, {0}},
                      {"sendrecv", ring, {one, page}}};

/// Brings the longest time of all ranks to rank 0, and rank 0's `next` to all.
double synchronize(double mine, int* next) {
  for (int other = 1; other < size && rank == 0; ++other) {
    double theirs;
    MPI_Recv(&theirs, 1, MPI_DOUBLE, other, 0, control, MPI_STATUS_IGNORE);
    if (theirs > mine) mine = theirs;
  }
  if (rank != 0) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 0, control);
  if (rank != 0) MPI_Recv(next, 1, MPI_INT, 0, 0, control, MPI_STATUS_IGNORE);
  for (int other = 1; other < size && rank == 0; ++other) MPI_Send(next, 1, MPI_INT, other, 0, control);
  return mine;
}

double row(void (*call)(int n), int n, int calls) {
  synchronize(0, &calls);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call(n);
  return (MPI_Wtime() - begin) / calls * 1e6;
}

/// The median of the rows, at rank 0.
double measure(void (*call)(int n), int n, int rows) {
  std::vector<double> times;
  double spent = 0;
  int more = 1, calls = first_calls;
  synchronize(row(call, n, calls), &more);  // what is made at first
  const double usual = synchronize(row(call, n, calls), &more);
  if (rank == 0) calls = usual * most_calls < row_us ? most_calls : row_us < usual ? 1 : (int)(row_us / usual);
  synchronize(0, &calls);
  while (more) {
    const double mine = row(call, n, calls);
    times.push_back(synchronize(mine, &more));
    spent += times.back() * calls;
    const int done = static_cast<int>(times.size());
    more = done < rows && (done < fewest_rows || spent < cell_us);
    synchronize(0, &more);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

bool sums_right() {
  for (int i = 0; i < most; ++i) in[i] = rank + i;
  allreduce(most);
  for (int i = 0; i < most; ++i)
    if (out[i] != size * (size - 1L) / 2 + static_cast<long>(size) * i) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = std::min(app::start(argc, argv, 9), most_rows);
  const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
  rank = app::rank(), size = app::ranks();
  MPI_Comm_dup(MPI_COMM_WORLD, &control);
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  bool right = sums_right();
  std::ranges::fill(in, 0);
  for (const Kind& kind : kinds)
    for (const int n : kind.n) {
      const std::string cell = std::string(kind.name) + '/' + std::to_string(n);
      if (!wanted.empty() && !std::ranges::count(wanted, cell)) continue;
      const double us = measure(kind.call, n, rows);
      if (rank == 0) std::printf("%s %.4f\n", cell.c_str(), us);
    }
  right &= sums_right();
  MPI_Type_free(&pair);
  MPI_Comm_free(&control);
  return app::end("calls", right);
}
