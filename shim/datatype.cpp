// SPDX-License-Identifier: MIT
#include "shim/datatype.hpp"

#include <algorithm>
#include <array>

#include "shim/pmpi.hpp"

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

ShiftedTypes::~ShiftedTypes() {
  for (Kept& kept : kept_)
    if (kept.shifted != MPI_DATATYPE_NULL) pmpi.Type_free(&kept.shifted);
}

MPI_Datatype ShiftedTypes::of(MPI_Datatype type) {
  for (const Kept& kept : kept_)
    if (kept.type == type) return kept.shifted;
  Kept& kept = kept_[oldest_];
  oldest_ = (oldest_ + 1) % kept_.size();
  if (kept.shifted != MPI_DATATYPE_NULL) pmpi.Type_free(&kept.shifted);
  constexpr MPI_Aint back = -place;
  kept.type =
      pmpi.Type_create_hindexed_block(1, 1, &back, type, &kept.shifted) == MPI_SUCCESS ? type : MPI_DATATYPE_NULL;
  pmpi.Type_commit(&kept.shifted);
  return kept.shifted;
}

bool is_floating(MPI_Datatype handle) {
  static constexpr std::array floating{MPI_FLOAT,
                                       MPI_DOUBLE,
                                       MPI_LONG_DOUBLE,
                                       MPI_REAL,
                                       MPI_DOUBLE_PRECISION,
                                       MPI_REAL4,
                                       MPI_REAL8,
                                       MPI_REAL16,
                                       MPI_COMPLEX,
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
  return std::find(floating.begin(), floating.end(), handle) != floating.end();
}

}  // namespace mpigraft
