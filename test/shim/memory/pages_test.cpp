// SPDX-License-Identifier: MIT
// The protocol of shim/memory/broadcast_buffer.hpp as algorithms that share memory use it, call after call: no slot is
// read before it is written for this reader, none written again before its last reader is done, and all ranks come to
// an end. Two or three ranks make a few calls in all interleavings; up to sixteen make many calls of all algorithms in
// the execution that stands for all.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/cases.hpp"
#include "test/shim/memory/page_protocols.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;
using namespace mpigraft::proof;
using interleavings::Execution;
using interleavings::Outcome;
using interleavings::Relaxed;
using interleavings::start_of;
using namespace mpigraft::protocols;

namespace {

using Word = interleavings::WordOf<Position>;

/// A transport that only has pages.
template <class Buffer, class Protocol>
class PageTransport {
 public:
  struct Request {};

  PageTransport(Buffer* buffers, int size, int rank)
      : buffers_(buffers), ends_(buffers, size, rank), size_(size), rank_(rank) {}

  int rank() const { return rank_; }
  int size() const { return size_; }
  void begin_call() { ends_.enter(position_of(++call_, 0)); }

  void publish(Block, std::int64_t step) {
    const Position at = position_of(call_, step);
    const auto wait_for_reader = [=, this](const auto& word, Position done, int rank) {
      return await(word, Execution::current().stands_for_all ? seen(done, at) : done, rank);
    };
    Protocol::publish(ends_, at, bytes_at(at), wait_for_reader, [&](auto& slot) {
      for_each_place(rank_, slot, [=](const void* place) { Execution::current().write(place, value_at(at)); });
    });
  }
  void read(Page page, Block) {
    const Position at = position_of(call_, page.step);
    const bool is_there = Protocol::read(ends_, page.owner, at, [&](auto& slot) {
      for_each_place(page.owner, slot, [=](const void* place) { Execution::current().read(place, value_at(at)); });
    });
    Execution::current().expect(is_there, "not there");
  }
  void read_and_combine(Page page, Block in, Block, Block, bool) { read(page, in); }

  Request isend(Block, int) { return {}; }
  Request irecv(Block, int) { return {}; }
  void wait(Request) {}
  void receive_and_combine(Request, Block, Block, Block, bool) {}
  void send(Block, int) {}
  void copy(Block, Block) {}
  void combine(Block, Block, Block) {}
  Block scratch(std::int64_t count, int times = 1) { return {2, 0, count * times}; }

 private:
  static int value_at(Position at) { return static_cast<int>(at); }
  Position mixed(Position at) const { return (at + static_cast<Position>(rank_) * 7) * 0x9e3779b97f4a7c15ULL >> 40; }
  /// The length of a payload: short, or of two or more lines.
  std::int64_t bytes_at(Position at) const {
    return static_cast<std::int64_t>(mixed(at) % (Buffer::part_lines + 1)) * line_bytes;
  }
  /// The position at which a reader is seen: the least that it must have, or one in this call already.
  Position seen(Position least, Position at) const {
    const Position call = position_of(call_, 0);
    return mixed(at) % 7 < 3 && before(least, call) ? call : least;
  }
  /// Calls f for the slot, and for the lines of its payload.
  void for_each_place(int owner, auto& slot, auto f) const {
    const int lines = Buffer::is_long(slot.bytes) ? slot.bytes / line_bytes : 0;
    auto* const line = buffers_[owner].line + (lines ? slot.line : 0);
    f(&slot.tag);
    for (int i = 0; i < lines; ++i) f(line + i);
  }

  Buffer* const buffers_;
  BroadcastBuffers<Buffer> ends_;
  const int size_, rank_;
  std::uint64_t call_ = 0;
};

using Call = std::vector<schedule::Schedule>;  // of each rank; empty: a call without pages
struct NoPayload {};

/// Up to `most` ranks, with n slots each, and lines in so many parts.
template <int most, class Word, int n, class Protocol, int parts = n, int part_lines = 3>
class System {
 public:
  System(int p, const std::vector<Call>& calls) : p_(p), calls_(calls) {}

  void run(int me) {
    PageTransport<Buffer, Protocol> net(buffers_.data(), p_, me);
    for (const Call& call : calls_) {
      net.begin_call();
      if (!call.empty()) schedule::Replay(net, {}, {}, call[static_cast<std::size_t>(me)]).run();
    }
  }

 private:
  using Buffer = BroadcastBuffer<Word, NoPayload, n, parts, part_lines>;
  const int p_;
  const std::vector<Call>& calls_;
  std::array<Buffer, most> buffers_{};
};

template <class Word, int n, class Protocol = Real>
Outcome explore(int p, const std::vector<Call>& calls) {
  return interleavings::explore(start_of<System<3, Word, n, Protocol, n, 2>>(p, p, std::cref(calls)));
}

template <class Word, int n, class Protocol = Real, int parts = n>
Outcome run_for_all(int p, const std::vector<Call>& calls) {
  return interleavings::run_for_all(start_of<System<max_readers, Word, n, Protocol, parts>>(p, p, std::cref(calls)));
}

/// A call on p ranks, in b blocks; if `is_short`, without a slice for each rank.
Call call_of(int algorithm, int p, std::int64_t b, int root, bool is_short = false) {
  static schedule::Compiler compiler;
  const AlgorithmInfo& info = info_of(algorithm);
  const std::int64_t m = is_short ? std::min<std::int64_t>(b, p - 1) : b * p * p;
  const Params params{.root = root, .element_bytes = 1, .segment = is_short ? 1 : p * p};
  Call call(static_cast<std::size_t>(p));
  for (int r = 0; r < p; ++r)
    compiler.compile(info, p, r, m, info_of(info.collective).aliased(r, root, false), params,
                     call[static_cast<std::size_t>(r)]);
  return call;
}

std::vector<int> sharing_algorithms() {
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(listed.size()); ++i)
    if (info_of(i).placement == Placement::one) all.push_back(i);
  return all;
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
    if (random.below(5) == 0) calls.emplace_back();
  }
  return calls;
}

