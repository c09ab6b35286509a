// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>

#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::schedule {
namespace {

struct KindWords {
  std::string_view name, action;
};
#define X(name, action) KindWords{#name, action},
constexpr std::array kinds{MPIGRAFT_STEP_KINDS(X)};
#undef X
constexpr std::array memory_names{"input", "result", "scratch"};

/// What a letter of the table of step kinds means.
std::string meaning(char letter, const Step& step) {
  switch (letter) {
    case 'A':
      return words(step.a, step.count);
    case 'B':
      return words(step.b, step.count);
    case 'C':
      return words(step.c, step.count);
    case 'P':
      return std::to_string(step.peer);
    case 'M':
      return "message " + std::to_string(step.slot);
    case 'N':
      return std::to_string(step.page);
    case 'E':
      return std::to_string(step.from_page);
    default:
      return {letter};
  }
}

}  // namespace

std::string words(Address address, std::int64_t count) {
  return std::string(memory_names[static_cast<std::size_t>(address.memory)]) + "[" + std::to_string(address.at) + ".." +
         std::to_string(address.at + count) + ")";
}

std::string words(const Step& step) {
  const auto& [name, action] = kinds[static_cast<std::size_t>(step.kind)];
  std::string text(name);
  text.resize(21, ' ');  // the longest has 19 letters
  for (const char letter : action) text += meaning(letter, step);
  return text;
}

}  // namespace mpigraft::schedule
