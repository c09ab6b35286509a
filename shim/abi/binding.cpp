// SPDX-License-Identifier: MIT
#include "shim/abi/binding.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <string>

#include "algorithms/collective.hpp"
#include "shim/abi/handles.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::abi {

bool first_process() {
  for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return std::atoi(rank) == 0;
  return true;
}

namespace {

/// Protects what functions know. Nobody who holds it calls the loader, which has a lock of its own.
std::mutex mutex;

/// True once a caller has reached a definition that others may not reach.
std::atomic<bool> some_reached_their_own{false};

void* unless_ours(void* definition) {
  static const Object this_library = object_at(&callers_differ);
  return this_library.contains(definition) ? nullptr : definition;
}

bool passes_calls_on(const Handle& object) { return object.refers_to("PMPI_") || object.refers_to("dlsym"); }

/// The MPI library that a definition belongs to, or passes calls on to, by a function of it; null: none. A definition
/// that neither is in MPI nor can find it is one of a serial stand-in.
/// The last answer is kept, because UCX makes dlopen() take 300 us, and most definitions lie in one object.
void* mpi_behind(const void* definition) {
  static struct {
    const char* begin;
    std::uint64_t unloads;
    void* mpi;
  } last;
  const char* const begin = object_at(definition).begin;
  const std::uint64_t unloads = changes().unloads;
  if (const std::lock_guard lock(mutex); last.mpi && last.begin == begin && last.unloads == unloads) return last.mpi;
  const Handle object(object_at(definition).file);
  void* mpi = object.find(known_function);
  if (!mpi && passes_calls_on(object)) mpi = dlsym(RTLD_DEFAULT, known_function);
  const std::lock_guard lock(mutex);
  last = {begin, unloads, mpi};
  return mpi;
}

bool leads_to_grafted(const void* definition) {
  void* const known = mpi_behind(definition);
  return known && is_grafted(known);
}

/// True if the objects that `caller` is linked to have the MPI library that is grafted.
bool is_linked_to_grafted(const Object& caller) {
  void* known = dlsym(RTLD_DEFAULT, known_function);
  if (!known) known = Handle(caller.file).find(known_function);
  return known && is_grafted(known);
}

/// True of a tool's definition while MPI is not in the global scope. The tool then looks for MPI by its caller, as we
/// do.
bool is_blind_tool(const void* definition) {
  return !mpi_behind(definition) && passes_calls_on(Handle(object_at(definition).file));
}

/// The definition that an object is linked to. Null if it is ours, or that of a tool which passes on this call to us.
void* find_by(const char* file, const char* name, const Object& caller) {
  void* const found = unless_ours(Handle(file).find(name));
  return caller.contains(found) && is_blind_tool(found) ? nullptr : found;
}

/// A definition that any object is linked to, one of MPI if there is. For a tail call: it returns to where the calling
/// function was called, and that may be in an object without MPI.
void* find_by_any(const char* name, const Object& caller) {
  void* first = nullptr;
  for (const link_map* object = _r_debug.r_map; object; object = object->l_next) {
    void* const found = find_by(object->l_name, name, caller);
    if (found && leads_to_grafted(found)) return found;
    if (!first) first = found;
  }
  return first;
}

/// Learns that nobody needs to ask any more: every collective of this process reaches MPI by the global scope, which
/// comes before all others.
void learn_of_all() {
  static std::atomic<bool> asked{false};
  if (some_reached_their_own || asked.exchange(true)) return;
  for (const CollectiveFunction& function : collective_functions)
    if (const void* const found = dlsym(RTLD_NEXT, function.name.data()); !found || !leads_to_grafted(found)) return;
  callers_differ = false;
}

/// With MPIGRAFT_VERBOSE=1, rank 0 tells why the calls that reach `definition` stay native.
void tell_of_native(const void* definition, const char* name) {
  base::ignore_bad_alloc([&] {
    if (base::settings().verbose == 0 || !first_process()) return;
    const void* const known = mpi_behind(definition);
    base::log_once(known ? std::string(not_graftable_because(known).text) + ": every call stays native"
                         : std::string(object_at(definition).file) + " defines " + name +
                               " and has no MPI behind it: calls that reach it stay native");
  });
}

int missing() { return err_intern; }

int no_progress(void*) { return 0; }

/// A definition, without regard to callers before.
struct Found {
  Binding binding;
  bool for_caller = true;  // false: `caller` does not tell it
};

Found find(const char* name, const Object& caller, Function::Kind kind) {
  Found found;
  void*& function = found.binding.function;
  if ((function = dlsym(RTLD_NEXT, name)))
    found.binding.of_all = !is_blind_tool(function);
  else if (!(function = find_by(caller.file, name, caller)))
    function = find_by_any(name, caller), found.for_caller = false;
  if (function)
    found.binding.grafted = kind == Function::Kind::of_progress || is_blind_tool(function)
                                ? is_linked_to_grafted(caller)
                                : leads_to_grafted(function);
  return found;
}

}  // namespace

