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

int find_algorithm(Collective collective, std::string_view name) {
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const auto& [full, info] = listed[static_cast<std::size_t>(i)];
    if (info->collective == collective && full.substr(full.find('/') + 1) == name) return i;
  }
  return -1;
}

int flat_form(int i) { return find_algorithm(info_of(i).collective, info_of(i).flat); }

}  // namespace mpigraft
