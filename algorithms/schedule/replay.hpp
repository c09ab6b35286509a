// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "algorithms/schedule/schedule.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::schedule {

/// Carries out a schedule over a transport.
template <AsyncTransport T>
class Replay {
 public:
  Replay(T& net, const Operands& operands, const Schedule& schedule)
      : net_(net), schedule_(schedule), memory_{operands.input, operands.result, scratch(net, schedule.scratch)} {}

  void run() {
    for (const Step& step : schedule_.steps) carry_out(step);
  }

 private:
  static Block scratch(T& net, const Scratch& needed) {
    return needed.rows > 0 ? net.scratch(needed.row, needed.rows) : Block{};
  }
  Block block(const Address& address, std::int64_t count) const {
    return memory_[static_cast<std::size_t>(address.memory)].part(address.at, count);
  }
  void carry_out(const Step& step) {
    const Block a = block(step.a, step.count), b = block(step.b, step.count), c = block(step.c, step.count);
    auto& message = messages_[step.slot];
    switch (step.kind) {
      case Kind::send:
        return net_.send(a, step.peer);
      case Kind::isend:
        message = net_.isend(a, step.peer);
        return;
      case Kind::irecv:
        message = net_.irecv(a, step.peer);
        return;
      case Kind::wait:
        return net_.wait(message);
      case Kind::copy:
        return net_.copy(a, b);
      case Kind::combine:
        return net_.combine(a, b, c);
      case Kind::receive_and_combine:
        return net_.receive_and_combine(message, a, b, c);
      case Kind::combine_and_receive:
        return net_.combine_and_receive(a, message, b, c);
    }
  }

  T& net_;
  const Schedule& schedule_;
  const std::array<Block, 3> memory_;  // by schedule::Memory
  std::array<typename T::Request, max_slots> messages_{};
};

}  // namespace mpigraft::schedule
