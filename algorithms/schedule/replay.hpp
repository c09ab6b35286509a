// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "algorithms/schedule/schedule.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::schedule {

/// Carries out a schedule over a transport, which tells whether an operation would wait. Each element of the schedule
/// is `unit` elements of the blocks.
template <Transport T>
class Replay {
 public:
  Replay(T& net, Block input, Block result, const Schedule& schedule, std::int64_t unit = 1)
      : net_(net), schedule_(schedule), unit_(unit), memory_{input, result, scratch(net, schedule.scratch, unit)} {}

  /// Carries out all steps.
  void run() {
    for (const Step& step : schedule_.steps) carry_out(step);
  }
  /// Carries out steps until one would wait. Returns true once all are over. A step is over, too, if an operator of the
  /// program throws in it.
  bool advance() {
    while (done_ < schedule_.steps.size()) {
      const Step& step = schedule_.steps[done_];
      if (!is_ready(step)) return false;
      ++done_;
      if (step.kind == Kind::send)
        net_.wait(*std::exchange(sent_, std::nullopt));
      else
        carry_out(step);
    }
    return true;
  }
  /// The number of steps that are over.
  std::size_t done() const { return done_; }

 private:
  /// Room for a message; most schedules use one or two of all these.
  union Slot {
    Slot() {}
    typename T::Request request;
  };
  static_assert(std::is_trivially_destructible_v<typename T::Request>);

  static Block scratch(T& net, const Scratch& needed, std::int64_t unit) {
    return needed.rows > 0 ? net.scratch(needed.row * unit, needed.rows) : Block{};
  }
  Block block(const Address& address, std::int64_t count) const {
    return memory_[static_cast<std::size_t>(address.memory)].part(address.at * unit_, count * unit_);
  }
  Page page_of(const Step& step) const { return {step.peer, step.page, step.from_page * unit_}; }
  void carry_out(const Step& step) {
    const auto a = [&] { return block(step.a, step.count); };
    const auto b = [&] { return block(step.b, step.count); };
    const auto c = [&] { return block(step.c, step.count); };
    const auto page = [&] { return page_of(step); };
    auto& message = messages_[step.slot].request;
    switch (step.kind) {
      case Kind::send:
        return net_.send(a(), step.peer);
      case Kind::isend:
        std::construct_at(&message, net_.isend(a(), step.peer));
        return;
      case Kind::irecv:
        std::construct_at(&message, net_.irecv(a(), step.peer));
        return;
      case Kind::wait:
        return net_.wait(message);
      case Kind::copy:
        return net_.copy(a(), b());
      case Kind::combine:
        return net_.combine(a(), b(), c());
      case Kind::receive_and_combine:
        return net_.receive_and_combine(message, a(), b(), c(), false);
      case Kind::combine_and_receive:
        return net_.receive_and_combine(message, b(), a(), c(), true);
      case Kind::publish:
        return net_.publish(a(), step.page);
      case Kind::read:
        return net_.read(page(), a());
      case Kind::read_and_combine:
        return net_.read_and_combine(page(), a(), b(), c(), false);
      case Kind::combine_and_read:
        return net_.read_and_combine(page(), b(), a(), c(), true);
    }
  }

  /// True if a step does not wait. A send begins here.
  bool is_ready(const Step& step) {
    auto& message = messages_[step.slot].request;
    switch (step.kind) {
      case Kind::send:
        if (!sent_) sent_ = net_.begin_send(block(step.a, step.count), step.peer);
        return net_.can_wait(*sent_);
      case Kind::wait:
        return net_.can_wait(message);
      case Kind::receive_and_combine:
        return net_.can_receive_and_combine(message, block(step.b, step.count), block(step.c, step.count), false);
      case Kind::combine_and_receive:
        return net_.can_receive_and_combine(message, block(step.a, step.count), block(step.c, step.count), true);
      case Kind::publish:
        return net_.can_publish(block(step.a, step.count), step.page);
      case Kind::read:
      case Kind::read_and_combine:
      case Kind::combine_and_read:
        return net_.can_read(page_of(step));
      default:
        return true;
    }
  }

  T& net_;
  const Schedule& schedule_;
  const std::int64_t unit_;
  const std::array<Block, 3> memory_;  // by schedule::Memory
  std::array<Slot, max_slots> messages_;
  std::size_t done_ = 0;
  std::optional<typename T::Request> sent_;  // of a send that began in is_ready
};

}  // namespace mpigraft::schedule
