// SPDX-License-Identifier: MIT
#include "shim/bench/arms.hpp"

#include "shim/entry/plan_for.hpp"

namespace mpigraft::bench {
namespace {

std::shared_ptr<test::AgreedCopy> forced_copy(Composition composition, Variant variant) {
  return std::make_shared<test::AgreedCopy>([=](table::Settings& settings) {
    settings.force_variant = {};
    settings.force_variant[static_cast<std::size_t>(composition)] = variant;
    settings.decisive = words_of(composition, variant);
  });
}

Ran variant_that_runs(const entry::Communicator* communicator, Composition composition, std::int64_t bytes) {
  if (!communicator || !communicator->agreed.table) return {words_of(composition, Variant::apart), "no table"};
  return {words_of(composition, execute::variant_for(communicator->agreed, composition, bytes).variant), ""};
}

}  // namespace

bool Arm::is_for(const Problem& problem) const {
  if (variant) return problem.composition == variant->first;
  return !choice || (!problem.composition && info_of(choice->algorithm).collective == problem.collective);
}

bool Arm::can_run(const Problem& problem) const {
  const bool commutes = problem.kind.model.commutes || !info_of(problem.collective).combines();
  return is_for(problem) && (!choice || commutes || !info_of(choice->algorithm).commutative);
}

void agree_on(std::vector<Arm>& arms) {
  for (Arm& arm : arms) {
    if (arm.choice) arm.copy = std::make_shared<test::Forced>(*arm.choice);
    if (arm.variant) arm.copy = forced_copy(arm.variant->first, arm.variant->second);
  }
}

Ran what_runs(const Arm& arm, const Problem& problem, Buffers& buffers) {
  if (arm.is_native()) return {"native", "PMPI"};
  entry::Communicator* const communicator = entry::communicator_of(abi::passed<abi::Comm>(arm.comm()));
  if (problem.composition) return variant_that_runs(communicator, *problem.composition, problem.bytes());
  if (!communicator) return {"native", "one rank"};
  entry::forget_calls(*communicator);
  buffers.call(plain_form, arm.comm());
  const execute::Decision& decision = communicator->known_calls.latest.plan.decision;
  return {words_of(decision.choice), execute::explain(decision)};
}

}  // namespace mpigraft::bench
