// SPDX-License-Identifier: MIT
#include "algorithms/model/violation.hpp"

namespace mpigraft::model {
namespace {

/// The elements of a page.
std::string elements(Span span) {
  if (span == outside) return "no elements";
  return text_of("[", span.at, "..", std::uint64_t{span.at} + span.count, ")");
}

std::string action(const Recording& recording, int rank, const Event& event) {
  const auto block = [&](Span span) { return words(recording, rank, span); };
  switch (event.step) {
    case Step::isend:
      return text_of("send ", block(event.from), " to rank ", event.peer);
    case Step::irecv:
      return text_of("receive ", block(event.to), " from rank ", event.peer);
    case Step::wait:
      return text_of("wait for event ", event.peer);
    case Step::publish:
      return text_of("publish ", block(event.from), " in step ", event.number);
    case Step::read:
      return text_of("read ", elements(event.from), " of what rank ", event.peer, " publishes in step ", event.number,
                     " into ", block(event.to));
    case Step::copy:
      return "copy " + block(event.from) + " to " + block(event.to);
    case Step::combine:
      break;
  }
  return "combine " + block(event.from) + " with " + block(event.upper) + " into " + block(event.to);
}

}  // namespace

std::string words(const Recording& recording, int rank, Span span) {
  if (span == outside) return "a block outside its buffer";
  const std::uint32_t result = recording.result(rank).at, scratch = recording.end_of_operands(rank);
  const char* name = "input";
  std::uint32_t base = 0;
  if (span.at >= scratch) {
    name = "scratch", base = scratch;
  } else if (recording.aliased(rank)) {
    name = recording.collective->has_one_buffer() ? "message" : "result (in place)";
  } else if (span.at >= result) {
    name = "result", base = result;
  }
  return text_of(name, "[", span.at - base, "..", span.at - base + span.count, ")");
}

std::string words(const Recording& recording, int rank, int index) {
  return text_of("rank ", rank, ", event ", index, ", ", action(recording, rank, recording.event(rank, index)));
}

}  // namespace mpigraft::model
