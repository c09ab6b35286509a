// SPDX-License-Identifier: MIT
// The compiler of schedules, on random texts: an oracle judges what it makes, and each pass is made wrong once.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "algorithms/model/recording.hpp"
#include "algorithms/schedule/draft.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/schedule/oracle.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;
using schedule::Draft;

namespace {

constexpr std::int64_t length = 8;
constexpr int p = 4, rank_of_text = 1;

/// A text of random equations.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed), params_{.ports = 1 + random_.below(3)}, seed_(seed) {}

  int ports() const { return params_.ports; }
  void write(Record& record) {
    random_ = Random(seed_ + 1);
    page_ = 0;
    Program net(record, rank_of_text, p, length, params_);
    values_ = {net.input()};
    for (int i = random_.below(24); i >= 0; --i) add(net);
    for (std::int64_t first = 0; first < length;) {
      const Value v = any();
      const Record::Base& base = record.bases[static_cast<std::size_t>(v.base)];
      const bool moves = base.origin == Record::Origin::input && base.first + v.first != first;  // in place it may not
      if (first + v.count <= length && !moves && random_.below(4) > 0) net.result(v, first);
      first += v.count;
    }
  }

 private:
  Value any() { return values_[static_cast<std::size_t>(random_.below(static_cast<int>(values_.size())))]; }
  std::int64_t count() { return std::int64_t{1} << random_.below(4); }

  void add(Program& net) {
    switch (random_.below(14)) {
      case 0:
        return void(values_.push_back(net.input(random_.below(5), 1 + random_.below(4))));
      case 1:
        return net.overlap(static_cast<Overlap>(random_.below(3)));
      case 2:
        return net.begin_round();
      case 3:
        return void(values_.push_back(halved(any())));
      case 4: {
        const std::vector<Value> values{any(), any()};
        if (values[0].count + values[1].count <= length) values_.push_back(net.join(values));
        return;
      }
      case 5:
      case 6:
        return net.send(any(), random_.below(p));
      case 7:
      case 8:
        return void(values_.push_back(net.recv(random_.below(p), count())));
      case 9:
        return net.publish(any(), page_++);
      case 10:
        return void(values_.push_back(net.read(random_.below(p), page_, count(), random_.below(3))));
      default: {
        const Value lower = any(), upper = any();
        if (lower.count == upper.count && lower != upper) values_.push_back(net.combine(lower, upper));
      }
    }
  }
  static Value halved(Value v) { return v.count > 1 ? part(v, v.count / 2, v.count - v.count / 2) : v; }

  Random random_;
  const Params params_;
  const unsigned seed_;
  std::vector<Value> values_;
  std::int64_t page_ = 0;
};

/// A pass, and the first promise that it breaks, if any.
struct Pass {
  void (*run)(Draft&);
  std::string (*broken)(const Draft&);
};
constexpr Pass passes[]{{schedule::find_lifetimes, broken_lifetimes},
                        {schedule::wish_places, broken_wishes},
                        {schedule::find_places, broken_places},
                        {schedule::lay_out_scratch, broken_layout}};

/// What makes the outcome of one pass wrong, or the steps.
struct Mutation {
  void (*after)(Draft&) = nullptr;
  void (*how)(Draft&) = nullptr;
  void (*steps)(List<schedule::Step>&) = nullptr;
};

/// Runs the passes, and looks after each whether it keeps its promise: `broken` is the first promise that none keeps.
schedule::Schedule compiled(Draft& draft, const Mutation& mutation, std::string& broken) {
  for (const Pass& pass : passes) {
    pass.run(draft);
    if (pass.run == mutation.after) mutation.how(draft);
    if (broken.empty()) broken = pass.broken(draft);
  }
  schedule::Schedule made;
  made.scratch = draft.scratch;
  emit_steps(draft, made.steps);
  if (mutation.steps) mutation.steps(made.steps);
  return made;
}

