// SPDX-License-Identifier: MIT
// The Transport that only writes down what it is asked for. It judges nothing; the replay does.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>

#include "algorithms/model/recording.hpp"
#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

class RecordingTransport {
 public:
  /// Most buffers of a run. A schedule has one of scratch.
  static constexpr int max_origins = 16;
  enum Origin { input, result, first_scratch };
  struct Request {
    int event = none;
  };

  RecordingTransport(Recording& recording, int rank)
      : recording_(recording),
        rank_(rank),
        memory_(recording.end_of_operands(rank)),
        buffers_{recording.input(rank), recording.result(rank)} {
    if (recording.aliased(rank)) buffers_[result] = {0, recording.end_of_operands(rank)};
  }

  Operands operands() const {
    const Block in{input, 0, buffers_[input].count}, out{result, 0, recording_.result(rank_).count};
    return {in, recording_.collective->has_one_buffer() ? in : out, recording_.params.parts, recording_.aliased(rank_)};
  }

  int rank() const { return rank_; }
  int size() const { return recording_.p; }

  [[gnu::flatten]] Request isend(Block from, int to) {
    volumes_.sent += from.count;
    return note({.step = Step::isend, .peer = to, .from = place(from)});
  }
  [[gnu::flatten]] Request irecv(Block into, int from) {
    volumes_.received += into.count;
    return note({.step = Step::irecv, .peer = from, .to = place(into)});
  }
  [[gnu::flatten]] void wait(Request request) { note({.step = Step::wait, .peer = request.event}); }
  void receive_and_combine(Request request, Block in, Block operand, Block out, bool operand_is_lower) {
    wait(request);
    combine_arrived(in, operand, out, operand_is_lower);
  }

  void send(Block from, int to) { wait(isend(from, to)); }
  void recv(Block into, int from) { wait(irecv(into, from)); }
  void sendrecv(Block out, int to, Block in, int from) {
    if (from == none && to == none) return;
    if (from == none) return send(out, to);
    if (to == none) return recv(in, from);
    const Request arrival = irecv(in, from);
    const Request departure = isend(out, to);
    wait(arrival);
    wait(departure);
  }

  [[gnu::flatten]] void publish(Block block, std::int64_t step) {
    volumes_.sent += block.count;
    note({.step = Step::publish, .from = place(block), .number = number(step)});
  }
  [[gnu::flatten]] void read(Page page, Block into) {
    volumes_.received += into.count;
    const bool far = page.first < 0 || page.first >= outside.at;
    const Span part{static_cast<std::uint32_t>(page.first), static_cast<std::uint32_t>(into.count)};
    note({.step = Step::read,
          .peer = page.owner,
          .from = far ? outside : part,
          .to = place(into),
          .number = number(page.step)});
  }
  void read_and_combine(Page page, Block in, Block operand, Block out, bool operand_is_lower) {
    read(page, in);
    combine_arrived(in, operand, out, operand_is_lower);
  }

  [[gnu::flatten]] void copy(Block from, Block to) { note({.step = Step::copy, .from = place(from), .to = place(to)}); }
  void combine(Block lower, Block upper) { combine(lower, upper, upper); }
  [[gnu::flatten]] void combine(Block lower, Block upper, Block out) {
    volumes_.combined += out.count;
    recording_.shortest = std::min(recording_.shortest, out.count);
    note({.step = Step::combine, .from = place(lower), .upper = place(upper), .to = place(out)});
  }
  Block scratch(std::int64_t count, int times = 1) {
    if (count > recording_.m)
      throw Violation(Fault::scratch, "rank ", rank_, ": a block of ", count, " elements in a vector of ",
                      recording_.m);
    const std::int64_t row = count * times > recording_.m ? std::max<std::int64_t>(1, recording_.m / count) * count : 0;
    count *= times;
    if (origins_ == max_origins) throw std::length_error("an algorithm asks for too many scratch blocks");
    if (memory_ + count >= outside.at) throw std::length_error("too many elements to record");
    buffers_[static_cast<std::size_t>(origins_)] = {static_cast<std::uint32_t>(memory_),
                                                    static_cast<std::uint32_t>(count)};
    memory_ += count;
    rows_[static_cast<std::size_t>(origins_)] = row;
    volumes_.scratch += count;
    return {origins_++, 0, count};
  }

  /// Ends this rank's part of the recording.
  void close() {
    recording_.first_event.push_back(recording_.events.size());
    recording_.first_cell.push_back(recording_.first_cell.back() + static_cast<std::size_t>(memory_));
    Volumes& most = recording_.most;
    most.combined = std::max(most.combined, volumes_.combined);
    most.sent = std::max(most.sent, volumes_.sent);
    most.received = std::max(most.received, volumes_.received);
    most.scratch = std::max(most.scratch, volumes_.scratch);
    recording_.combined_last = volumes_.combined;
  }

 private:
  void combine_arrived(Block in, Block operand, Block out, bool operand_is_lower) {
    if (!operand_is_lower) return combine(in, operand, out);
    combine(operand, in);
    copy(in, out);
  }
  Span place(Block block) const {
    if (block.origin < 0 || block.origin >= origins_) return outside;
    const Span buffer = buffers_[static_cast<std::size_t>(block.origin)];
    if (block.first < 0 || block.count < 0 || block.first + block.count > buffer.count) return outside;
    const std::int64_t row = rows_[static_cast<std::size_t>(block.origin)];
    if (row > 0 && block.count > 0 && block.first / row != (block.first + block.count - 1) / row) return outside;
    return {buffer.at + static_cast<std::uint32_t>(block.first), static_cast<std::uint32_t>(block.count)};
  }
  static int number(std::int64_t step) {
    if (step != static_cast<int>(step)) throw std::length_error("too many steps to record");
    return static_cast<int>(step);
  }
  Request note(const Event& event) {
    recording_.events.push_back(event);
    return {noted_++};
  }

  Recording& recording_;
  const int rank_;
  int noted_ = 0;  // events
  int origins_ = first_scratch;
  std::int64_t memory_;
  Volumes volumes_;
  std::array<Span, max_origins> buffers_;
  std::array<std::int64_t, max_origins> rows_{};  // elements between the borders of scratch longer than the vector
};

static_assert(Transport<RecordingTransport>);

/// What one rank does.
using Run = std::function<void(RecordingTransport& net, const Operands& operands, const Params& params)>;

/// Records all ranks of an algorithm as `record` does, which carry out `run` in place of its text.
Recording record_run(const AlgorithmInfo& info, const Run& run, int p, std::int64_t m, const Params& params = {},
                     bool in_place = false, Recording&& reused = {});

}  // namespace mpigraft::model
