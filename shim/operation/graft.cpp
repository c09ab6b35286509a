// SPDX-License-Identifier: MIT
#include "shim/operation/graft.hpp"

#include <algorithm>

#include "shim/abi/packed.hpp"
#include "shim/operation/registry.hpp"

namespace mpigraft {
namespace {

// MPI counts in int, and so does Reduce_local: longer vectors are done in pieces, which is only a loop because
// scans and reductions are element-wise and a broadcast is a stream of bytes.
constexpr std::int64_t max_piece_bytes = std::int64_t{1} << 30;

// Of a pipeline inside a node, in bytes: what one rank writes another reads and combines before it leaves their caches.
constexpr std::int64_t block_in_caches = 64 << 10;

// A root or a first rank only sends, and could run ahead of slow receivers without end, filling their memory with
// unexpected messages: so often all ranks meet. Memory that they share has only so many slots.
constexpr std::uint64_t calls_between_meetings = 64;

/// Whether MPI carries nothing of a call: no message is longer than the vector. Equal on all ranks.
bool stays_in_memory(const ShadowComm& shadow, const Call& call, const Datatype& type) {
  return shadow.pages && call.bytes <= Channel::max_message_bytes && type.size <= Channel::max_element_bytes;
}

Params params_of(const ShadowComm& shadow, const Call& call, const Datatype& type, const Choice& choice) {
  Params params = params_of(choice, shadow.table->table.machine);
  if (shadow.channel && shadow.node_count == 1) params.largest_block = block_in_caches;
  params.nodes = shadow.nodes;
  params.root = call.root;
  params.element_bytes = type.size;
  return params;
}

/// One grafted call: buffers and memory around the algorithm.
class Run {
 public:
  Run(ShadowComm& shadow, const Call& call, const Choice& choice)
      : shadow_(shadow),
        call_(call),
        stream_(call.collective == Collective::bcast),
        type_(stream_ ? byte_stream : call.datatype),
        elements_(stream_ ? call.bytes : call.count),
        piece_(call.bytes <= max_piece_bytes ? elements_ : std::max<std::int64_t>(1, max_piece_bytes / type_.size)),
        algorithm_(static_cast<std::size_t>(choice.algorithm)),
        params_(params_of(shadow, call, type_, choice)),
        net_(shadow, type_, call, elements_, ports(choice)) {}

  int operator()() {
    // before the algorithm, which a user operator may leave by an exception: the ranks stay in step
    const std::uint64_t before = shadow_.sent_ahead;
    shadow_.sequence += pieces();
    if (!stays_in_memory(shadow_, call_, type_)) shadow_.sent_ahead += pieces();
    const bool meets = before / calls_between_meetings != shadow_.sent_ahead / calls_between_meetings;
    place();
    if (staged_ && shadow_.rank == call_.root) pack();
    for (std::int64_t first = 0; first < elements_; first += piece_) run(first, std::min(piece_, elements_ - first));
    if (staged_ && shadow_.rank != call_.root && net_.error() == MPI_SUCCESS) unpack();
    if (meets) net_.meet();
    shadow_.scratch.trim(shadow_.table->table.scratch, shadow_.ranks_per_node.max);
    return net_.error();
  }

 private:
  bool in_place() const { return call_.send == MPI_IN_PLACE; }
  /// Messages at once, each way.
  int ports(const Choice& choice) const {
    return listed[static_cast<std::size_t>(choice.algorithm)].info->k_ported ? params_.ports : 1;
  }
  std::uint64_t pieces() const {
    return piece_ == elements_ ? 1 : static_cast<std::uint64_t>((elements_ + piece_ - 1) / piece_);
  }
  bool copies_input() const { return call_.collective == Collective::exscan && in_place(); }

  /// All memory of the call in one piece: the algorithm's scratch, then a copy of what it must not overwrite or the
  /// packed bytes of a broadcast.
  void place() {
    staged_ = stream_ && !call_.datatype.contiguous;
    const std::size_t scratch = net_.scratch_bytes(listed[algorithm_].info->scratch(shadow_.size, piece_, params_));
    const std::int64_t extra = staged_ ? call_.bytes : copies_input() ? type_.span(piece_) : 0;
    char* memory = shadow_.scratch.reserve(scratch + static_cast<std::size_t>(extra));
    net_.place_scratch(memory);
    char* second = memory ? memory + scratch : nullptr;
    net_.place(PmpiTransport::result, call_.recv);
    if (stream_)
      net_.place(PmpiTransport::input, staged_ ? staging_ = second : call_.recv);
    else if (copies_input())
      net_.place(PmpiTransport::input, second ? second + type_.offset_of_first(piece_) : nullptr);
    else
      net_.place(PmpiTransport::input, in_place() ? call_.recv : const_cast<void*>(call_.send));
  }

  void run(std::int64_t first, std::int64_t count) {
    const Block result{PmpiTransport::result, first, count};
    const Block input{PmpiTransport::input, copies_input() ? 0 : first, count};
    net_.begin_piece();
    if (copies_input()) net_.copy(result, input);
    run_functions[algorithm_](net_, {input, stream_ ? input : result, params_.parts}, params_);
  }

  void pack() {
    if (net_.error() != MPI_SUCCESS) return;
    net_.fail(mpigraft::pack(shadow_.shifted_types, call_.recv, call_.count, call_.type, staging_, call_.bytes,
                             shadow_.traffic));
  }
  void unpack() {
    net_.fail(mpigraft::unpack(shadow_.shifted_types, staging_, call_.bytes, call_.recv, call_.count, call_.type,
                               shadow_.traffic));
  }

  ShadowComm& shadow_;
  const Call& call_;
  const bool stream_;
  const Datatype type_;
  const std::int64_t elements_, piece_;
  const std::size_t algorithm_;
  const Params params_;
  PmpiTransport net_;
  bool staged_ = false;
  char* staging_ = nullptr;
};

}  // namespace

int graft(ShadowComm& shadow, const Call& call, const Choice& choice) { return Run(shadow, call, choice)(); }

}  // namespace mpigraft
