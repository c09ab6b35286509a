// SPDX-License-Identifier: MIT
#include "algorithms/schedule/compile.hpp"

namespace mpigraft::schedule {

void Compiler::compile(const AlgorithmInfo& info, int p, int rank, std::int64_t length, bool aliased,
                       const Params& params, Schedule& schedule) {
  Program program(record_, rank, p, length, params);
  info.text(program);
  draft_.record = &record_;
  const CollectiveInfo& collective = info_of(info.collective);
  const Parts parts = program.parts();
  draft_.length = length;
  draft_.result_length = collective.result.count(rank, length, parts);
  draft_.ports = info.k_ported ? params.ports : 1;
  draft_.aliased = aliased;
  draft_.input_at = aliased ? collective.input.first(rank, parts) - collective.result.first(rank, parts) : 0;
  find_lifetimes(draft_);
  for (int thrift = 0; thrift <= most_thrift; ++thrift) {
    draft_.thrift = thrift;
    wish_places(draft_);
    find_places(draft_);
    lay_out_scratch(draft_);
    if (draft_.scratch.count() <= most_scratch(draft_)) break;
  }
  schedule.scratch = draft_.scratch;
  schedule.steps.clear();
  emit_steps(draft_, schedule.steps);
}

}  // namespace mpigraft::schedule
