// SPDX-License-Identifier: MIT
#include <array>

#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::schedule {
namespace {

#define X(name) #name,
constexpr std::array kind_names{MPIGRAFT_STEP_KINDS(X)};
#undef X
constexpr std::array memory_names{"input", "result", "scratch"};

std::string message(const Step& step) { return "message " + std::to_string(step.slot); }

std::string page(const Step& step, bool whole) {
  return (whole ? "page " : "from page ") + std::to_string(step.page) +
         (whole ? "" : " of rank " + std::to_string(step.peer) + ", element " + std::to_string(step.from_page));
}

/// What the step does with its blocks.
std::string action(const Step& step) {
  const std::string a = words(step.a, step.count), peer = std::to_string(step.peer);
  const std::string b = words(step.b, step.count), sum = words(step.c, step.count) + " := " + a + " (+) " + b;
  switch (step.kind) {
    case Kind::send:
      return a + " to rank " + peer;
    case Kind::isend:
      return a + " to rank " + peer + ", " + message(step);
    case Kind::irecv:
      return a + " from rank " + peer + ", " + message(step);
    case Kind::copy:
      return b + " := " + a;
    case Kind::combine:
      return sum;
    case Kind::receive_and_combine:
      return sum + ", " + a + " by " + message(step);
    case Kind::combine_and_receive:
      return sum + ", " + b + " by " + message(step);
    case Kind::publish:
      return a + " as " + page(step, true);
    case Kind::read:
      return a + " " + page(step, false);
    case Kind::read_and_combine:
      return sum + ", " + a + " " + page(step, false);
    case Kind::combine_and_read:
      return sum + ", " + b + " " + page(step, false);
    case Kind::wait:
      return message(step);
  }
  return {};
}

}  // namespace

std::string words(Address address, std::int64_t count) {
  return std::string(memory_names[static_cast<std::size_t>(address.memory)]) + "[" + std::to_string(address.at) + ".." +
         std::to_string(address.at + count) + ")";
}

std::string words(const Step& step) {
  std::string name(kind_names[static_cast<std::size_t>(step.kind)]);
  name.resize(21, ' ');  // the longest has 19 letters
  return name + action(step);
}

}  // namespace mpigraft::schedule
