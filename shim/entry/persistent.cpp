// SPDX-License-Identifier: MIT
// The persistent forms of collectives (MPI-4.0, 6.13).
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "shim/abi/binding.hpp"
#include "shim/abi/other_functions.hpp"
#include "shim/base/log.hpp"
#include "shim/entry/carried_call.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/entry/nonblocking.hpp"
#include "shim/entry/plan_for.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

constexpr int most_tags = 30000;  // any library has 32767

/// A tool that comes before us, and passes MPI_Start on to PMPI_Start, would leave an operation waiting.
bool starts_reach_us() {
#define REACHES(name, ...) abi::comes_first("MPI_" #name)&&
  return MPIGRAFT_STARTS(REACHES) true;
#undef REACHES
}

/// A grafted persistent operation. Its request is MPI's: that of an empty message from this rank to itself, on the
/// private communicator. So MPI's functions take it, whatever language calls them. MPI_Start begins the receive;
/// whatever waits for that polls, and so carries the operation on; at its end the rank sends the message. (On a
/// communicator of one rank, MPICH takes such a message in without counting it as progress, and then waits on.)
class Persistent final : public CarriedCall {
 public:
  Persistent(Communicator& communicator, const abi::Call& call, const execute::Plan& plan)
      : CarriedCall(communicator.agreed, call, plan), communicator_(communicator) {
    Persistent** place = &first;  // takes the least tag that is free
    for (; *place && (*place)->tag_ == tag_; place = &(*place)->next_) ++tag_;
    next_ = std::exchange(*place, this);
  }
  ~Persistent() {
    Persistent** place = &first;
    while (*place != this) place = &(*place)->next_;
    *place = next_;
    if (!transport) {
      if (request_ != abi::Request::null) abi::request_free(request_);  // nobody has got it
      return;
    }
    communicator_.transports.give_back(*transport);
    communicator_.in_flight.leave();
  }

  /// Makes the request. Returns false without memory.
  bool prepare() {
    return keep_arrays() && tag_ < most_tags &&
           abi::recv_init(communicator_.agreed.rank, tag_, communicator_.transport.comm, request_) == abi::success;
  }
  /// Puts the request at `place`. The operation will run by `own`.
  void give_out(execute::TransportState& own, void* place) {
    transport = &own;
    communicator_.in_flight.enter();
    abi::put_request(request_, place);
  }

  static bool any() { return first != nullptr; }
  /// The operation of a request; null: the request is not ours.
  static Persistent* of(abi::Request request) {
    Persistent* one = first;
    while (one && one->request_ != request) one = one->next_;
    return one;
  }

  /// Called when MPI has started the request.
  void start() {
    const observe::CountedCall counted(communicator_.agreed, nullptr, transport->channel.has_value(), call(),
                                       decision());
    is_under_way_ = true;
    wait::begin(*this);
  }
  /// Raises an error on the communicator. MPI knows the error handler of one that is freed, we do not: its handle may
  /// be another's by now.
  int tell(int error) const {
    if (!communicator_.in_flight.is_freed()) return raise(communicator_.agreed, call(), error);
    base::ignore_bad_alloc([] { base::log_once("a persistent collective fails on a communicator that is freed"); });
    return error;
  }
  /// Called when the program has freed it. The operation may be under way.
  void free() {
    freed_ = true, request_ = abi::Request::null;
    if (!is_under_way_) delete this;
  }

  /// Until the message is sent, the operation is under way, even if the error handler of the program frees its request.
  void ended() override {
    if (outcome() != abi::success) tell(outcome());
    if (!freed_ || !expects_end()) {  // in MPI_Finalize nobody waits for it, and MPI may not send any more
      abi::Request sent = abi::Request::null;
      abi::isend(nullptr, 0, abi::type_byte, communicator_.agreed.rank, tag_, communicator_.transport.comm, sent);
      abi::request_free(sent);
    }
    is_under_way_ = false;
    if (freed_) delete this;
  }

 private:
  static inline constinit Persistent* first = nullptr;  // of all, in the order of their tags

  Communicator& communicator_;
  int tag_ = 0;
  Persistent* next_ = nullptr;
  abi::Request request_ = abi::Request::null;
  bool is_under_way_ = false, freed_ = false;
};

using abi::Narrow;

void started(Narrow::request place) {
  if (Persistent* const one = Persistent::of(abi::request_at(place, 0))) one->start();
}

void started(Narrow::number number, Narrow::requests places) {
  for (int i = 0; i < static_cast<int>(number); ++i)
    if (Persistent* const one = Persistent::of(abi::request_at(places, i))) one->start();
}

template <class... Arguments>
[[gnu::always_inline]] inline int start(abi::Function& definition, abi::Caller caller, Arguments... arguments) {
  const int error = reinterpret_cast<int (*)(Arguments...)>(definition.next_function(caller))(arguments...);
  if (Persistent::any() && error == abi::success) started(arguments...);
  return error;
}

Persistent* persistent_at(Narrow::request place) {
  return Persistent::any() && place ? Persistent::of(abi::request_at(place, 0)) : nullptr;
}

/// Collectives cannot be cancelled (MPI-4.0, 6.12), but the receive behind the request could.
[[gnu::always_inline]] inline int cancel(abi::Function& definition, abi::Caller caller, Narrow::request place) {
  if (const Persistent* const one = persistent_at(place)) return one->tell(abi::err_other);
  return reinterpret_cast<int (*)(Narrow::request)>(definition.next_function(caller))(place);
}

[[gnu::always_inline]] inline int end(abi::Function& definition, abi::Caller caller, Narrow::request place) {
  Persistent* const one = persistent_at(place);
  const int error = reinterpret_cast<int (*)(Narrow::request)>(definition.next_function(caller))(place);
  if (one && error == abi::success) one->free();
  return error;
}

[[gnu::always_inline]] inline int end(abi::Function& definition, abi::Caller caller, Narrow::oldop place) {
  if (place && HeldOperator::free_later(abi::op_at(place))) {
    abi::put_op(abi::Op::null, place);
    return abi::success;
  }
  ++abi::handles_freed;
  return reinterpret_cast<int (*)(Narrow::oldop)>(definition.next_function(caller))(place);
}

}  // namespace

std::optional<int> make_persistent(Communicator& communicator, const PlannedCall& planned, void* request_place) {
  const agree::Negotiated& agreed = communicator.agreed;
  const execute::Plan& plan = *planned.plan;
  execute::TransportState& transport = communicator.transport;
  if (!transport.carries_on) return leave(&communicator, planned.call, agree::FallbackReason::not_carried_on);
  const auto outcome = transport.ensure_comm(agreed);
  forget_if_impossible(communicator);
  if (outcome != execute::TransportState::Outcome::made)
    return leave(&communicator, planned.call, agree::FallbackReason::persistent);
  const bool needs_comm = !plan.stays_in_memory || agreed.verify != 0;
  std::unique_ptr<Persistent> made(new (std::nothrow) Persistent(communicator, planned.call, plan));
  const bool ready = made && made->prepare() && starts_reach_us();
  execute::TransportState* const own = communicator.transports.take(agreed, transport, ready, needs_comm);
  if (!own) return leave(&communicator, planned.call, agree::FallbackReason::persistent);
  made.release()->give_out(*own, request_place);
  return abi::success;
}

}  // namespace mpigraft::entry

#define ENTRY_POINT(name, lower, upper, what, ...) \
  MPIGRAFT_C(MPI_##name, Narrow, mpigraft::abi::Function("MPI_" #name), mpigraft::entry::what, __VA_ARGS__)
MPIGRAFT_STARTS(ENTRY_POINT)
