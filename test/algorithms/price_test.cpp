// SPDX-License-Identifier: MIT
// Prices written out by hand. A message of 20 bytes takes 10 + 20 * 2 = 50, combining 20 bytes 20 * 3 = 60.
#include <catch2/catch.hpp>

#include "algorithms/model/price.hpp"
#include "algorithms/model/recording_transport.hpp"
#include "algorithms/model/violation.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;

namespace {

constexpr Machine machine{.latency = 10, .per_byte = 2, .combine_per_byte = 3};

using Net = model::RecordingTransport;

/// Prices what ranks do that have an input V and a result W.
double price(void (*run)(Net& net, Block V, Block W), int p = 3) {
  const auto on_blocks = [run](Net& net, const Operands& operands, const Params&) {
    run(net, operands.input, operands.result);
  };
  return model::price(model::record_run(proof::named("scan/hillis_steele"), on_blocks, p, 5, {.element_bytes = 4}),
                      machine);
}
double price(std::string_view name, int p) {
  return model::price(model::record(proof::named(name), p, 5, {.element_bytes = 4}), machine);
}

/// 2 -> 1 ends at 50, rank 1 has combined at 110, 1 -> 0 ends at 160, rank 0 has combined at 220.
void chain(Net& net, Block V, Block W) {
  const int r = net.rank();
  const Block sum = r == 0 ? W : net.scratch(V.count);
  net.copy(V, sum);
  const Block in = net.scratch(V.count);
  if (r < 2) {
    net.recv(in, r + 1);
    net.combine(in, sum);
  }
  if (r > 0) net.send(sum, r - 1);
}

/// 1 -> 0 ends at 50. Rank 0 has announced that it receives from 2, but combines first, until 110; 2 -> 0 then goes
/// from 110 to 160, and rank 0 has combined at 220.
void announced_early(Net& net, Block V, Block W) {
  if (net.rank() > 0) return net.send(V, 0);
  const Block first = net.scratch(V.count), second = net.scratch(V.count);
  net.copy(V, W);
  net.recv(first, 1);
  const auto request = net.irecv(second, 2);
  net.combine(first, W);
  net.wait(request);
  net.combine(second, W);
}

/// Rank 1 takes what rank 0 offers after what rank 2 sends, rank 2 sends that after rank 0 has taken something, and
/// rank 0 takes that after it has combined. If it let its send go first, all would be stuck: it combines until 60, 2 ->
/// 0 ends at 110, 2 -> 1 at 160, 0 -> 1 at 210.
void send_cannot_go_first(Net& net, Block V, Block /*W*/) {
  if (net.rank() == 2) return net.send(V, 0), net.send(V, 1);
  const Block in = net.scratch(V.count), sum = net.scratch(V.count);
  if (net.rank() == 1) return net.recv(in, 2), net.recv(in, 0);
  const auto departure = net.isend(V, 1);
  net.combine(V, V, sum);
  net.recv(in, 2);
  net.wait(departure);
}

/// A pipeline of blocks of 12 and 8 bytes, which take 34 and 26 to send, 36 and 24 to combine. 2 -> 1 ends at 34, rank
/// 1 has combined at 70 what it passes on until 104; meanwhile its second block, announced before the first was
/// combined, comes from 70 to 96. At 96 rank 1 cannot combine while it still sends: from 104 to 128. Rank 0 combines
/// from 104 to 140, receives from then to 166, and has combined at 190.
void pipe_of_two_blocks(Net& net, Block V, Block W) {
  const int r = net.rank();
  const Block sum = r == 0 ? W : net.scratch(V.count), in = net.scratch(V.count);
  net.copy(V, sum);
  const auto first = [](Block block) { return block.part(0, 3); };
  const auto second = [](Block block) { return block.part(3, 2); };
  if (r == 2) return net.send(first(V), 1), net.send(second(V), 1);
  net.recv(first(in), r + 1);
  const auto arrival = net.irecv(second(in), r + 1);
  net.combine(first(in), first(sum));
  auto departure = r > 0 ? net.isend(first(sum), r - 1) : arrival;
  net.wait(arrival);
  net.combine(second(in), second(sum));
  if (r == 0) return;
  net.wait(departure);
  net.send(second(sum), r - 1);
}

/// The root serves 1 until 50 and 2 until 100, though both have asked at 0: its one port is the bottleneck.
void star(Net& net, Block V, Block W) {
  if (net.rank() > 0) return net.recv(W, 0);
  net.send(V, 1);
  net.send(V, 2);
}

/// Rank 1 has read what rank 0 publishes at 50 and publishes it, which is there at 60; rank 2 has read at 100.
void handover(Net& net, Block V, Block W) {
  if (net.rank() > 0) net.read({.owner = net.rank() - 1}, W);
  net.publish(net.rank() > 0 ? W : V, 0);
}

}  // namespace

TEST_CASE("schedules priced by hand") {
  CHECK(price(chain) == 220);
  CHECK(price(announced_early) == 220);
  CHECK(price(send_cannot_go_first) == 210);
  CHECK(price(pipe_of_two_blocks) == 190);
  CHECK(price(star) == 100);
  CHECK(price(handover) == 100);
}

TEST_CASE("catalogue entries priced by hand") {
  CHECK(price("scan/hillis_steele", 1) == 0);
  CHECK(price("scan/hillis_steele", 4) == 220);  // two rounds of a message and an application
  CHECK(price("bcast/binomial", 5) == 150);      // three rounds of a message
  CHECK(price("bcast/shared_flat", 5) == 50);    // all read at once
  CHECK(price("reduce/shared_flat", 3) == 210);  // reads until 50, reads and combines until 150, combines
}

TEST_CASE("what cannot end has no price") {
  CHECK_THROWS_AS(price(star, 4), model::Violation);  // nobody sends to rank 3
}
