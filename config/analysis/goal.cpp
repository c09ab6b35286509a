// SPDX-License-Identifier: MIT
#include "config/analysis/goal.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

namespace mpigraft::analysis {

namespace {

struct Settled {
  int label;
  int since;  // by this event
};

/// Writes one rank's events. A label stands for an event; the next event must follow the labels in the frontier.
void write_rank(std::ostream& out, const model::Recording& recording, const Machine& machine, int rank) {
  std::vector<Settled> frontier;
  const auto bytes = [&](model::Span span) { return span.count * recording.params.element_bytes; };
  // An empty message still costs a start-up, and later events wait for it. It becomes one byte, because simulators take
  // no empty messages.
  const auto message = [&](model::Span span) { return std::to_string(std::max<std::int64_t>(1, bytes(span))) + "b"; };
  const auto add = [&](int label, const std::string& operation) {
    out << "l" << label << ": " << operation << "\n";
    for (const Settled& before : frontier) out << "l" << label << " requires l" << before.label << "\n";
  };
  out << "rank " << rank << " {\n";
  for (int i = 0; i < recording.event_count(rank); ++i) {
    const model::Event& event = recording.event(rank, i);
    switch (event.step) {
      case model::Step::isend:
        add(i, "send " + message(event.from) + " to " + std::to_string(event.peer) + " tag 0");
        break;
      case model::Step::irecv:
        add(i, "recv " + message(event.to) + " from " + std::to_string(event.peer) + " tag 0");
        break;
      case model::Step::wait:
        // the line of that message already requires what was settled before it was posted
        std::erase_if(frontier, [&](const Settled& settled) { return settled.since < event.peer; });
        frontier.push_back({event.peer, i});
        break;
      case model::Step::combine: {
        const double seconds = static_cast<double>(bytes(event.to)) * machine.combine_per_byte;
        add(i, "calc " + std::to_string(std::llround(seconds * 1e9)));
        frontier = {{i, i}};
        break;
      }
      case model::Step::copy:     // free in the model
      case model::Step::publish:  // no messages: the command refuses these algorithms
      case model::Step::read:
        break;
    }
  }
  out << "}\n";
}

}  // namespace

void write_goal(std::ostream& out, const model::Recording& recording, const Machine& machine) {
  out << "num_ranks " << recording.p << "\n";
  for (int r = 0; r < recording.p; ++r) write_rank(out, recording, machine, r);
}

}  // namespace mpigraft::analysis
