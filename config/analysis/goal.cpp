// SPDX-License-Identifier: MIT
#include "config/analysis/goal.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

namespace mpigraft::analysis {

namespace {

/// Writes one rank's events. A label stands for an event; the next event must follow the labels in the frontier.
class RankWriter {
 public:
  RankWriter(std::ostream& out, const model::Recording& recording, const Machine& machine, int rank)
      : out_(out), recording_(recording), machine_(machine), rank_(rank) {}

  void write() {
    out_ << "rank " << rank_ << " {\n";
    for (int i = 0; i < recording_.event_count(rank_); ++i) write_event(i, recording_.event(rank_, i));
    out_ << "}\n";
  }

 private:
  struct Settled {
    int label;
    int since;  // by this event
  };

  void write_event(int index, const model::Event& event) {
    switch (event.step) {
      case model::Step::isend:
        add(index, "send " + message(event.from) + " to " + std::to_string(event.peer) + " tag 0");
        break;
      case model::Step::irecv:
        add(index, "recv " + message(event.to) + " from " + std::to_string(event.peer) + " tag 0");
        break;
      case model::Step::wait:
        // the line of that message already requires what was settled before it was posted
        std::erase_if(frontier_, [&](const Settled& settled) { return settled.since < event.peer; });
        frontier_.push_back({event.peer, index});
        break;
      case model::Step::combine:
        add(index, "calc " + std::to_string(
                                 std::llround(static_cast<double>(bytes(event.to)) * machine_.combine_per_byte * 1e9)));
        frontier_ = {{index, index}};
        break;
      case model::Step::copy:     // free in the model
      case model::Step::publish:  // no messages: the command refuses these algorithms
      case model::Step::read:
        break;
    }
  }

  /// Writes an operation, and what it follows.
  void add(int index, const std::string& operation) {
    out_ << "l" << index << ": " << operation << "\n";
    for (const Settled& before : frontier_) out_ << "l" << index << " requires l" << before.label << "\n";
  }
  std::int64_t bytes(model::Span span) const { return span.count * recording_.params.element_bytes; }

  /// An empty message still costs a start-up, and later events wait for it. It becomes one byte, because simulators
  /// take no empty messages.
  std::string message(model::Span span) const { return std::to_string(std::max<std::int64_t>(1, bytes(span))) + "b"; }

  std::ostream& out_;
  const model::Recording& recording_;
  const Machine& machine_;
  const int rank_;
  std::vector<Settled> frontier_;
};

}  // namespace

void write_goal(std::ostream& out, const model::Recording& recording, const Machine& machine) {
  out << "num_ranks " << recording.p << "\n";
  for (int r = 0; r < recording.p; ++r) RankWriter(out, recording, machine, r).write();
}

}  // namespace mpigraft::analysis
