// SPDX-License-Identifier: MIT
#include "shim/observe/trace.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "shim/abi/functions.hpp"
#include "shim/base/clock.hpp"
#include "shim/observe/check.hpp"
#include "shim/observe/trace_words.hpp"
#include "shim/observe/traced_comm.hpp"

namespace mpigraft::observe {

using report::Together;
using report::TraceEntry;

namespace {

std::atomic<std::int64_t> entries_made{0};
[[gnu::tls_model("initial-exec")]] constinit thread_local Inside inside_now;

/// By place of an entry: true while a thread of this process is in that call.
std::array<std::atomic<bool>, report::traced_calls> taken;
/// The entry of a thread that finds all places taken. Other processes do not see it.
thread_local TraceEntry unseen;

/// Takes the next place that is not that of a call which another thread is still in.
TraceEntry& place_for_entry(std::int64_t& number) {
  auto& entries = trace_file()->entries;
  for (std::size_t tries = 0; tries < entries.size(); ++tries) {
    number = entries_made.fetch_add(1) + 1;
    const std::size_t place = static_cast<std::size_t>(number - 1) % entries.size();
    if (!taken[place].exchange(true, std::memory_order_acquire)) return entries[place];
  }
  return unseen;
}

void leave_place(const TraceEntry& entry, std::int64_t number) {
  if (&entry == &unseen) return;
  taken[static_cast<std::size_t>(number - 1) % taken.size()].store(false, std::memory_order_release);
}

void put_function(report::TraceText<32>& text, const abi::Call& call) {
  const std::string_view name = function_of(call.collective, call.equal);
  put(text, name);
  if (call.large) std::string_view("_c").copy(text.data() + name.size(), 2);
}

}  // namespace

Inside inside() { return inside_now; }

bool Traced::find(abi::Comm comm) { return (comm_ = traced_comm(comm, refused_)) != nullptr; }

/// Begins an entry. Its number is 0 until publish(), because readers take an entry with a number for complete.
TraceEntry& Traced::enter(Together together, std::string_view function) {
  entry_ = &place_for_entry(number_);
  std::atomic_ref(entry_->number).store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  *entry_ = {};
  entry_->together = together;
  entry_->entered = time(nullptr);
  put(entry_->function, function);
  if (comm_) {
    entry_->comm = comm_->place;
    if (together == Together::set_up)
      entry_->call = comm_->calls + 1;
    else if (together != Together::nobody)
      entry_->call = call_ = ++comm_->calls;
  }
  around_ = inside_now;
  inside_now = {entry_, base::now_ns()};
  return *entry_;
}

void Traced::publish() {
  report::TraceFile& file = *trace_file();
  std::atomic_ref(entry_->number).store(number_, std::memory_order_release);
  std::atomic_ref made(file.made);
  for (std::int64_t before = made; before < number_ && !made.compare_exchange_weak(before, number_);) {
  }
  check_call(*entry_);
}

Traced::Traced(abi::Comm comm) {
  if (!trace_file() || !find(comm) || comm_->inter) return;  // an intercommunicator has nothing to agree on
  enter(Together::set_up, "");
  publish();
}

Traced::Traced(abi::Comm comm, const abi::Call& call, const operation::Decision& decision) {
  if (!trace_file() || !find(comm)) return;
  const CollectiveInfo& info = call.info();
  const bool refused = decision.why == table::Why::arguments;  // by MPI, on this rank
  TraceEntry& entry = enter(comm_->inter || refused ? Together::nobody : Together::alike, "");
  put_function(entry.function, call);
  const bool inspected = !refused && !comm_->inter && comm_->place.size > 1;
  if (info.moves_data()) put_elements(entry, inspected ? call.elements : call.count, call.type);
  if (info.moves_data() && inspected) entry.bytes = call.bytes;
  if (info.combines()) put(entry.op, name_of(call.op));
  if (info.rooted()) entry.root = std::max(call.root, report::no_rank);
  put(entry.algorithm, table::name_of(decision.choice));
  publish();
}

Traced::~Traced() {
  if (!entry_) return;
  entry_->left = time(nullptr);
  leave_place(*entry_, number_);
  inside_now = around_;
}

int Traced::ended(int error) const {
  if (call_ > 0 && error != abi::success && abi::is_of_arguments(error)) --comm_->calls;
  return error;
}

void trace_end() {
  if (report::TraceFile* const file = trace_file()) file->finalized = 1;
}

}  // namespace mpigraft::observe
