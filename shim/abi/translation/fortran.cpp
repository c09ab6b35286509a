// SPDX-License-Identifier: MIT
// Fortran's handles and constants. Those of MPICH's mpi_f08 are C's.
#include "shim/abi/fortran.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "shim/abi/binding.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/translation/interface.hpp"

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

constexpr bool has_c_handles = translated == table::Interface::mpich;

int* integer_at(Narrow::oldcomm place) { return reinterpret_cast<int*>(place); }

}  // namespace

ToC* converter(const char* name) { return has_c_handles ? nullptr : function_of_mpi<ToC>(name); }

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

FreedComm::FreedComm(Narrow::oldcomm place) : place_(place) {
  if constexpr (!has_c_handles) {
    const FortranHandle<Narrow::comm> handle{*integer_at(place)};
    before_ = handle_ = static_cast<Word>(c_value(&handle));
  }
}

/// A call that has failed leaves the handle alone.
FreedComm::~FreedComm() {
  if (handle_ == before_) return;
  static auto* const convert = function_of_mpi<int(Word)>("MPI_Comm_c2f");
  *integer_at(place_) = convert(handle_);
}

FreedComm::operator Narrow::oldcomm() { return has_c_handles ? place_ : reinterpret_cast<Narrow::oldcomm>(&handle_); }

}  // namespace mpigraft::abi
