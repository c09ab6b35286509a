// SPDX-License-Identifier: MIT
// The parameters of MPI's functions, and the definition of a function by their names. The names in the tables
// (algorithms/collective.hpp, other_functions.hpp) are types here, so that a call says by itself what each of its
// arguments means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "algorithms/collective.hpp"

namespace mpigraft::abi {

/// A handle, or an argument that nobody looks at: as wide as a register.
using Word = std::uintptr_t;

/// Types of C's parameters.
struct Narrow {
  using buf = const struct Buffer*;  // of `count` elements; if it is MPI_IN_PLACE, the other ones are meant
  enum class count : int {};         // elements that this rank passes, ...
  enum class datatype : Word {};     // ... and their type
  enum class other_count : int {};
  enum class other_datatype : Word {};
  using counts = const int*;                 // elements that all ranks pass together, rank by rank
  using sendbuf = const struct SendBuffer*;  // of collectives, with its own count and type unless they are those above
  enum class sendcount : int {};
  enum class sendtype : Word {};
  using recvbuf = struct ReceiveBuffer*;  // or the only buffer
  using displs = const struct Displacements*;
  enum class op : Word {};
  using oldop = struct OldOperator*;  // the address of an operator that the call frees
  enum class root : int {};
  enum class dest : int {};
  enum class source : int {};
  enum class tag : int {};
  enum class recvtag : int {};            // of `source`, where `tag` is that of `dest`
  enum class number : int {};             // of `requests`
  using requests = struct Requests*;      // to wait for
  using request = struct OneRequest*;     // the address of one
  using newrequest = struct NewRequest*;  // where the call puts the request that it makes
  enum class info : Word {};              // of a persistent operation
  enum class comm : Word {};
  using newcomm = struct NewCommunicator*;  // where the call puts the communicator that it makes
  using oldcomm = struct OldCommunicator*;  // the address of a communicator that the call frees
  using w1 = Word;
  using w2 = Word;
  using w3 = Word;
  using w4 = Word;
  using w5 = Word;
  using w6 = Word;
  using w7 = Word;
  using w8 = Word;
};

/// The same in functions for large counts.
struct Large : Narrow {
  enum class count : std::int64_t {};
  enum class other_count : std::int64_t {};
  enum class sendcount : std::int64_t {};
  using counts = const std::int64_t*;
};

template <class Role>
constexpr bool is_large = std::is_same_v<Role, Large::count> || std::is_same_v<Role, Large::counts>;

template <class Role>
struct FortranHandle {
  int value;
};
/// Fortran passes everything by reference, and handles as integers.
template <class Role>
using Fortran =
    std::conditional_t<!std::is_enum_v<Role>, Role,
                       std::conditional_t<sizeof(Role) == sizeof(int), const Role*, const FortranHandle<Role>*>>;

/// The return address of the function into which the conversion is inlined. It is loaded only where it is needed, which
/// keeps an entry point short.
struct Caller {
  [[gnu::always_inline]] operator const void*() const { return __builtin_return_address(0); }
};

/// Checks at compile time the spellings of a function's name in a table.
constexpr bool is_lower_case_of(std::string_view lower, std::string_view name) {
  return std::ranges::equal(lower, name, {}, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c + 0; });
}

}  // namespace mpigraft::abi

// MPIGRAFT_LIST(X, a, b, c) is X(a), X(b), X(c), for up to 15 names. Each scan by the preprocessor makes one element.
#define MPIGRAFT_LIST(X, ...) __VA_OPT__(MPIGRAFT_SCAN_16(MPIGRAFT_LIST_OF(X, __VA_ARGS__)))
#define MPIGRAFT_LIST_OF(X, first, ...) X(first) __VA_OPT__(, MPIGRAFT_LIST_REST MPIGRAFT_NOTHING(X, __VA_ARGS__))
#define MPIGRAFT_LIST_REST() MPIGRAFT_LIST_OF
#define MPIGRAFT_NOTHING ()
#define MPIGRAFT_SCAN_16(...) MPIGRAFT_SCAN_4(MPIGRAFT_SCAN_4(MPIGRAFT_SCAN_4(MPIGRAFT_SCAN_4(__VA_ARGS__))))
#define MPIGRAFT_SCAN_4(...) MPIGRAFT_SCAN(MPIGRAFT_SCAN(MPIGRAFT_SCAN(MPIGRAFT_SCAN(__VA_ARGS__))))
#define MPIGRAFT_SCAN(...) __VA_ARGS__

// Define a function of C, or of Fortran, with these parameters. It returns call(memory, its caller, its arguments...).
// In Fortran, `error` comes before the other arguments, and is null where the program leaves it out.
#define MPIGRAFT_C(name, Width, value, call, ...)                                                  \
  extern "C" __attribute__((visibility("default"))) int name(                                      \
      MPIGRAFT_LIST(MPIGRAFT_##Width##_PARAMETER, __VA_ARGS__)) {                                  \
    static constinit auto memory = value;                                                          \
    return call(                                                                                   \
        memory, mpigraft::abi::Caller {} __VA_OPT__(, MPIGRAFT_LIST(MPIGRAFT_NAME, __VA_ARGS__))); \
  }
#define MPIGRAFT_FORTRAN(name, value, call, ...)                                                                     \
  extern "C" __attribute__((visibility("default"))) void name(MPIGRAFT_LIST(MPIGRAFT_Fortran_PARAMETER, __VA_ARGS__) \
                                                                  __VA_OPT__(, ) int* error) {                       \
    static constinit auto memory = value;                                                                            \
    call(memory, mpigraft::abi::Caller{}, error __VA_OPT__(, MPIGRAFT_LIST(MPIGRAFT_NAME, __VA_ARGS__)));            \
  }
#define MPIGRAFT_NAME(name) name
#define MPIGRAFT_Narrow_PARAMETER(name) mpigraft::abi::Narrow::name name
#define MPIGRAFT_Large_PARAMETER(name) mpigraft::abi::Large::name name
#define MPIGRAFT_Fortran_PARAMETER(name) mpigraft::abi::Fortran<mpigraft::abi::Narrow::name> name

// Makes X(blocking, function, Width, ..., parameters...) of a collective's blocking form, and X(starting, ...) of its
// nonblocking and persistent ones.
#define MPIGRAFT_FORMS(X, function, lower, signature, ...)                                    \
  static_assert(mpigraft::abi::is_lower_case_of(#lower, #function));                          \
  MPIGRAFT_FORMS_IN(Narrow, , X, function, lower, signature, __VA_ARGS__)                     \
  MPIGRAFT_IF_ANY(MPIGRAFT_FORMS_IN, (Large, _c, X, function, lower, signature, __VA_ARGS__), \
                  MPIGRAFT_COUNT_##signature)
#define MPIGRAFT_IF_ANY(X, arguments, ...) __VA_OPT__(X arguments)
#define MPIGRAFT_FORMS_IN(Width, suffix, X, function, lower, signature, ...)                                          \
  X(blocking, MPI_##function##suffix, Width __VA_OPT__(, ) __VA_ARGS__,                                               \
    MPIGRAFT_PARAMETERS_##signature(MPIGRAFT_NAME))                                                                   \
  X(starting, MPI_I##lower##suffix, Width __VA_OPT__(, ) __VA_ARGS__, MPIGRAFT_PARAMETERS_##signature(MPIGRAFT_NAME), \
    newrequest)                                                                                                       \
  X(starting, MPI_##function##_init##suffix, Width __VA_OPT__(, ) __VA_ARGS__,                                        \
    MPIGRAFT_PARAMETERS_##signature(MPIGRAFT_NAME), info, newrequest)