/// The calls of these letters: from one to all and to one from all, in two blocks, a scan, from all to all, and from
/// the second rank.
std::vector<Call> few_calls(int p, std::string_view letters) {
  std::vector<Call> calls;
  const auto add = [&](const char* algorithm, int b, int root = 0) {
    calls.push_back(call_of(find_algorithm(algorithm), p, b, root));
  };
  for (const char letter : letters) {
    if (letter == 'f') add("bcast/shared_flat", 2);
    if (letter == 't') add("reduce/shared_flat", 2);
    if (letter == 's') add("scan/shared_flat", 1);
    if (letter == 'a') add("allreduce/shared_flat", 1);
    if (letter == 'b') add("bcast/shared_flat", 1, 1);
  }
  return calls;
}

template <int n, class Protocol = Real>
std::size_t all_is_well(int p, std::string_view letters) {
  const Outcome outcome = explore<Word, n, Protocol>(p, few_calls(p, letters));
  INFO(p << " ranks, " << n << " slots, " << letters << ", " << outcome.states << " states: " << outcome.problem);
  CHECK(outcome.is_well());
  return outcome.states;
}

}  // namespace

TEST_CASE("pages in shared memory are whole, and not written before they are read") {
  std::size_t states = 0;
  for (const auto letters : {"fff", "tt", "aaaa", "fbtbs"})
    states += all_is_well<1>(2, letters) + all_is_well<2>(2, letters) + all_is_well<4>(2, letters);
  for (const auto letters : {"ff", "tt", "sss", "aaa", "fbs"}) states += all_is_well<2>(3, letters);
  std::printf("broadcast buffers: %zu states\n", states);
}

TEST_CASE("a rank that has looked for a page, or for room, does not wait for it") {
  all_is_well<1, Looks>(2, "ff");
  all_is_well<2, Looks>(2, "aa");
}

TEST_CASE("a wrong protocol of pages is found in some interleaving") {
  const auto calls = few_calls(2, "ff");
  CHECK(explore<Word, 2, PublishesWithoutWaiting>(2, calls).problem == "written while it may be read");
  CHECK(explore<Word, 2, WaitsForTooLittle>(2, calls).problem == "written while it may be read");
  CHECK(explore<Word, 2, EntersTooEarly>(2, calls).problem == "written while it may be read");
  CHECK(!explore<Word, 2, TurnsBeforeWriting>(2, calls).problem.empty());
  CHECK(!explore<Word, 2, ReadsWithoutWaiting>(2, calls).problem.empty());
  CHECK(!explore<Relaxed<Word>, 2>(2, calls).problem.empty());
}

TEST_CASE("no page is read before it is written, or written before all have read it", "[pages]") {
  for (int p = 1; p <= max_readers; ++p) {
    const std::vector<Call> calls = many_calls(p);
    for (const Outcome& outcome : {run_for_all<Word, 16>(p, calls), run_for_all<Word, 2>(p, calls),
                                   run_for_all<Word, 4>(p, calls), run_for_all<Word, 64, Real, 2>(p, calls)}) {
      CAPTURE(p, outcome.problem);
      REQUIRE(outcome.is_well());
    }
  }
}

// An error by one position shows only with one slot: with more, what is waited for is half of them ahead. In slices,
// and where all ranks get the same, all meet in every block, so that no rank needs to wait for readers of a third slot.
TEST_CASE("every wrong protocol of pages is found, in every algorithm", "[pages]") {
  for (const int p : {2, 3, 8})
    for (const int algorithm : sharing_algorithms()) {
      const auto& [name, info] = listed[static_cast<std::size_t>(algorithm)];
      const CollectiveInfo& collective = info_of(info->collective);
      if (!collective.moves_data()) continue;  // nothing is written that could be read too early
      const bool meets = name.ends_with("_slices") || collective.gives_all_the_same() || collective.has_parts();
      const std::vector<Call> calls(8, call_of(algorithm, p, 5, p - 1));
      CAPTURE(p, name);
      for_each_wrong_protocol([&]<class Protocol>(Protocol) {
        CHECK(run_for_all<Word, 1, Protocol>(p, calls).problem != "");
        if (std::is_same_v<Protocol, WaitsForTooLittle> || std::is_same_v<Protocol, EntersTooEarly>) return;
        CHECK(run_for_all<Word, 2, Protocol>(p, calls).problem != "");
        if (meets) return;
        CHECK(run_for_all<Word, 4, Protocol>(p, calls).problem != "");
        CHECK(run_for_all<Word, 16, Protocol>(p, calls).problem != "");
        CHECK(run_for_all<Word, 64, Protocol, 2>(p, calls).problem != "");
      });
      CHECK(run_for_all<Relaxed<Word>, 16>(p, calls).problem != "");
    }
}