/// What is wrong in random texts 0..n-1, as the oracle finds it in the schedule, and as the passes break promises.
struct Findings {
  std::set<std::string> wrong, broken;
};
Findings find_in(int n, const Mutation& mutation = {}) {
  Findings found;
  for (int i = 0; i < n; ++i) {
    Record record;
    RandomText text(static_cast<unsigned>(i));
    text.write(record);
    for (const bool aliased : {false, true}) {
      Draft draft;
      draft.record = &record;
      draft.result_length = length;
      draft.ports = text.ports();
      draft.aliased = aliased;
      std::string broken;
      const std::string verdict = judged(record, length, draft.ports, aliased, compiled(draft, mutation, broken));
      if (!verdict.empty()) found.wrong.insert(verdict);
      if (!broken.empty()) found.broken.insert(broken);
    }
  }
  return found;
}

void ends_early(Draft& draft) {
  for (auto& life : draft.lives) life.end = life.under_way = std::min(life.end, life.begin + 3);
}
void begins_late(Draft& draft) {
  for (std::size_t i = 0; i < draft.lives.size(); ++i)
    if (draft.base(static_cast<int>(i)).origin == Record::Origin::sum) draft.lives[i].begin += 4;
}
void announced_at_once(Draft& draft) {
  for (auto& life : draft.lives) life.begin = std::min(life.begin, 0);
}
void overwrites_lower(Draft& draft) {
  for (std::size_t i = 0; i < draft.overwrites.size(); ++i)
    if (draft.overwrites[i]) {
      const Value lower = draft.base(static_cast<int>(i)).lower;
      draft.overwrites[i] = lower;
      draft.wishes[i] = draft.wishes[static_cast<std::size_t>(lower.base)];
    }
}
void one_home(Draft& draft) {
  for (auto& home : draft.homes)
    if (home.group >= 0) home = {0, 0};
}
void all_at_zero(Draft& draft) {
  for (auto& group : draft.groups) group.at = 0;
}
template <schedule::Kind kind>
void forgets(List<schedule::Step>& steps) {
  std::erase_if(steps, [](const schedule::Step& step) { return step.kind == kind; });
}

}  // namespace

TEST_CASE("schedules of random texts do what the equations say, and each pass what it promises") {
  const Findings found = find_in(full() ? 200'000 : 10'000);
  CHECK(found.wrong == std::set<std::string>{});
  CHECK(found.broken == std::set<std::string>{});
}

TEST_CASE("each pass keeps its promises with the texts of all algorithms") {
  for (const Listed& A : listed) {
    const CollectiveInfo& collective = info_of(A.info->collective);
    for (int p = 1; p <= 9; ++p)
      for (int rank = 0; rank < p; ++rank)
        for (const bool in_place : {false, true}) {
          const Params params{.element_bytes = 8, .segment = 8};
          Record record;
          Program program(record, rank, p, p, params);
          A.info->text(program);
          Draft draft;
          draft.begin(record, *A.info, program, collective.aliased(rank, params.root, in_place));
          std::string broken;
          const schedule::Schedule made = compiled(draft, {}, broken);
          CAPTURE(A.name, p, rank, in_place);
          CHECK(broken.empty());
          if (draft.aliased && collective.has_parts()) continue;  // the oracle knows whole vectors in place
          CHECK(judged(record, p, draft.ports, draft.aliased, made).empty());
        }
  }
}

TEST_CASE("a compiler with a wrong pass is found out") {
  using namespace schedule;
  const Mutation mutant = GENERATE(Mutation{find_lifetimes, ends_early}, Mutation{find_lifetimes, begins_late},
                                   Mutation{find_places, announced_at_once}, Mutation{wish_places, overwrites_lower},
                                   Mutation{find_places, one_home}, Mutation{lay_out_scratch, all_at_zero},
                                   Mutation{.steps = forgets<Kind::wait>}, Mutation{.steps = forgets<Kind::copy>},
                                   Mutation{.steps = forgets<Kind::combine>}, Mutation{.steps = forgets<Kind::irecv>});
  const Findings found = find_in(1000, mutant);
  CHECK_FALSE(found.wrong.empty());
  CHECK(found.broken.empty() == (mutant.steps != nullptr));  // steps promise nothing: the oracle judges them
}
