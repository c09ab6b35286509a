// SPDX-License-Identifier: MIT
// Fortran's bindings that call PMPI and not the C functions: C's values of their arguments, and the names of a
// function.
#pragma once

#include <type_traits>

#include "shim/abi/parameters.hpp"

namespace mpigraft::abi {

/// MPI's functions that make C's handle of Fortran's, and the reverse (MPI-4.0, 19.3.4); null if the two are the same.
struct Conversion {
  Word (*to_c)(int handle) = nullptr;
  int (*to_fortran)(Word handle) = nullptr;
};
Conversion conversion_by(const char* to_c, const char* to_fortran);

#define MPIGRAFT_CONVERTED(role, kind)                                                       \
  inline const Conversion& conversion_of(Narrow::role) {                                     \
    static const Conversion found = conversion_by("MPI_" #kind "_f2c", "MPI_" #kind "_c2f"); \
    return found;                                                                            \
  }
MPIGRAFT_CONVERTED(comm, Comm)
MPIGRAFT_CONVERTED(oldcomm, Comm)
MPIGRAFT_CONVERTED(info, Info)
MPIGRAFT_CONVERTED(op, Op)
MPIGRAFT_CONVERTED(oldop, Op)
MPIGRAFT_CONVERTED(datatype, Type)
MPIGRAFT_CONVERTED(sendtype, Type)
MPIGRAFT_CONVERTED(request, Request)
MPIGRAFT_CONVERTED(newrequest, Request)
#undef MPIGRAFT_CONVERTED

/// MPI_IN_PLACE and MPI_BOTTOM for Fortran's constants, else `buffer`.
void* c_buffer(const void* buffer);

/// The address of a handle of Fortran, for a C function that reads it, or puts another one there.
template <class Place>
class InC {
 public:
  explicit InC(Place place) : place_(place) {
    constexpr bool reads = !std::is_same_v<Place, Narrow::newrequest>;
    if (reads && is_converted()) before_ = handle_ = conversion_of(Place{}).to_c(in_fortran());
  }
  /// A call that has failed leaves the handle alone.
  ~InC() {
    if (handle_ != before_) in_fortran() = conversion_of(Place{}).to_fortran(handle_);
  }
  InC(const InC&) = delete;
  InC& operator=(const InC&) = delete;
  operator Place() { return is_converted() ? reinterpret_cast<Place>(&handle_) : place_; }
  /// The program's own address, where handles of Fortran are those of C; else null.
  Place unconverted() const { return is_converted() ? nullptr : place_; }

 private:
  static bool is_converted() { return conversion_of(Place{}).to_c != nullptr; }
  int& in_fortran() { return *reinterpret_cast<int*>(place_); }

  Place place_;
  Word before_ = 0, handle_ = 0;
};

/// The value for C of an argument of Fortran.
template <class Role>
Role c_value(Role argument) {
  return argument;
}
template <class Role>
requires std::is_enum_v<Role> Role c_value(const Role* argument) { return *argument; }
template <class Role>
Role c_value(const FortranHandle<Role>* argument) {
  const auto to_c = conversion_of(Role{}).to_c;
  return static_cast<Role>(to_c ? to_c(argument->value) : static_cast<unsigned>(argument->value));
}
inline Narrow::sendbuf c_value(Narrow::sendbuf buffer) { return static_cast<Narrow::sendbuf>(c_buffer(buffer)); }
inline Narrow::recvbuf c_value(Narrow::recvbuf buffer) { return static_cast<Narrow::recvbuf>(c_buffer(buffer)); }
inline auto c_value(Narrow::oldcomm place) { return InC(place); }
inline auto c_value(Narrow::oldop place) { return InC(place); }
inline auto c_value(Narrow::request place) { return InC(place); }
inline auto c_value(Narrow::newrequest place) { return InC(place); }

}  // namespace mpigraft::abi

// Makes X(name, ...) for each name of a function in Open MPI: those of mpif.h and `use mpi` in the four spellings of
// compilers, and those behind them, of which `use mpi_f08` calls one.
#define MPIGRAFT_IN_SPELLINGS(X, function, lower, upper, ...)         \
  static_assert(mpigraft::abi::is_lower_case_of(#lower, #function) && \
                mpigraft::abi::is_lower_case_of(#lower, #upper));     \
  X(ompi_##lower##_f, __VA_ARGS__)                                    \
  X(mpi_##lower##_, __VA_ARGS__)                                      \
  X(mpi_##lower, __VA_ARGS__)                                         \
  X(mpi_##lower##__, __VA_ARGS__)                                     \
  X(MPI_##upper, __VA_ARGS__)                                         \
  X(MPI_##function##_f, __VA_ARGS__)                                  \
  X(MPI_##function##_f08, __VA_ARGS__)
