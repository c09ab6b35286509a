// SPDX-License-Identifier: MIT
// All algorithms that share memory, over the protocol of shim/memory/broadcast_buffer.hpp, call after call. Under every
// interleaving that the order of happens_before.hpp allows, no slot is read before it is written for this reader, none
// written again before its last reader is done. That order has no cycle.
#include <catch2/catch.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/cases.hpp"
#include "test/shim/memory/broadcast_protocols.hpp"
#include "test/shim/memory/happens_before.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;
using namespace mpigraft::proof;
using happens_before::Kind;
using happens_before::Lines;
using happens_before::Trace;

namespace {

/// A word whose stores do not release what was written before.
struct RelaxedWord : happens_before::Word {
  void store(Position at, std::memory_order) { Word::store(at, std::memory_order_relaxed); }
};

/// A transport that only has pages.
template <class BroadcastBuffer, class Protocol>
class PageTransport {
 public:
  struct Request {};

  PageTransport(BroadcastBuffer* buffers, int size, int rank)
      : buffers_(buffers, size, rank), size_(size), rank_(rank) {}

  int rank() const { return rank_; }
  int size() const { return size_; }
  void next_call() { buffers_.enter(position_of(++call_, 0)); }

  void publish(Block, std::int64_t step) {
    const Position at = position_of(call_, step);
    const int lines = lines_of(at);
    const auto wait = [=, this](const auto& word, Position done, int rank) {
      return happens_before::wait(word, seen(done, at), rank);
    };
    Protocol::publish(buffers_, at, lines * line_bytes, wait, [=, this](auto& slot) {
      const Lines payload{lines ? rank_ * BroadcastBuffer::lines + slot.line : 0, lines};
      Trace::current().note(Kind::write, slot.turn.number, at, payload);
    });
  }
  void read(Page page, Block) {
    const Position at = position_of(call_, page.step);
    const bool is_there = Protocol::read(buffers_, page.owner, at, happens_before::wait,
                                         [=](auto& slot) { Trace::current().note(Kind::read, slot.turn.number, at); });
    if (!is_there) throw std::logic_error("wait gives what is asked for");
  }
  void read_and_combine(Page page, Block in, Block, Block) { read(page, in); }
  void combine_and_read(Block, Page page, Block in, Block) { read(page, in); }

  Request isend(Block, int) { return {}; }
  Request irecv(Block, int) { return {}; }
  void wait(Request) {}
  void receive_and_combine(Request, Block, Block, Block) {}
  void combine_and_receive(Block, Request, Block, Block) {}
  void send(Block, int) {}
  void copy(Block, Block) {}
  void combine(Block, Block, Block) {}
  Block scratch(std::int64_t count, int times = 1) { return {2, 0, count * times}; }

 private:
  Position mixed(Position at) const { return (at + static_cast<Position>(rank_) * 7) * 0x9e3779b97f4a7c15ULL >> 40; }
  /// The length of a payload: short, or long, of any number of lines.
  int lines_of(Position at) const {
    return mixed(at) % 3 == 0 ? 0 : 1 + static_cast<int>(mixed(at) % BroadcastBuffer::part_lines);
  }
  /// The position at which a reader is seen: the least that it must have, or one in this call already.
  Position seen(Position least, Position at) const {
    const Position call = position_of(call_, 0);
    return mixed(at) % 5 < 2 && before(least, call) ? call : least;
  }

  BroadcastBuffers<BroadcastBuffer> buffers_;
  const int size_, rank_;
  std::uint64_t call_ = 0;
};

struct Call {
  int algorithm;  // of the catalogue; none: one without pages
  std::int64_t m = 0;
  Params params = {};
};

/// A call on p ranks, in b blocks; if `is_short`, without a slice for each rank.
Call call_of(int algorithm, int p, std::int64_t b, int root, bool is_short = false) {
  if (is_short) return {algorithm, std::min<std::int64_t>(b, p - 1), {.root = root, .element_bytes = 1, .segment = 1}};
  return {algorithm, b * p * p, {.root = root, .element_bytes = 1, .segment = p * p}};
}

std::vector<int> sharing_algorithms() {
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(listed.size()); ++i)
    if (listed[static_cast<std::size_t>(i)].info->placement == Placement::one) all.push_back(i);
  return all;
}

Operands operands_of(Collective collective, int rank, int p, const Call& call) {
  const CollectiveInfo& info = info_of(collective);
  const Parts parts = info.has_parts() ? even_parts(call.m, p) : Parts{};
  return {{0, 0, info.input.count(rank, call.m, parts)},
          {info.has_one_buffer() ? 0 : 1, 0, info.result.count(rank, call.m, parts)},
          parts,
          info.aliased(rank, call.params.root, false)};
}

