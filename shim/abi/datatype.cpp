// SPDX-License-Identifier: MIT
#include "shim/abi/datatype.hpp"

#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft {

Datatype describe(abi::Type handle) {
  const std::int64_t size = abi::type_size(handle);
  const abi::Extent extent = abi::type_extent(handle), true_extent = abi::type_true_extent(handle);
  // Only named types: a derived one of the right size may still list its parts in another order.
  const bool contiguous = is_builtin(handle) && size == extent.length;
  return {handle, size, extent.length, true_extent.lower_bound, true_extent.length, contiguous};
}

Floats floats_of(abi::Type handle) {
  switch (abi::facts_of(handle).content) {
    case abi::Content::floating:
      return {1, false};
    case abi::Content::complex:
      return {2, false};
    case abi::Content::floating_and_index:
      return {1, true};
    case abi::Content::two_floating:
      return {2, true};
    default:
      return {};
  }
}

bool is_floating(abi::Type handle) {
  const Floats floats = floats_of(handle);
  return floats.numbers > 0 && !floats.pair;
}

bool is_extended(abi::Type handle) { return abi::facts_of(handle).extended; }

bool holds(abi::Type handle, bool (*such)(abi::Type)) {
  if (abi::type_is_predefined(handle)) return such(handle);
  bool found = false;
  for (abi::Type part : abi::type_parts(handle)) {
    found = found || holds(part, such);
    if (!abi::type_is_predefined(part)) abi::type_free(part);
  }
  return found;
}

}  // namespace mpigraft
