// SPDX-License-Identifier: MIT
#include "test/fuzz/kinds.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

namespace mpigraft::fuzz {
namespace {

template <class V>
struct Pair {
  V value;
  int index;
  friend bool operator==(const Pair&, const Pair&) = default;
};

using Parts = std::vector<std::pair<std::size_t, std::size_t>>;

template <class T>
Parts parts_of(const T*) {
  return {{0, sizeof(T)}};
}
template <class V>
Parts parts_of(const Pair<V>*) {
  return {{0, sizeof(V)}, {offsetof(Pair<V>, index), offsetof(Pair<V>, index) + sizeof(int)}};
}

template <class T>
T read(const char* from) {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T, class Join>
void joined(const char* lower, char* upper) {
  const T value = static_cast<T>(Join{}(read<T>(lower), read<T>(upper)));
  std::memcpy(upper, &value, sizeof value);
}

template <class T, class Make>
void made(std::uint64_t noise, int rank, char* to) {
  const T value = Make{}(noise, rank, T{});
  std::memcpy(to, &value, sizeof value);
}

template <class T>
bool equal(const char* a, const char* b) {
  return read<T>(a) == read<T>(b);
}

template <class T, class Join, class Make>
Kind kind(const char* type_name, MPI_Datatype type, const char* op_name, MPI_Op op, bool commutative = true) {
  return {type_name,     op_name,         type,    op, commutative, sizeof(T), parts_of(static_cast<const T*>(nullptr)),
          made<T, Make>, joined<T, Join>, equal<T>};
}

std::uint64_t wide(auto a) { return static_cast<std::uint64_t>(a); }

struct Sum {
  template <class T>
  T operator()(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(wide(a) + wide(b));
    else
      return a + b;
  }
};
struct Product {
  template <class T>
  T operator()(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(wide(a) * wide(b));
    else
      return a * b;
  }
};
struct Largest {
  auto operator()(auto a, auto b) { return std::max(a, b); }
};
struct Smallest {
  auto operator()(auto a, auto b) { return std::min(a, b); }
};
struct BitAnd {
  auto operator()(auto a, auto b) { return a & b; }
};
struct BitOr {
  auto operator()(auto a, auto b) { return a | b; }
};
struct BitXor {
  auto operator()(auto a, auto b) { return a ^ b; }
};
struct And {
  auto operator()(auto a, auto b) { return a && b; }
};
struct Or {
  auto operator()(auto a, auto b) { return a || b; }
};
struct Xor {
  auto operator()(auto a, auto b) { return !a != !b; }
};
struct MinLoc {
  auto operator()(auto a, auto b) {
    if (a.value != b.value) return a.value < b.value ? a : b;
    return a.index < b.index ? a : b;
  }
};
struct MaxLoc {
  auto operator()(auto a, auto b) {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.index < b.index ? a : b;
  }
};

/// x -> scale * x + shift, one half of the bits each; not commutative.
struct Affine {
  template <class T>
  T operator()(T a, T b) {
    constexpr int half = 4 * sizeof(T);
    constexpr std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    const std::uint64_t scale = (a & mask) * (b & mask), shift = (wide(a) >> half) * (b & mask) + (wide(b) >> half);
    return static_cast<T>((scale & mask) | (shift & mask) << half);
  }
};

struct AnyBits {
  template <class T>
  T operator()(std::uint64_t noise, int, T) {
    return static_cast<T>(noise);
  }
};
/// Unsigned integers without the highest bit: MPICH 4.0.2 compares them as signed ones (MPI_MAX, MPI_MIN).
struct Comparable {
  template <class T>
  T operator()(std::uint64_t noise, int, T) {
    return static_cast<T>(std::is_signed_v<T> ? static_cast<T>(noise) : static_cast<T>(noise) >> 1);
  }
};
/// Odd numbers, so that products are not 0.
struct OddBits {
  template <class T>
  T operator()(std::uint64_t noise, int, T) {
    return static_cast<T>(noise | 1);
  }
};
struct Truth {
  template <class T>
  T operator()(std::uint64_t noise, int, T) {
    return static_cast<T>(noise % 3 == 0);
  }
};
struct Small {
  template <class T>
  T operator()(std::uint64_t noise, int, T) {
    return static_cast<T>(static_cast<int>(noise % 2048) - 1024);
  }
  template <class V>
  std::complex<V> operator()(std::uint64_t noise, int, std::complex<V>) {
    return {static_cast<V>(noise % 1024), static_cast<V>(noise >> 32 & 1023)};
  }
};
struct PowerOfTwo {
  template <class T>
  T operator()(std::uint64_t noise, int, T) {
    const int size[] = {1, 2, 4, -1};
    return static_cast<T>(size[noise % 4]) / 2;
  }
  template <class V>
  std::complex<V> operator()(std::uint64_t noise, int, std::complex<V>) {
    return noise & 4 ? std::complex<V>{0, (*this)(noise, 0, V{})} : std::complex<V>{(*this)(noise, 0, V{}), 0};
  }
};
struct Located {
  template <class V>
  Pair<V> operator()(std::uint64_t noise, int rank, Pair<V>) {
    return {static_cast<V>(noise % 3), rank};
  }
};

using Kinds = std::vector<Kind>;

template <class T>
void add_bits(Kinds& to, const char* name, MPI_Datatype type) {
  to.push_back(kind<T, BitAnd, AnyBits>(name, type, "MPI_BAND", MPI_BAND));
  to.push_back(kind<T, BitOr, AnyBits>(name, type, "MPI_BOR", MPI_BOR));
  to.push_back(kind<T, BitXor, AnyBits>(name, type, "MPI_BXOR", MPI_BXOR));
}

template <class T>
void add_logical(Kinds& to, const char* name, MPI_Datatype type) {
  to.push_back(kind<T, And, Truth>(name, type, "MPI_LAND", MPI_LAND));
  to.push_back(kind<T, Or, Truth>(name, type, "MPI_LOR", MPI_LOR));
  to.push_back(kind<T, Xor, Truth>(name, type, "MPI_LXOR", MPI_LXOR));
}

template <class T>
void add_integer(Kinds& to, const char* name, MPI_Datatype type) {
#ifdef OPEN_MPI  // 4.1 takes short integers' greatest value where a sum is too large
  if constexpr (sizeof(T) > 2)
#endif
    to.push_back(kind<T, Sum, AnyBits>(name, type, "MPI_SUM", MPI_SUM));
  to.push_back(kind<T, Product, OddBits>(name, type, "MPI_PROD", MPI_PROD));
  to.push_back(kind<T, Largest, Comparable>(name, type, "MPI_MAX", MPI_MAX));
  to.push_back(kind<T, Smallest, Comparable>(name, type, "MPI_MIN", MPI_MIN));
  add_bits<T>(to, name, type);
  add_logical<T>(to, name, type);
}

template <class T>
void add_real(Kinds& to, const char* name, MPI_Datatype type) {
  to.push_back(kind<T, Sum, Small>(name, type, "MPI_SUM", MPI_SUM));
  to.push_back(kind<T, Product, PowerOfTwo>(name, type, "MPI_PROD", MPI_PROD));
  to.push_back(kind<T, Largest, Small>(name, type, "MPI_MAX", MPI_MAX));
  to.push_back(kind<T, Smallest, Small>(name, type, "MPI_MIN", MPI_MIN));
}

template <class T>
void add_complex(Kinds& to, const char* name, MPI_Datatype type) {
  to.push_back(kind<T, Sum, Small>(name, type, "MPI_SUM", MPI_SUM));
  to.push_back(kind<T, Product, PowerOfTwo>(name, type, "MPI_PROD", MPI_PROD));
}

template <class V>
void add_pair(Kinds& to, const char* name, MPI_Datatype type) {
  to.push_back(kind<Pair<V>, MinLoc, Located>(name, type, "MPI_MINLOC", MPI_MINLOC));
  to.push_back(kind<Pair<V>, MaxLoc, Located>(name, type, "MPI_MAXLOC", MPI_MAXLOC));
}

/// `T` is the unsigned integer as wide as the type.
template <class T>
void add_user(Kinds& to, const char* name, MPI_Datatype type) {
  to.push_back(kind<T, Sum, AnyBits>(name, type, "user sum", MPI_OP_NULL));
  to.push_back(kind<T, Affine, OddBits>(name, type, "user affine", MPI_OP_NULL, false));
  to.push_back(kind<T, Affine, AnyBits>(name, type, "user affine", MPI_OP_NULL, false));
}

}  // namespace

#define NAMED(type) #type, type

const Kinds& predefined_kinds() {
  static const Kinds& kinds = *new Kinds([] {
    Kinds all;
    add_integer<std::int8_t>(all, NAMED(MPI_INT8_T)), add_integer<std::uint8_t>(all, NAMED(MPI_UINT8_T));
    add_integer<std::int16_t>(all, NAMED(MPI_INT16_T)), add_integer<std::uint16_t>(all, NAMED(MPI_UINT16_T));
    add_integer<std::int32_t>(all, NAMED(MPI_INT32_T)), add_integer<std::uint32_t>(all, NAMED(MPI_UINT32_T));
    add_integer<std::int64_t>(all, NAMED(MPI_INT64_T)), add_integer<std::uint64_t>(all, NAMED(MPI_UINT64_T));
    add_integer<int>(all, NAMED(MPI_INT)), add_integer<long>(all, NAMED(MPI_LONG));
    add_real<float>(all, NAMED(MPI_FLOAT)), add_real<double>(all, NAMED(MPI_DOUBLE));
    add_real<long double>(all, NAMED(MPI_LONG_DOUBLE));
    add_complex<std::complex<float>>(all, NAMED(MPI_C_FLOAT_COMPLEX));
    add_complex<std::complex<double>>(all, NAMED(MPI_C_DOUBLE_COMPLEX));
    add_logical<bool>(all, NAMED(MPI_C_BOOL));
    add_bits<unsigned char>(all, NAMED(MPI_BYTE));
    add_pair<int>(all, NAMED(MPI_2INT)), add_pair<short>(all, NAMED(MPI_SHORT_INT));
    add_pair<long>(all, NAMED(MPI_LONG_INT)), add_pair<float>(all, NAMED(MPI_FLOAT_INT));
    add_pair<double>(all, NAMED(MPI_DOUBLE_INT)), add_pair<long double>(all, NAMED(MPI_LONG_DOUBLE_INT));
    return all;
  }());
  return kinds;
}

const Kinds& user_kinds() {
  static const Kinds& kinds = *new Kinds([] {
    Kinds all;
    add_user<std::uint8_t>(all, NAMED(MPI_CHAR)), add_user<std::uint8_t>(all, NAMED(MPI_BYTE));
    add_user<std::uint16_t>(all, NAMED(MPI_SHORT)), add_user<std::uint32_t>(all, NAMED(MPI_INT));
    add_user<std::uint32_t>(all, NAMED(MPI_FLOAT)), add_user<std::uint64_t>(all, NAMED(MPI_DOUBLE));
    add_user<std::uint64_t>(all, NAMED(MPI_UINT64_T));
    return all;
  }());
  return kinds;
}

}  // namespace mpigraft::fuzz
