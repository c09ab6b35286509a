// SPDX-License-Identifier: MIT
#include "algorithms/schedule/compile.hpp"

namespace mpigraft::schedule {

void Draft::begin(const Record& of, const AlgorithmInfo& info, const Program& program, bool in_place) {
  const CollectiveInfo& collective = info_of(info.collective);
  const Parts parts = program.parts();
  const int rank = program.rank();
  record = &of;
  result_length = collective.result.count(rank, program.length(), parts);
  ports = info.k_ported ? program.params().ports : 1;
  aliased = in_place;
  input_at = aliased ? collective.input.first(rank, parts) : 0;
}

void Compiler::compile(const AlgorithmInfo& info, int p, int rank, std::int64_t length, bool aliased,
                       const Params& params, Schedule& schedule) {
  Program program(record_, rank, p, length, params);
  info.text(program);
  draft_.begin(record_, info, program, aliased);
  find_lifetimes(draft_);
  wish_places(draft_);
  find_places(draft_);
  lay_out_scratch(draft_);
  schedule.scratch = draft_.scratch;
  schedule.steps.clear();
  emit_steps(draft_, schedule.steps);
}

}  // namespace mpigraft::schedule
