// SPDX-License-Identifier: MIT
#include "shim/bench/arms.hpp"

#include "shim/entry/communicator.hpp"
#include "shim/execute/decision.hpp"

namespace mpigraft::bench {
namespace {

bool can_run(const table::Choice& choice, const Problem& problem) {
  const AlgorithmInfo& info = info_of(choice.algorithm);
  const bool combines = info_of(problem.collective).combines();
  return info.collective == problem.collective && !(info.commutative && combines && !problem.kind.commutative);
}

std::shared_ptr<test::AgreedCopy> forced_copy(Composition composition, Variant variant) {
  return std::make_shared<test::AgreedCopy>([=](table::Settings& settings) {
    settings.force_variant = {};
    settings.force_variant[static_cast<std::size_t>(composition)] = variant;
    settings.decisive = words_of(composition, variant);
  });
}

Ran variant_that_runs(const Arm& arm, Composition composition, std::int64_t bytes) {
  const entry::Communicator* const communicator = entry::communicator_of(abi::passed<abi::Comm>(arm.comm));
  if (!communicator || !communicator->agreed.table) return {words_of(composition, Variant::apart), "no table"};
  return {words_of(composition, execute::variant_for(communicator->agreed, composition, bytes).variant), ""};
}

}  // namespace

Ran what_runs(const Arm& arm, const Problem& problem, Buffers& buffers) {
  if (arm.native) return {"native", "PMPI"};
  if (problem.composition) return variant_that_runs(arm, *problem.composition, problem.bytes());
  const CollectiveInfo& info = info_of(problem.collective);
  const abi::Word type = abi::to_pass(abi::passed<abi::Type>(problem.kind.datatype));
  abi::RawCall raw{.collective = problem.collective,
                   .large = false,
                   .send = info.in_place == InPlace::in_buffer ? nullptr : buffers.send(),
                   .recv = buffers.recv(),
                   .count = problem.count,
                   .type = type,
                   .op = info.combines() ? abi::to_pass(abi::passed<abi::Op>(problem.kind.operation)) : 0,
                   .root = root,
                   .comm = abi::to_pass(abi::passed<abi::Comm>(arm.comm))};
  abi::RawParts parts{.send_type = type};
  if (const test::Cut* const cut = buffers.cut()) {
    raw.parts = &parts;
    raw.equal = cut->each >= 0;
    raw.count = raw.equal ? cut->each : 0;
    parts.send_count = cut->count;
    if (!raw.equal) parts.counts = cut->counts, parts.displs = cut->displacements;
  }
  abi::Call call(raw);
  entry::Communicator* const communicator = entry::communicator_of(abi::passed<abi::Comm>(arm.comm));
  if (!communicator) return {"native", "one rank"};
  const execute::Decision decision = execute::decide(communicator->agreed, communicator->transport, call);
  return {words_of(decision.choice), execute::explain(decision)};
}

Arms::Arms(const Selection& selection) : selection_(selection) {
  test::agree_on(MPI_COMM_WORLD);  // before anything is forced
  for (const table::Choice choice : selection.forced) forced_.push_back(std::make_shared<test::Forced>(choice));
  for (const auto& [composition, variant] : selection.variants) forced_.push_back(forced_copy(composition, variant));
}

std::vector<Arm> Arms::for_problem(const Problem& problem) const {
  const int grafted = selection_.nonblocking ? nonblocking_form : plain_form, native = native_form | grafted;
  const Form form = problem.composition ? Form{} : Form{grafted};
  std::vector<Arm> arms{{"native", native, MPI_COMM_WORLD, true}, {"null", native, MPI_COMM_WORLD, true}};
  if (selection_.table) arms.push_back({"default", form, MPI_COMM_WORLD});
  auto forced = forced_.begin();
  for (const table::Choice choice : selection_.forced) {
    const MPI_Comm comm = (*forced++)->comm();
    if (!problem.composition && can_run(choice, problem)) arms.push_back({words_of(choice), form, comm});
  }
  for (const auto& [composition, variant] : selection_.variants) {
    const MPI_Comm comm = (*forced++)->comm();
    if (problem.composition == composition) arms.push_back({words_of(composition, variant), form, comm});
  }
  return arms;
}

}  // namespace mpigraft::bench
