// SPDX-License-Identifier: MIT
#include "shim/execute/execution.hpp"

#include <algorithm>

#include "shim/abi/functions.hpp"
#include "shim/execute/gathering.hpp"
#include "shim/wait/progress.hpp"

namespace mpigraft::execute {
namespace {

// A root or a first rank only sends. It could run ahead of slow receivers without end and fill their memory with
// unexpected messages, so all ranks pass a barrier once in so many calls. Calls in shared memory need none, because it
// has a limited number of slots.
constexpr std::uint64_t calls_between_barriers = 64;

}  // namespace

inline const PieceSchedules* Execution::schedules() const {
  if (!plan_.schedules) return nullptr;
  return plan_.schedules->get(call_.info().aliased(agreed_.rank, call_.root, call_.send == abi::in_place));
}

Execution::Execution(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call,
                     const Plan& plan)
    : agreed_(agreed),
      transport_(transport),
      call_(call),
      own_plan_(plan.by_counts || call.user_op ? std::optional(plan.for_parts_of(agreed, transport, call))
                                               : std::nullopt),
      plan_(own_plan_ ? *own_plan_ : plan),
      staged_(plan_.gathers ? !find_vector() : plan_.stream && !call.datatype.contiguous),
      schedules_(schedules()),
      scratch_bytes_(scratch_bytes()),
      net_(agreed, transport, plan_.type, call, plan_.elements, plan_.params.parts, plan_.ports),
      memory_(transport.scratch.lease(scratch_bytes_ + (staged_ ? static_cast<std::size_t>(call.bytes) : 0),
                                      plan_.kept_scratch)) {
  place();
}

inline void Execution::begin() {
  // Counted before the algorithm, which a user operator may leave by an exception: so the ranks stay in step.
  const std::uint64_t pieces = this->pieces(), before = transport_.sent_ahead;
  transport_.in_call = true;
  transport_.sequence += pieces;
  if (!plan_.stays_in_memory) transport_.sent_ahead += pieces;
  has_barrier_ = before / calls_between_barriers != transport_.sent_ahead / calls_between_barriers;
  if ((staged_ || plan_.gathers) && net_.error() == abi::success) pack();
}

/// Begins a piece and names its blocks. Blocks that a function returns are copied in longer words than they were stored
/// in just before, which costs 4 ns of a call's 90.
inline void Execution::begin_piece(std::int64_t first, std::int64_t count, Block& input, Block& result) {
  input = {PmpiTransport::input, first, count};
  result = {PmpiTransport::result, first, count};
  net_.begin_piece();
  if (plan_.in_parts) {
    const CollectiveInfo& info = call_.info();
    input.count = info.input.count(agreed_.rank, plan_.elements, plan_.params.parts);
    result.count = info.result.count(agreed_.rank, plan_.elements, plan_.params.parts);
  } else if (plan_.stream) {
    result = input;
  }
}

inline void Execution::end_pieces() {
  if (staged_ && net_.error() == abi::success) unpack();
  wait::owe_progress();
}

inline void Execution::end() { transport_.in_call = net_.error() != abi::success; }

inline void Execution::run(std::int64_t first, std::int64_t count) {
  Block input, result;
  begin_piece(first, count, input, result);
  if (schedules_) schedule::Replay(net_, input, result, schedule_of(count), plan_.unit).run();
}

int Execution::run() {
  begin();
  std::int64_t first = 0;
  do run(first, std::min(plan_.piece, plan_.elements - first));  // also once without data, as in a barrier
  while ((first += plan_.piece) < plan_.elements);
  end_pieces();
  if (has_barrier_) [[unlikely]]
    meet();
  end();
  return net_.error();
}

void Execution::meet() { schedule::Replay(net_, {}, {}, transport_.barrier).run(); }

std::size_t Execution::scratch_bytes() const {
  if (!schedules_ || schedules_->scratch == 0) return 0;
  return bytes_for_scratch(plan_.type, plan_.elements, schedules_->scratch * plan_.unit);
}

std::uint64_t Execution::pieces() const {
  return plan_.piece == plan_.elements ? 1
                                       : static_cast<std::uint64_t>((plan_.elements + plan_.piece - 1) / plan_.piece);
}

/// Tells the transport where the buffers are. Behind the scratch there is room for the packed bytes of a stream.
void Execution::place() {
  char* const memory = call_.lost == abi::success && schedules_ ? memory_.memory() : nullptr;
  if (call_.lost != abi::success) net_.fail(call_.lost);
  net_.place_scratch(memory);
  if (plan_.stream) return place_stream(memory ? memory + scratch_bytes_ : nullptr);
  net_.place(PmpiTransport::result, call_.recv);
  net_.place(PmpiTransport::input, call_.send == abi::in_place ? call_.recv : const_cast<void*>(call_.send));
}

/// The same for a stream. The input of a gather is its part of the vector, or stays in the send buffer.
void Execution::place_stream(char* staging) {
  vector_ = staged_ ? staging : abi::moved(static_cast<char*>(call_.recv), offset_);
  net_.place(PmpiTransport::result, vector_);
  net_.place(PmpiTransport::input, !plan_.gathers    ? vector_
                                   : sends_straight_ ? const_cast<void*>(call_.send)
                                   : vector_         ? vector_ + plan_.params.parts.first(agreed_.rank)
                                                     : nullptr);
}

/// Finds the vector of a gather in the receive buffer. Returns false if the parts have to be packed.
bool Execution::find_vector() {
  const auto offset = offset_of_vector(call_, plan_.params.parts, agreed_.size);
  offset_ = offset.value_or(0);
  sends_straight_ = sends_its_part(call_, plan_.params.parts.count(agreed_.rank));
  return offset.has_value();
}

/// Packs this rank's input into the vector, unless it is there already.
void Execution::pack() {
  if (plan_.gathers) {
    const std::int64_t bytes = plan_.params.parts.count(agreed_.rank);
    if (sends_straight_ || bytes == 0 || (!staged_ && !call_.sends_typed())) return;
    net_.fail(pack_input(call_, agreed_.rank, bytes, vector_ + plan_.params.parts.first(agreed_.rank)));
  } else if (staged_ && agreed_.rank == call_.root) {
    net_.fail(abi::pack(call_.recv, call_.count, call_.type, vector_, call_.bytes));
  }
}

void Execution::unpack() {
  if (plan_.gathers)
    net_.fail(unpack_vector(call_, plan_.params.parts, agreed_.size, vector_));
  else if (agreed_.rank != call_.root)
    net_.fail(abi::unpack(vector_, call_.bytes, call_.recv, call_.count, call_.type));
}

ResumableExecution::ResumableExecution(const agree::Negotiated& agreed, TransportState& transport,
                                       const abi::Call& call, const Plan& plan)
    : Execution(agreed, transport, call, plan) {
  begin();
}

wait::Job::Outcome ResumableExecution::advance() {
  using Outcome = wait::Job::Outcome;
  struct Thrown {
    PmpiTransport& net;
    bool holds = true;
    ~Thrown() {
      if (holds) net.fail(abi::err_other);
    }
  } thrown{net_};
  const auto before = so_far();
  if (!meets_ && advance_pieces()) {
    meets_ = true;
    end_pieces();
    if (has_barrier_) replay_.emplace(net_, Block{}, Block{}, transport_.barrier);
  }
  const bool over = meets_ && (!has_barrier_ || replay_->advance());
  if (over) end();
  thrown.holds = false;
  return over ? Outcome::over : so_far() == before ? Outcome::waits : Outcome::moved;
}

/// The loop of run(), as far as it can go now.
bool ResumableExecution::advance_pieces() {
  do {
    const std::int64_t count = std::min(plan_.piece, plan_.elements - first_);
    if (!replay_) {
      Block input, result;
      begin_piece(first_, count, input, result);
      if (!schedules_) continue;
      replay_.emplace(net_, input, result, schedule_of(count), plan_.unit);
    }
    if (!replay_->advance()) return false;
    replay_.reset();
  } while ((first_ += plan_.piece) < plan_.elements);
  return true;
}

}  // namespace mpigraft::execute
