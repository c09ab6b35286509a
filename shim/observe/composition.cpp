// SPDX-License-Identifier: MIT
// Finds pairs of calls that one call could replace.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "shim/abi/arguments.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::observe {
namespace {

using abi::Operator;

/// As reports name it: "sum" for MPI_SUM.
std::string words_of(Operator op) {
  if (op == Operator::of_program) return "user";
  if (op == Operator::other) return "other";
  std::string name(abi::name_of(op).substr(std::strlen("MPI_")));
  std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return name;
}

/// A collective, and one that may use its result as input.
constexpr std::array follows{
    std::pair(Collective::scan, Collective::scan), std::pair(Collective::scan, Collective::reduce),
    std::pair(Collective::scan, Collective::allreduce), std::pair(Collective::reduce, Collective::bcast),
    std::pair(Collective::reduce_scatter, Collective::allgather)};

/// The input of a call at rank 0, whose part of a vector comes first; null: it has none.
const void* input_of(const abi::Call& call) { return call.info().has_input(0, call.root) ? call.input() : nullptr; }
const void* result_of(const abi::Call& call) { return call.info().has_result(0, call.root) ? call.recv : nullptr; }

}  // namespace

std::optional<report::ReportPair> follow(PreviousCall& last, const abi::Call& call, std::int64_t ranks) {
  const PreviousCall before = std::exchange(last, {call.collective, result_of(call), call.bytes, call.type, call.op});
  if (!before.result || before.result != input_of(call) || before.bytes != call.bytes || before.type != call.type)
    return {};
  if (std::ranges::find(follows, std::pair(before.collective, call.collective)) == follows.end()) return {};
  report::ReportPair pair{.first = before.collective,
                          .second = call.collective,
                          .first_operator = words_of(abi::operator_of(before.op)),
                          .second_operator = {},
                          .ranks = ranks,
                          .bytes_min = call.bytes,
                          .bytes_max = call.bytes,
                          .calls = 1};
  if (!pair.is_by_pairs()) return pair;
  const Operator first = abi::operator_of(before.op), second = abi::operator_of(call.op);
  pair.second_operator = words_of(second);
  pair.distributes = abi::distributes(first, second);
  if (!pair.distributes && first != Operator::of_program && second != Operator::of_program) return {};
  return pair;
}

}  // namespace mpigraft::observe