template <class Net>
void run(Net& net, const Call& call) {
  net.next_call();
  if (call.algorithm == none) return;
  const AlgorithmInfo& info = info_of(call.algorithm);
  schedule::carry_out(info, net, operands_of(info.collective, net.rank(), net.size(), call), call.params);
}

struct NoPayload {};

/// The problem on p ranks with n slots each, and lines in so many parts; empty if there is none.
template <class Word, int n, class Protocol, int parts = n>
std::string problem(int p, const std::vector<Call>& calls, std::size_t* awaits = nullptr) {
  using B = BroadcastBuffer<Word, NoPayload, n, parts, 3>;
  Trace trace(p);
  const auto buffers = std::make_unique_for_overwrite<B[]>(static_cast<std::size_t>(p));
  for (int r = 0; r < p; ++r) {
    trace.begin(r);
    PageTransport<B, Protocol> net(buffers.get(), p, r);
    for (const Call& call : calls) run(net, call);
  }
  if (awaits) *awaits += trace.awaits();
  return happens_before::Order(trace).problem();
}

/// Every algorithm in few and in many blocks, more than there are slots, and then random calls.
std::vector<Call> many_calls(int p) {
  Random random(static_cast<unsigned>(p));
  const std::vector<int> algorithms = sharing_algorithms();
  std::vector<Call> calls;
  for (const int algorithm : algorithms)
    for (const int b : {1, 2, 19, 1}) calls.push_back(call_of(algorithm, p, b, random.below(p)));
  for (int i = 0; i < (full() ? 300 : 40); ++i) {
    const int algorithm = algorithms[static_cast<std::size_t>(random.below(static_cast<int>(algorithms.size())))];
    const int b = random.below(3) ? 1 : 1 + random.below(5);
    calls.push_back(call_of(algorithm, p, b, random.below(p), random.below(4) == 0));
    if (random.below(5) == 0) calls.push_back({none});
  }
  return calls;
}

}  // namespace

TEST_CASE("no page is read before it is written, or written before all have read it", "[pages]") {
  std::size_t awaits = 0;
  for (int p = 1; p <= max_readers; ++p) {
    CAPTURE(p);
    const std::vector<Call> calls = many_calls(p);
    REQUIRE(problem<happens_before::Word, 16, protocols::Real>(p, calls, &awaits) == "");
    REQUIRE(problem<happens_before::Word, 2, protocols::Real>(p, calls, &awaits) == "");
    REQUIRE(problem<happens_before::Word, 4, protocols::Real>(p, calls, &awaits) == "");
    REQUIRE(problem<happens_before::Word, 64, protocols::Real, 2>(p, calls, &awaits) == "");
  }
  std::printf("%zu awaits in order\n", awaits);
  CHECK(awaits > 0);
}

// An error by one position shows only with one slot: with more, what is waited for is half of them ahead. In slices,
// and where all ranks get the same, all meet in every block, so that no rank needs to wait for readers of a third slot.
TEST_CASE("every wrong protocol of pages is found, in every algorithm", "[pages]") {
  for (const int p : {2, 3, 8})
    for (const int algorithm : sharing_algorithms()) {
      const auto& [name, info] = listed[static_cast<std::size_t>(algorithm)];
      if (!info_of(info->collective).moves_data()) continue;  // nothing is written that could be read too early
      const CollectiveInfo& collective = info_of(info->collective);
      const bool meets = name.ends_with("_slices") || collective.gives_all_the_same() || collective.has_parts();
      const std::vector<Call> calls(4, call_of(algorithm, p, 5, p - 1));
      CAPTURE(p, name);
      protocols::for_each_wrong_protocol([&]<class Protocol>(Protocol) {
        CHECK(problem<happens_before::Word, 1, Protocol>(p, calls) != "");
        if (std::is_same_v<Protocol, protocols::WaitsForTooLittle> ||
            std::is_same_v<Protocol, protocols::EntersTooEarly>)
          return;
        CHECK(problem<happens_before::Word, 2, Protocol>(p, calls) != "");
        if (meets) return;
        CHECK(problem<happens_before::Word, 4, Protocol>(p, calls) != "");
        CHECK(problem<happens_before::Word, 16, Protocol>(p, calls) != "");
        CHECK(problem<happens_before::Word, 64, Protocol, 2>(p, calls) != "");
      });
      CHECK(problem<RelaxedWord, 16, protocols::Real>(p, calls) != "");
    }
}
