// SPDX-License-Identifier: MIT
#include "shim/abi/datatype.hpp"

#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

Datatype describe(Type handle) {
  const std::int64_t size = type_size(handle);
  const Extent extent = type_extent(handle), true_extent = type_true_extent(handle);
  // A derived type is never contiguous here: even without holes it may list its parts in another order.
  const bool contiguous = is_builtin(handle) && size == extent.length;
  return {handle, size, extent.length, true_extent.lower_bound, true_extent.length, contiguous};
}

Floats floats_of(Type handle) {
  switch (facts_of(handle).content) {
    case Content::floating:
      return {1, false};
    case Content::complex:
      return {2, false};
    case Content::floating_and_index:
      return {1, true};
    case Content::two_floating:
      return {2, true};
    default:
      return {};
  }
}

bool is_floating(Type handle) {
  const Floats floats = floats_of(handle);
  return floats.numbers > 0 && !floats.pair;
}

bool holds(Type handle, bool (*such)(Type)) {
  if (type_is_predefined(handle)) return such(handle);
  bool found = false;
  for (Type part : type_parts(handle)) {
    found = found || holds(part, such);
    if (!type_is_predefined(part)) type_free(part);
  }
  return found;
}

}  // namespace mpigraft::abi
