// SPDX-License-Identifier: MIT
// Every kernel against MPI_Reduce_local, bit for bit: edge values, random bits, lengths around those of vectors, any
// alignment, and all ways in which the result may share memory with an operand. With the argument `none`,
// MPI_Reduce_local gives other bits for every pair, and there must be no kernel. Exit code 1 after any failure.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/table/table_file.hpp"
#include "shim/abi/binding.hpp"
#include "shim/abi/kernels.hpp"

namespace mpigraft::test {
namespace {

using Bytes = std::vector<char>;

struct Operator {
  MPI_Op handle;
  const char* name;
};
#define NAMED(x) x, #x
const Operator operators[] = {{NAMED(MPI_MAX)},  {NAMED(MPI_MIN)}, {NAMED(MPI_SUM)},  {NAMED(MPI_PROD)},
                              {NAMED(MPI_LAND)}, {NAMED(MPI_LOR)}, {NAMED(MPI_LXOR)}, {NAMED(MPI_BAND)},
                              {NAMED(MPI_BOR)},  {NAMED(MPI_BXOR)}};

long failures, compared;

void fail(const std::string& what) {
  if (failures++ < 20) std::fprintf(stderr, "%s\n", what.c_str());
}

template <class T>
std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>)
    return {0, 1, 2, T(-1), T(-2), L::min(), T(L::min() + 1), L::max(), T(L::max() - 1), T(L::max() / 2 + 1)};
  std::vector<T> edges{
      0, 1, L::min(), L::denorm_min(), L::max(), L::epsilon(), T(1) + L::epsilon(), T(1) / 3, L::infinity(), T(3)};
  for (std::size_t n = edges.size(), i = 0; i < n; ++i) edges.push_back(-edges[i]);
  edges.push_back(L::quiet_NaN());
  return edges;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const char*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}

std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Type_get_name(type, name, &length);
  return name;
}

std::mt19937_64 random_bits{20};  // the same values in every run

/// Elements, half of them edge values and half random bits.
template <class T>
std::vector<T> random_elements(std::size_t count) {
  static const std::vector<T> all_edges = edges<T>();
  std::vector<T> elements(count);
  for (T& element : elements) {
    const std::uint64_t bits = random_bits(), other = random_bits();
    const T& edge = all_edges[bits / 2 % all_edges.size()];
    std::memcpy(&element, bits % 2 ? static_cast<const void*>(&edge) : &other, sizeof element);
  }
  return elements;
}

/// A buffer at an odd place, between guards.
class Placed {
 public:
  Placed(const Bytes& content, std::size_t offset)
      : before_(guard + offset), memory_(before_ + content.size() + guard, untouched) {
    std::copy(content.begin(), content.end(), data());
  }
  char* data() { return memory_.data() + before_; }
  /// True if `content` is there and the guards are as they were.
  bool holds(const Bytes& content) {
    const auto is_untouched = [](char byte) { return byte == untouched; };
    return std::equal(content.begin(), content.end(), data()) && std::all_of(memory_.data(), data(), is_untouched) &&
           std::all_of(data() + content.size(), memory_.data() + memory_.size(), is_untouched);
  }

 private:
  static constexpr std::size_t guard = 64;
  static constexpr char untouched = char(0xa5);
  std::size_t before_;
  Bytes memory_;
};

/// Takes over MPI's payload if both results are NaN: either operand's may survive.
template <class T>
void take_payloads(const std::vector<T>& right, char* result) {
  for (const T& expected : right) {
    T ours;
    std::memcpy(&ours, result, sizeof ours);
    if (std::isnan(expected) && std::isnan(ours)) std::memcpy(result, &expected, sizeof expected);
    result += sizeof ours;
  }
}

/// Runs `kernel` on `a` and `b` at odd addresses, with the result in each place where it may be.
template <class T>
void compare(abi::Kernel kernel, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& right,
             std::size_t offset, const std::string& name) {
  enum Place { apart, in_a, in_b };
  for (const Place place : {apart, in_a, in_b}) {
    Placed lower(bytes_of(a), offset), upper(bytes_of(b), 2 * offset), third(Bytes(a.size() * sizeof(T)), 3 * offset);
    Placed& out = place == in_a ? lower : place == in_b ? upper : third;
    kernel(lower.data(), upper.data(), out.data(), static_cast<std::int64_t>(a.size()));
    take_payloads(right, out.data());
    ++compared;
    if (!out.holds(bytes_of(right)) || !(place == in_a || lower.holds(bytes_of(a))) ||
        !(place == in_b || upper.holds(bytes_of(b))))
      fail(name + ", offset " + std::to_string(offset) + ", place " + std::to_string(place));
  }
}

abi::Kernels kernels_of(MPI_Op op, MPI_Datatype type) {
  return abi::kernels_for(abi::passed<abi::Op>(op), abi::passed<abi::Type>(type));
}

template <class T>
void compare(const Operator& op, MPI_Datatype type, const std::vector<T>& a, const std::vector<T>& b,
             std::size_t offset) {
  const std::string name = std::string(op.name) + " of " + std::to_string(a.size()) + " " + name_of(type);
  std::vector<T> right = b;
  if (MPI_Reduce_local(a.data(), right.data(), static_cast<int>(a.size()), type, op.handle) != MPI_SUCCESS)
    fail(name + ": a kernel that MPI has not");
  const abi::Kernels kernels = kernels_of(op.handle, type);
  compare(kernels.anywhere, a, b, right, offset, name);
  compare(kernels.fastest, a, b, right, offset, name + " by the fastest kernel");
}

