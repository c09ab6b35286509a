// SPDX-License-Identifier: MIT
// MPI libraries whose operators give other bits than ours, each in one way: PMPI_Reduce_local is replaced, and the pair
// must have no kernel. Each pair is judged once, unseen by the program's floating point environment. Exit code 1 after
// any failure.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include "shim/abi/binding.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/abi/translation/pmpi.hpp"

namespace mpigraft::test {
namespace {

int failures;

void expect(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s\n", what);
  ++failures;
}

using ReduceLocal = decltype(abi::pmpi.Reduce_local);
ReduceLocal real;

template <class T, auto join>
int elementwise(const void* in, void* inout, int count, MPI_Datatype, MPI_Op) {
  const T* x = static_cast<const T*>(in);
  T* y = static_cast<T*>(inout);
  for (int i = 0; i < count; ++i) y[i] = static_cast<T>(join(x[i], y[i]));
  return MPI_SUCCESS;
}

template <class T, auto wrong>
int wrong_at(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  const int error = real(in, inout, count, type, op);
  for (int i = 0; i < count; ++i)
    if (wrong(i, count)) static_cast<T*>(inout)[i] ^= 1;
  return error;
}

int refuses(const void*, void*, int, MPI_Datatype, MPI_Op) { return MPI_ERR_OP; }

abi::Kernel kernel_for(MPI_Op op, MPI_Datatype type) {
  return abi::kernels_for(abi::passed<abi::Op>(op), abi::passed<abi::Type>(type)).fastest;
}

struct Library {
  const char* what;
  ReduceLocal reduce_local;
  MPI_Op op;
  MPI_Datatype type;
};

// MPICH 4.2.1 combines bool like bytes; the others are made up, and differ from ours as little as they can.
const Library libraries[] = {
    {"bool: logical and by bits", elementwise<unsigned char, [](int x, int y) { return x & y; }>, MPI_LAND, MPI_C_BOOL},
    {"bool: logical or by bits", elementwise<unsigned char, [](int x, int y) { return x | y; }>, MPI_LOR, MPI_C_BOOL},
    {"bool: exclusive or by bits", elementwise<unsigned char, [](int x, int y) { return x ^ y; }>, MPI_LXOR,
     MPI_CXX_BOOL},
    {"of equal ones the upper one", elementwise<float, [](float x, float y) { return std::isgreater(x, y) ? x : y; }>,
     MPI_MAX, MPI_FLOAT},
    {"a number instead of a lower NaN",
     elementwise<double, [](double x, double y) { return std::isnan(x) || std::isless(y, x) ? y : x; }>, MPI_MIN,
     MPI_DOUBLE},
    {"the upper one where either is NaN",
     elementwise<double, [](double x, double y) { return std::islessequal(y, x) ? x : y; }>, MPI_MAX, MPI_DOUBLE},
    {"flushes to zero",
     elementwise<double, [](double x, double y) { return std::fpclassify(x * y) == FP_SUBNORMAL ? x * y * 0 : x * y; }>,
     MPI_PROD, MPI_DOUBLE},
    {"rounds down", elementwise<float, [](float x, float y) { return std::nextafter(x + y, -1e38F); }>, MPI_SUM,
     MPI_FLOAT},
    {"saturates", elementwise<int, [](long x, long y) { return std::clamp<long>(x + y, INT32_MIN, INT32_MAX); }>,
     MPI_SUM, MPI_INT},
    {"wrong at the end of vectors", wrong_at<short, [](int i, int count) { return i / 16 == count / 16; }>, MPI_PROD,
     MPI_SHORT},
    {"wrong in long vectors", wrong_at<long, [](int i, int count) { return i == 63 && 64 <= count; }>, MPI_BXOR,
     MPI_LONG},
    {"wrong in short vectors", wrong_at<long, [](int i, int count) { return count == 3 && i == 2; }>, MPI_BOR,
     MPI_LONG},
    {"an error", refuses, MPI_BAND, MPI_UNSIGNED}};

void look(const Library& library) {
  abi::pmpi.Reduce_local = library.reduce_local;
  const bool taken = kernel_for(library.op, library.type) != nullptr;
  abi::pmpi.Reduce_local = real;
  expect(!taken, library.what);
  expect(!kernel_for(library.op, library.type), "a pair is judged twice");
}

std::atomic<int> asked{0};
int counted(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  ++asked;
  return real(in, inout, count, type, op);
}

void look_once() {
  abi::pmpi.Reduce_local = counted;
  expect(kernel_for(MPI_SUM, MPI_LONG) && asked > 0, "no kernel for the sum of long");
  const int before = asked;
  expect(kernel_for(MPI_SUM, MPI_LONG) && asked == before, "MPI is asked for the same pair again");
  abi::pmpi.Reduce_local = real;
}

/// The traps that Fortran's -ffpe-trap=invalid,zero,overflow asks for.
void look_with_traps() {
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN})
    for (const MPI_Datatype type : {MPI_REAL8, MPI_REAL4}) expect(kernel_for(op, type), "no kernel with traps");
  expect(fegetexcept() == (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW), "the traps are gone");
  expect(std::fetestexcept(FE_ALL_EXCEPT) == 0, "a floating point exception is to be seen");
  fedisableexcept(FE_ALL_EXCEPT);
}

void look_at_once() {
  std::atomic<int> found{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { found += kernel_for(MPI_PROD, MPI_INT64_T) != nullptr; });
  }
  expect(found == 8, "threads that ask at once get different answers");
}

}  // namespace
}  // namespace mpigraft::test

int main(int argc, char** argv) {
  using namespace mpigraft;
  int provided = 0;
  PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);  // keeps MPI linked, whose functions are ours
  test::expect(abi::graftable(nullptr), "this MPI is unknown");
  test::real = abi::pmpi.Reduce_local;
  for (const test::Library& library : test::libraries) test::look(library);
  test::look_once();
  test::look_with_traps();
  if (provided == MPI_THREAD_MULTIPLE) test::look_at_once();
  MPI_Finalize();
  return test::failures != 0;
}
