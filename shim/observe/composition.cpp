// SPDX-License-Identifier: MIT
#include "shim/observe/composition.hpp"

#include <array>

#include "shim/abi/arguments.hpp"

namespace mpigraft::observe {
namespace {

using abi::Operator;

struct Named {
  Operator op;
  const char* name;
};
constexpr std::array names{Named{Operator::sum, "sum"},   Named{Operator::prod, "prod"}, Named{Operator::max, "max"},
                           Named{Operator::min, "min"},   Named{Operator::land, "land"}, Named{Operator::lor, "lor"},
                           Named{Operator::band, "band"}, Named{Operator::bor, "bor"},   Named{Operator::bxor, "bxor"}};

/// a x (b + c) = (a x b) + (a x c), but for rounding and overflow. The first is x.
constexpr std::array<std::array<Operator, 2>, 14> distributive{{{Operator::sum, Operator::max},
                                                                {Operator::sum, Operator::min},
                                                                {Operator::prod, Operator::sum},
                                                                {Operator::max, Operator::min},
                                                                {Operator::min, Operator::max},
                                                                {Operator::max, Operator::max},
                                                                {Operator::min, Operator::min},
                                                                {Operator::land, Operator::lor},
                                                                {Operator::lor, Operator::land},
                                                                {Operator::band, Operator::bor},
                                                                {Operator::bor, Operator::band},
                                                                {Operator::band, Operator::bxor},
                                                                {Operator::band, Operator::band},
                                                                {Operator::bor, Operator::bor}}};

std::string name_of(Operator op) {
  for (const Named& known : names)
    if (known.op == op) return known.name;
  return op == Operator::of_program ? "user" : "other";
}

bool distributes(Operator first, Operator second) {
  for (const auto& [x, plus] : distributive)
    if (x == first && plus == second) return true;
  return false;
}

const void* input_of(const abi::Call& call) { return call.send == abi::in_place ? call.recv : call.send; }

}  // namespace

std::optional<report::ReportPair> follow(LastScan& last, const abi::Call& call, std::int64_t ranks) {
  const LastScan before = last;
  last = {};
  if (call.collective == Collective::scan) last = {call.recv, call.count, call.type, call.op};
  if (call.collective != Collective::scan && call.collective != Collective::reduce) return {};
  if (!before.result || before.result != input_of(call) || before.count != call.count || before.type != call.type)
    return {};
  const Operator first = abi::operator_of(before.op), second = abi::operator_of(call.op);
  const bool known = distributes(first, second);
  if (!known && first != Operator::of_program && second != Operator::of_program) return {};
  return report::ReportPair{.second = call.collective,
                            .first_operator = name_of(first),
                            .second_operator = name_of(second),
                            .distributes = known,
                            .ranks = ranks,
                            .bytes_min = call.bytes,
                            .bytes_max = call.bytes,
                            .calls = 1};
}

}  // namespace mpigraft::observe