/// Each edge value with each.
template <class T>
void compare_edges(const Operator& op, MPI_Datatype type) {
  std::vector<T> a, b;
  for (const T x : edges<T>())
    for (const T y : edges<T>()) a.push_back(x), b.push_back(y);
  compare(op, type, a, b, 0);
}

/// MPICH 5 refuses some pairs that 4 takes. The caller has set an error handler that returns.
bool takes(MPI_Op op, MPI_Datatype type) {
  char nothing = 0;
  return MPI_Allreduce(MPI_IN_PLACE, &nothing, 0, type, op, MPI_COMM_SELF) == MPI_SUCCESS;
}

/// `wanted` is how many kernels there must be; less than 0: any number.
template <class T>
void compare(MPI_Datatype type, int wanted) {
  int kernels = 0;
  for (const Operator& op : operators) {
    if (!takes(op.handle, type) || !kernels_of(op.handle, type).fastest) continue;
    ++kernels;
    compare_edges<T>(op, type);
    for (std::size_t count = 0; count <= 67; ++count)
      for (const std::size_t offset : {0, 1, 4, 9})
        compare(op, type, random_elements<T>(count), random_elements<T>(count), offset);
    compare(op, type, random_elements<T>(10007), random_elements<T>(10007), 3);
  }
  if (kernels != wanted && wanted >= 0)
    fail(name_of(type) + ": " + std::to_string(kernels) + " kernels, " + std::to_string(wanted) + " wanted");
}

/// Compares all types. `wanted` is how many kernels there must be, by the number of those in MPICH 4.0.
void compare_all(auto wanted) {
  const auto types = [&]<class T>(T, int operators, std::initializer_list<MPI_Datatype> handles) {
    for (const MPI_Datatype handle : handles) compare<T>(handle, wanted(operators));
  };
  types(std::int8_t(), 10, {MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INTEGER1});
  types(std::int16_t(), 10, {MPI_SHORT, MPI_INT16_T, MPI_INTEGER2});
  types(std::int32_t(), 10, {MPI_INT, MPI_INT32_T, MPI_INTEGER, MPI_INTEGER4});
  types(long(), 10, {MPI_LONG, MPI_AINT});
  types(std::int64_t(), 10, {MPI_LONG_LONG, MPI_INT64_T, MPI_INTEGER8, MPI_OFFSET, MPI_COUNT});
  types(std::uint8_t(), 8, {MPI_UNSIGNED_CHAR, MPI_UINT8_T});
  types(std::uint16_t(), 8, {MPI_UNSIGNED_SHORT, MPI_UINT16_T});
  types(std::uint32_t(), 8, {MPI_UNSIGNED, MPI_UINT32_T});
  types(0UL, 8, {MPI_UNSIGNED_LONG});
  types(std::uint64_t(), 8, {MPI_UNSIGNED_LONG_LONG, MPI_UINT64_T});
  types(std::uint8_t(), 3, {MPI_BYTE, MPI_C_BOOL, MPI_CXX_BOOL});
  types(float(), 4, {MPI_FLOAT, MPI_REAL, MPI_REAL4});
  types(double(), 4, {MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8});
}

void user_function(void*, void*, int*, MPI_Datatype*) {}

/// The pairs that kernels must leave to MPI.
void expect_none() {
  MPI_Datatype pair;
  MPI_Op user_op;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Op_create(user_function, 1, &user_op);
  const std::pair<MPI_Op, MPI_Datatype> left_alone[] = {
      {user_op, MPI_INT},      {MPI_SUM, pair},        {MPI_SUM, MPI_LONG_DOUBLE},   {MPI_SUM, MPI_C_DOUBLE_COMPLEX},
      {MPI_MINLOC, MPI_2INT},  {MPI_MAXLOC, MPI_2INT}, {MPI_REPLACE, MPI_INT},       {MPI_NO_OP, MPI_INT},
      {MPI_LAND, MPI_LOGICAL}, {MPI_SUM, MPI_CHAR},    {MPI_SUM, MPI_CHARACTER},     {MPI_LAND, MPI_DOUBLE},
      {MPI_BAND, MPI_FLOAT},   {MPI_SUM, MPI_BYTE},    {MPI_SUM, MPI_C_BOOL},        {MPI_OP_NULL, MPI_INT},
      {MPI_SUM, MPI_REAL16},   {MPI_SUM, MPI_COMPLEX}, {MPI_SUM, MPI_DATATYPE_NULL}, {MPI_MAX, MPI_UNSIGNED},
      {MPI_MIN, MPI_UINT8_T}};
  for (std::size_t i = 0; i < std::size(left_alone); ++i)
    if (kernels_of(left_alone[i].first, left_alone[i].second).fastest)
      fail("a kernel for pair " + std::to_string(i) + " of those that are left alone");
  MPI_Type_free(&pair);
  MPI_Op_free(&user_op);
}

}  // namespace
}  // namespace mpigraft::test

int main(int argc, char** argv) {
  using namespace mpigraft;
  MPI_Init(&argc, &argv);
  if (!abi::graftable(nullptr)) test::fail("this MPI is unknown");
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const bool all = table::surroundings(version, "").mpi.starts_with("MPICH Version: 4.0.");
  test::compare_all([=](int of_mpich) { return argc > 1 ? 0 : all ? of_mpich : -1; });
  if (argc == 1 && test::compared == 0) test::fail("there is no kernel at all");
  test::expect_none();
  std::printf("%ld results of kernels compared with MPI_Reduce_local, %ld failures\n", test::compared, test::failures);
  MPI_Finalize();
  return test::failures != 0;
}
