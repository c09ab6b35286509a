// SPDX-License-Identifier: MIT
// Fortran's handles and constants. Those of MPICH's mpi_f08 are C's.
#include "shim/abi/fortran.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "shim/abi/binding.hpp"
#include "shim/abi/translation/handles.hpp"

namespace mpigraft::abi {
namespace {

template <class F>
F* function_of_mpi(const char* name) {
  return reinterpret_cast<F*>(Function(name).bound(nullptr).function);
}

/// The addresses of a Fortran constant, one in each spelling.
using Places = std::array<const void*, 4>;
Places places_of(const Places& spellings) {
  Places places{};
  std::ranges::transform(spellings, places.begin(),
                         [](const void* name) { return dlsym(RTLD_DEFAULT, static_cast<const char*>(name)); });
  return places;
}

}  // namespace

Conversion conversion_by(const char* to_c, const char* to_fortran) {
  if constexpr (translated == table::Interface::mpich) return {};
  return {function_of_mpi<Word(int)>(to_c), function_of_mpi<int(Word)>(to_fortran)};
}

void* c_buffer(const void* buffer) {
  static const Places in_place =
      places_of({"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
  static const Places bottom =
      places_of({"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"});
  if (buffer && std::ranges::find(in_place, buffer) != in_place.end())
    buffer = abi::in_place;
  else if (buffer && std::ranges::find(bottom, buffer) != bottom.end())
    buffer = nullptr;
  return const_cast<void*>(buffer);
}

}  // namespace mpigraft::abi
