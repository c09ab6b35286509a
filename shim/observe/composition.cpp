// SPDX-License-Identifier: MIT
#include "shim/observe/composition.hpp"

#include <array>

#include "shim/abi/arguments.hpp"

namespace mpigraft {
namespace {

struct Named {
  MPI_Op op;
  const char* name;
};
constexpr std::array names{Named{MPI_SUM, "sum"},   Named{MPI_PROD, "prod"}, Named{MPI_MAX, "max"},
                           Named{MPI_MIN, "min"},   Named{MPI_LAND, "land"}, Named{MPI_LOR, "lor"},
                           Named{MPI_BAND, "band"}, Named{MPI_BOR, "bor"},   Named{MPI_BXOR, "bxor"}};

/// a x (b + c) = (a x b) + (a x c), but for rounding and overflow. The first is x.
constexpr std::array<std::array<MPI_Op, 2>, 14> distributive{{{MPI_SUM, MPI_MAX},
                                                              {MPI_SUM, MPI_MIN},
                                                              {MPI_PROD, MPI_SUM},
                                                              {MPI_MAX, MPI_MIN},
                                                              {MPI_MIN, MPI_MAX},
                                                              {MPI_MAX, MPI_MAX},
                                                              {MPI_MIN, MPI_MIN},
                                                              {MPI_LAND, MPI_LOR},
                                                              {MPI_LOR, MPI_LAND},
                                                              {MPI_BAND, MPI_BOR},
                                                              {MPI_BOR, MPI_BAND},
                                                              {MPI_BAND, MPI_BXOR},
                                                              {MPI_BAND, MPI_BAND},
                                                              {MPI_BOR, MPI_BOR}}};

std::string name_of(MPI_Op op) {
  for (const Named& known : names)
    if (known.op == op) return known.name;
  return is_builtin(op) ? "other" : "user";
}

bool distributes(MPI_Op first, MPI_Op second) {
  for (const auto& [x, plus] : distributive)
    if (x == first && plus == second) return true;
  return false;
}

const void* input_of(const Call& call) { return call.send == MPI_IN_PLACE ? call.recv : call.send; }

}  // namespace

std::optional<ReportPair> follow(LastScan& last, const Call& call, std::int64_t ranks) {
  const LastScan before = last;
  last = {};
  if (call.collective == Collective::scan) last = {call.recv, call.count, call.type, call.op};
  if (call.collective != Collective::scan && call.collective != Collective::reduce) return {};
  if (!before.result || before.result != input_of(call) || before.count != call.count || before.type != call.type)
    return {};
  const bool known = distributes(before.op, call.op);
  if (!known && is_builtin(before.op) && is_builtin(call.op)) return {};
  return ReportPair{.second = call.collective,
                    .first_operator = name_of(before.op),
                    .second_operator = name_of(call.op),
                    .distributes = known,
                    .ranks = ranks,
                    .bytes_min = call.bytes,
                    .bytes_max = call.bytes,
                    .calls = 1};
}

}  // namespace mpigraft
