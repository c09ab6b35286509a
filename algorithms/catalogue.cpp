// SPDX-License-Identifier: MIT
#include "algorithms/catalogue.hpp"

#include "algorithms/types.hpp"

namespace mpigraft {

constinit const std::array<Listed, std::tuple_size_v<decltype(catalogue)>> listed = std::apply(
    [](auto... entry) {
      return std::array{Listed{entry.name, &decltype(entry)::algorithm::info}...};
    },
    catalogue);

int find_algorithm(std::string_view name) {
  for (int i = 0; i < static_cast<int>(listed.size()); ++i)
    if (listed[static_cast<std::size_t>(i)].name == name) return i;
  return -1;
}

int flat_form(int i) {
  const auto& [name, info] = listed[static_cast<std::size_t>(i)];
  for (int flat = 0; flat < static_cast<int>(listed.size()); ++flat) {
    const auto& [other_name, other] = listed[static_cast<std::size_t>(flat)];
    if (other->collective == info->collective && other_name.substr(other_name.find('/') + 1) == info->flat) return flat;
  }
  return -1;
}

}  // namespace mpigraft
