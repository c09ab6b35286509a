// SPDX-License-Identifier: MIT
// Speed of combining blocks, by MPI_Reduce_local and by kernels of two and three addresses, beside that of memory at a
// triad (a = b + s c). Each figure is the best of several runs, in GB/s of bytes read and written, 3 a byte of the
// block.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <vector>

#include "shim/abi/binding.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/execute/pmpi_transport.hpp"

namespace mpigraft::bench {
namespace {

/// Nanoseconds of one call of `f`, which handles `bytes`.
template <class F>
double time_of(std::size_t bytes, F f) {
  using Clock = std::chrono::steady_clock;
  const long calls = std::max<long>(1, static_cast<long>((std::size_t{1} << 23) / (bytes + 128)));
  double best = 1e18;
  for (int run = 0; run < 9; ++run) {
    const auto begin = Clock::now();
    for (long i = 0; i < calls; ++i) {
      f();
      asm volatile("" ::: "memory");  // the next call may not know what this one did
    }
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    best = std::min(best, spent.count() / static_cast<double>(calls));
  }
  return best;
}

void triad(const double* b, const double* c, double* a, std::size_t count) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + 3 * c[i];
}

struct Case {
  MPI_Op op;
  MPI_Datatype type;
  const char* name;
  std::size_t element_bytes;
};

const Case cases[] = {{MPI_SUM, MPI_DOUBLE, "sum double", 8},   {MPI_MAX, MPI_DOUBLE, "max double", 8},
                      {MPI_SUM, MPI_FLOAT, "sum float", 4},     {MPI_SUM, MPI_INT64_T, "sum int64", 8},
                      {MPI_MAX, MPI_INT64_T, "max int64", 8},   {MPI_PROD, MPI_INT64_T, "prod int64", 8},
                      {MPI_SUM, MPI_INT, "sum int", 4},         {MPI_LAND, MPI_INT, "land int", 4},
                      {MPI_BXOR, MPI_UINT8_T, "bxor uint8", 1}, {MPI_PROD, MPI_INT8_T, "prod int8", 1}};

/// The first look-up of a pair asks MPI for its bits, once a process.
void print_first_look_ups() {
  double sum = 0, most = 0;
  for (const Case& c : cases) {
    const auto begin = std::chrono::steady_clock::now();
    abi::kernels_for(abi::passed<abi::Op>(c.op), abi::passed<abi::Type>(c.type));
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    sum += spent.count();
    most = std::max(most, spent.count());
  }
  std::printf("first look-up of a pair, once a process: %.0f ns, at most %.0f\n", sum / std::size(cases), most);
}

void print(const Case& c, std::size_t bytes) {
  std::vector<double> a(bytes / 8 + 8, 1), b(a), out(a);
  const auto count = static_cast<std::int64_t>(bytes / c.element_bytes);
  const abi::Kernels kernels = abi::kernels_for(abi::passed<abi::Op>(c.op), abi::passed<abi::Type>(c.type));
  const double ns[] = {
      time_of(bytes, [&] { MPI_Reduce_local(a.data(), b.data(), static_cast<int>(count), c.type, c.op); }),
      time_of(bytes, [&] { kernels.anywhere(a.data(), b.data(), b.data(), count); }),
      time_of(bytes, [&] { kernels.fastest(a.data(), b.data(), b.data(), count); }),
      time_of(bytes, [&] { kernels.fastest(a.data(), b.data(), out.data(), count); }),
      time_of(bytes, [&] { triad(a.data(), b.data(), out.data(), bytes / 8); }),
  };
  std::printf("%-12s %10zu", c.name, bytes);
  for (const double t : ns) std::printf("  %12.1f", 3 * static_cast<double>(bytes) / t);
  std::printf("\n");
}

/// An algorithm's price of one element, with the way there. MPICH 4.0.2 is faster on MPI_DOUBLE than on other types.
void print_shortest(MPI_Datatype type, const char* name) {
  const agree::Negotiated alone(abi::comm_self);
  execute::TransportState transport;
  std::int64_t values[] = {1, 0, 0};
  abi::Call call({Collective::scan, false, false, &values[0], &values[1], 1, abi::to_pass(abi::passed<abi::Type>(type)),
                  abi::to_pass(abi::passed<abi::Op>(MPI_SUM)), 0, 0});
  abi::inspect(call, alone.rank, alone.size);
  execute::PmpiTransport net(alone, transport, call.datatype, call, call.count, {}, 1);
  net.place(execute::PmpiTransport::input, &values[0]);
  net.place(execute::PmpiTransport::result, &values[1]);
  const Block input{execute::PmpiTransport::input, 0, 1}, result{execute::PmpiTransport::result, 0, 1},
      next{execute::PmpiTransport::result, 1, 1};
  const auto sum = abi::passed<abi::Op>(MPI_SUM);
  volatile abi::Type asked = call.type;
  volatile abi::Kernel found;
  std::printf(
      "one %s in ns: MPI_Reduce_local %.1f, combine %.1f, of three addresses %.1f; look-up, once a call, %.1f\n", name,
      time_of(8, [&] { MPI_Reduce_local(&values[0], &values[1], 1, type, MPI_SUM); }),
      time_of(8, [&] { net.combine(input, result); }), time_of(8, [&] { net.combine(input, result, next); }),
      time_of(8, [&] { found = abi::kernels_for(sum, asked).fastest; }));
}

}  // namespace
}  // namespace mpigraft::bench

int main(int argc, char** argv) {
  using namespace mpigraft;
  MPI_Init(&argc, &argv);
  const bool usable = abi::graftable(nullptr);
  if (usable) {
    bench::print_first_look_ups();
    std::printf("%-12s %10s  %12s  %12s  %12s  %12s  %12s\n", "GB/s", "bytes", "Reduce_local", "kernel, any", "kernel",
                "3 addresses", "triad");
    for (const bench::Case& c : bench::cases)
      for (const std::size_t bytes : {64, 1024, 16384, 1 << 18, 1 << 26}) bench::print(c, bytes);
    bench::print_shortest(MPI_DOUBLE, "double");
    bench::print_shortest(MPI_INT64_T, "int64");
  }
  MPI_Finalize();
  return usable ? 0 : 1;
}