/// Reads without a lock, and finds nothing if an answer changes meanwhile.
Binding Function::known(const void* caller, Changes now) const {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  const std::uint32_t version = version_.load(std::memory_order_acquire);
  if (unloads_.load(std::memory_order_acquire) != now.unloads) return {};
  for (const Known& one : known_) {
    const std::uintptr_t begin = one.begin.load(std::memory_order_acquire);
    if (address - begin >= one.size.load(std::memory_order_acquire)) continue;
    const std::uint64_t loads = one.loads.load(std::memory_order_acquire);
    Binding binding{one.function.load(std::memory_order_acquire), one.grafted.load(std::memory_order_acquire)};
    const bool is_whole = version % 2 == 0 && version_.load(std::memory_order_relaxed) == version;
    return is_whole && (loads == 0 || loads == now.loads) ? binding : Binding{};
  }
  return {};
}

void Function::learn(const Object& object, const Binding& answer, std::uint64_t loads, Changes then) {
  if (then.unloads < unloads_ || !object.begin) return;
  version_.fetch_add(1, std::memory_order_acq_rel);
  if (then.unloads > unloads_)
    for (Known& old : known_) old.size.store(0, std::memory_order_release);
  unloads_.store(then.unloads, std::memory_order_release);
  Known& one = known_[next_++ % known_.size()];
  one.begin.store(reinterpret_cast<std::uintptr_t>(object.begin), std::memory_order_release);
  one.size.store(object.size, std::memory_order_release);
  one.loads.store(loads, std::memory_order_release);
  one.function.store(answer.function, std::memory_order_release);
  one.grafted.store(answer.grafted, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_acq_rel);
}

Binding Function::bound(const void* caller, Kind kind) {
  if (void* const function = of_all()) return {function, is_all_grafted_, true};
  const Changes now = changes();
  if (const Binding binding = known(caller, now); binding.function) return binding;
  const Object object = object_at(caller);
  auto [binding, for_caller] = find(name_, object, kind);
  if (!binding.function) return binding;  // not kept: MPI may be loaded later
  const bool of_mpi = kind == Kind::of_mpi;
  if (const Object its_object = object_at(binding.function); binding.of_all && !is_in_grafted(its_object))
    Handle(its_object.file).keep();
  if (of_mpi && !binding.of_all) some_reached_their_own = true;
  if (of_mpi && !binding.grafted) tell_of_native(binding.function, name_);
  const std::lock_guard lock(mutex);
  binding.of_all = binding.of_all && !is_of_some_ && (of_mpi || binding.grafted);
  if (!binding.of_all) {
    is_of_some_ = true;
    learn(object, binding, for_caller ? 0 : now.loads, now);
  } else if (!of_all()) {
    is_all_grafted_ = binding.grafted;
    of_all_.store(binding.function, std::memory_order_release);
  }
  return binding;
}

Binding Function::next(const void* caller) {
  Binding binding = bound(caller);
  if (!binding.function) {
    base::ignore_bad_alloc([&] { base::log_once("the MPI library lacks " + std::string(name_) + ": the call fails"); });
    return {reinterpret_cast<void*>(&missing)};
  }
  binding.grafted = binding.grafted && !base::disabled();
  return binding;
}

void* Function::elsewhere(const void* caller) {
  const Binding binding = next(caller);
  if (!binding.grafted) return binding.function;
  if (binding.of_all && callers_differ) learn_of_all();
  return nullptr;
}

void* ProgressFunction::find(const void* caller, bool& of_mpi) {
  const Binding binding = function_.bound(caller, Function::Kind::of_progress);
  of_mpi = binding.grafted;
  if (!binding.function)
    base::ignore_bad_alloc([&] {
      base::log_once("MPI calls " + std::string(function_.name()) +
                     ", which no library defines: messages cannot move; check the installation of MPI");
    });
  if (!binding.function) return reinterpret_cast<void*>(&no_progress);
  if (!binding.grafted) return binding.function;
  const Object object = object_at(caller);
  if ((binding.of_all || is_in_grafted(object)) && !published_.exchange(true)) {
    if (!binding.of_all) begin_ = reinterpret_cast<std::uintptr_t>(object.begin);
    of_mpi_ = binding.function;
    size_.store(binding.of_all ? UINTPTR_MAX : object.size, std::memory_order_release);
  }
  return binding.function;
}

namespace {
constinit Function known_of_caller(known_function);

Binding known_at(const void* caller) { return known_of_caller.bound(caller); }
}  // namespace

bool comes_first(const char* name) {
  void* const first = dlsym(RTLD_DEFAULT, name);
  return first && !unless_ours(first);
}

bool graftable(const void* caller) { return known_at(caller).grafted; }

Reason reason_against(const void* caller) {
  const Binding binding = known_at(caller);
  return binding.function ? not_graftable_because(binding.function) : Reason{"there is no MPI library in this process"};
}

bool has_initialized_mpi(const void* caller) {
  int initialized = 0;
  if (void* const function = known_at(caller).function) reinterpret_cast<int (*)(int*)>(function)(&initialized);
  return initialized != 0;
}

}  // namespace mpigraft::abi
