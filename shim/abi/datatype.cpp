// SPDX-License-Identifier: MIT
#include "shim/abi/datatype.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "shim/abi/pmpi.hpp"

namespace mpigraft {

Datatype describe(MPI_Datatype handle) {
  MPI_Count size = 0;
  MPI_Aint lb = 0, extent = 0, true_lb = 0, true_extent = 0;
  pmpi.Type_size_x(handle, &size);
  pmpi.Type_get_extent(handle, &lb, &extent);
  pmpi.Type_get_true_extent(handle, &true_lb, &true_extent);
  // Only named types: a derived one of the right size may still list its parts in another order.
  const bool contiguous = is_builtin(handle) && size == extent;
  return {handle, size, extent, true_lb, true_extent, contiguous};
}

Floats floats_of(MPI_Datatype handle) {
  static constexpr std::array real{MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION,
                                   MPI_REAL4, MPI_REAL8,  MPI_REAL16};
  static constexpr std::array complex{MPI_COMPLEX,
                                      MPI_DOUBLE_COMPLEX,
                                      MPI_COMPLEX8,
                                      MPI_COMPLEX16,
                                      MPI_COMPLEX32,
                                      MPI_C_FLOAT_COMPLEX,
                                      MPI_C_DOUBLE_COMPLEX,
                                      MPI_C_LONG_DOUBLE_COMPLEX,
                                      MPI_CXX_FLOAT_COMPLEX,
                                      MPI_CXX_DOUBLE_COMPLEX,
                                      MPI_CXX_LONG_DOUBLE_COMPLEX};
  static constexpr std::array pairs{MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT};
  static constexpr std::array fortran_pairs{MPI_2REAL, MPI_2DOUBLE_PRECISION};
  const auto among = [=](const auto& list) { return std::ranges::find(list, handle) != list.end(); };
  if (among(real)) return {1, false};
  if (among(complex)) return {2, false};
  if (among(pairs)) return {1, true};
  return among(fortran_pairs) ? Floats{2, true} : Floats{};
}

bool is_floating(MPI_Datatype handle) {
  const Floats floats = floats_of(handle);
  return floats.numbers > 0 && !floats.pair;
}

bool is_extended(MPI_Datatype handle) {
  static constexpr std::array extended{MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX,
                                       MPI_LONG_DOUBLE_INT};
  return std::ranges::find(extended, handle) != extended.end();
}

bool holds(MPI_Datatype handle, bool (*such)(MPI_Datatype)) {
  MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
  int combiner = 0;
  pmpi.Type_get_envelope_c(handle, &integers, &addresses, &counts, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED) return such(handle);
  std::vector<int> i(static_cast<std::size_t>(integers));
  std::vector<MPI_Aint> a(static_cast<std::size_t>(addresses));
  std::vector<MPI_Count> c(static_cast<std::size_t>(counts));
  std::vector<MPI_Datatype> parts(static_cast<std::size_t>(types));
  pmpi.Type_get_contents_c(handle, integers, addresses, counts, types, i.data(), a.data(), c.data(), parts.data());
  bool found = false;
  for (MPI_Datatype part : parts) {
    found = found || holds(part, such);
    pmpi.Type_get_envelope_c(part, &integers, &addresses, &counts, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED) pmpi.Type_free(&part);
  }
  return found;
}

}  // namespace mpigraft
