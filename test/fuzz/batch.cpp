// SPDX-License-Identifier: MIT
#include "test/fuzz/batch.hpp"

#include <cstdio>
#include <numeric>

#include "algorithms/catalogue.hpp"
#include "shim/base/process.hpp"
#include "shim/bench/forced.hpp"
#include "shim/entry/plan_for.hpp"
#include "test/fuzz/random.hpp"

namespace mpigraft::fuzz {
namespace {

/// Each collective has two rules for random ranges of bytes, one for all other lengths, and one for the user operators
/// that those rules pass over because their algorithms cut. No call is left to MPI, which fails on some of these types.
std::vector<table::Rule> random_rules(Random& random) {
  std::vector<table::Rule> rules;
  for (const Collective collective : all_collectives)
    for (int i = 0; i < (info_of(collective).combines() ? 4 : 3); ++i) {
      table::Rule& rule = rules.emplace_back();
      rule.collective = collective;
      const auto suits = [&](const AlgorithmInfo& info) {
        return info.collective == collective && !(i >= 2 && info.commutative);
      };
      do rule.choice.algorithm = static_cast<int>(random.below(listed.size()));
      while (!suits(info_of(rule.choice.algorithm)));
      if (i < 2) rule.bytes.min = random.below(200), rule.bytes.max = rule.bytes.min + random.below(5000);
      if (info_of(rule.choice.algorithm).commutative) rule.op = table::OperatorClass::commutative;
      if (i == 3) rule.op = table::OperatorClass::user;
      if (random.percent(30)) rule.choice.segment = random.between(1, 3000);
    }
  return rules;
}

}  // namespace

Batch::Batch(std::uint64_t seed, std::int64_t number) {
  Random random{seed, static_cast<std::uint64_t>(number), 1};
  int p = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  base::settings().nodes.each = random.below(p + 1);  // 0: one node
  split(random, p, rank);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  test::agree_on(comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  communicator_ = entry::communicator_of(abi::passed<abi::Comm>(comm_));
  if (communicator_) own_table_ = communicator_->agreed.table;
  choose_table(random);
  MPI_Irecv(&received_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &wildcard_);
}

/// The communicator is freed with a message under way.
Batch::~Batch() {
  if (communicator_) {
    agree::Negotiated& agreed = communicator_->agreed;
    agreed.table = own_table_, agreed.force = {}, agreed.strict = false;
  }
  const int token = 1;
  MPI_Request requests[2] = {wildcard_, MPI_REQUEST_NULL};
  MPI_Isend(&token, 1, MPI_INT, rank(), 0, comm_, &requests[1]);
  if (comm_ != MPI_COMM_WORLD) MPI_Comm_free(&comm_);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (received_ == token) return;
  std::fprintf(stderr, "WRONG: a receive of the program got a message that the program did not send\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void Batch::split(Random& random, int p, int rank) {
  const int parts = random.percent(50) ? 1 : static_cast<int>(random.between(2, 3)),
            cut = static_cast<int>(random.between(1, p));
  const auto shape = random.below(6);
  if (shape == 0) return void(text_ = "MPI_COMM_WORLD");
  if (shape == 1) {
    text_ = "a duplicate";
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  } else if (shape == 2) {
    text_ = "ranks reversed, modulo " + std::to_string(parts);
    MPI_Comm_split(MPI_COMM_WORLD, rank % parts, -rank, &comm_);
  } else {
    std::vector<int> keys(static_cast<std::size_t>(p));
    std::iota(keys.begin(), keys.end(), 0);
    if (shape > 3) random.shuffle(keys);
    const int key = keys[static_cast<std::size_t>(rank)];
    text_ = (shape > 3 ? "ranks shuffled, then below and from " : "ranks below and from ") + std::to_string(cut);
    MPI_Comm_split(MPI_COMM_WORLD, key < cut, key, &comm_);
  }
}

void Batch::choose_table(Random& random) {
  const auto chance = random.below(100);
  selection_ = chance < 84 ? Selection::forced : chance < 98 ? Selection::random_table : Selection::default_table;
  if (!communicator_) return;
  entry::forget_calls(*communicator_);  // some ranks may have calls that were decided by the table of another batch
  if (selection_ != Selection::random_table) return;
  auto table = std::make_shared<agree::AgreedTable>();
  table->table.rules = random_rules(random);
  communicator_->agreed.table = table;
}

void Batch::force(Collective collective, table::Choice choice) {
  if (!communicator_) return;
  agree::Negotiated& agreed = communicator_->agreed;
  agreed.force[static_cast<std::size_t>(collective)] = {{choice}};
  agreed.strict = agreed.allows_flat = true;
  entry::forget_calls(*communicator_);  // they rely on what was negotiated, which otherwise never changes
}

}  // namespace mpigraft::fuzz
