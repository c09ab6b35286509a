// SPDX-License-Identifier: MIT
#include "shim/abi/fabric.hpp"

#include <dlfcn.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <utility>

#include "shim/abi/objects.hpp"

namespace mpigraft::abi {
namespace {

/// A table of functions, which begins with its own size in bytes.
struct Table {
  std::size_t bytes;
  void* functions[31];
};

/// How fid_fabric, fid_domain and fid_cq begin.
struct Fid {
  std::size_t fid_class;
  void *fid_context, *fid_functions;
  Table* table;
};

// The places of functions in the tables of a fabric, a domain and a completion queue.
constexpr std::size_t place_of_domain = 0, place_of_cq_open = 1, place_of_read = 0;

using OpenFabric = int(void* attributes, void** fabric, void* context);

/// A copy of a table.
struct Changed {
  Table table;
  const Table* of;
  void* before;  // the function that ours takes the place of
};

void (*call_before_poll)() = nullptr;

/// The copy of a table in which `ours` is at `place`. All objects of a kind and a provider share one. Null: there are
/// too many.
Table* changed(const Table& of, std::size_t place, void* ours) {
  static std::mutex mutex;
  static std::array<Changed, 16> all{};
  const std::lock_guard lock(mutex);
  for (Changed& one : all) {
    if (one.of == &of) return &one.table;
    if (one.of) continue;
    std::memcpy(&one.table, &of, of.bytes);
    one.of = &of, one.before = std::exchange(one.table.functions[place], ours);
    return &one.table;
  }
  return nullptr;
}

/// True if the address is in libmpigraft-watch.so, which passes calls of MPI on and changes objects as this library
/// does.
bool is_of_watch(const void* address) {
  const Object object = object_at(address);
  return object.file && std::strstr(object.file, "libmpigraft-watch");
}

/// True if `ours` is in an object already: some providers return the one that they opened before.
bool is_put(const Table* table, std::size_t place, const void* ours) {
  while (table->functions[place] != ours) {
    if (!is_of_watch(table->functions[place])) return false;
    table = reinterpret_cast<const Changed*>(table)->of;
  }
  return true;
}

/// Puts `ours` into an object, in place of its function.
void put(Fid& object, std::size_t place, void* ours) {
  const std::size_t least = sizeof(std::size_t) + (place + 1) * sizeof(void*);
  if (object.table->bytes < least || object.table->bytes > sizeof(Table)) return;
  if (is_put(object.table, place, ours)) return;
  if (Table* const table = changed(*object.table, place, ours)) object.table = table;
}

/// The function that `ours` took the place of. libmpigraft-watch.so may have changed the object after this library.
template <class F>
F* before(const Fid* object, std::size_t place, F* ours) {
  const auto* one = reinterpret_cast<const Changed*>(object->table);
  while (one->table.functions[place] != reinterpret_cast<void*>(ours)) one = reinterpret_cast<const Changed*>(one->of);
  return reinterpret_cast<F*>(one->before);
}

/// MPICH reads a single entry only in the middle of a send that cannot go on.
std::ptrdiff_t read(Fid* queue, void* entries, std::size_t count) {
  if (count > 1) call_before_poll();
  return before(queue, place_of_read, &read)(queue, entries, count);
}

int open_queue(Fid* domain, void* attributes, Fid** queue, void* context) {
  const int error = before(domain, place_of_cq_open, &open_queue)(domain, attributes, queue, context);
  if (error == 0) put(**queue, place_of_read, reinterpret_cast<void*>(&read));
  return error;
}

int open_domain(Fid* fabric, void* info, Fid** domain, void* context) {
  const int error = before(fabric, place_of_domain, &open_domain)(fabric, info, domain, context);
  if (error == 0) put(**domain, place_of_cq_open, reinterpret_cast<void*>(&open_queue));
  return error;
}

/// True if the fabric moves MPI's messages. libfabric itself opens fabrics, too, and polls them while it holds locks.
bool is_of_mpi(const void* caller) { return is_in_grafted(object_at(caller)) || is_of_watch(caller); }

/// The definition for a caller that was linked to libfabric before version 1.5, whose attributes are shorter; null: the
/// caller was not.
void* of_old_libfabric(const void* caller) {
  return names(object_at(caller), "FABRIC_1.0") && !names(object_at(caller), "FABRIC_1.1")
             ? dlvsym(RTLD_NEXT, "fi_fabric", "FABRIC_1.0")
             : nullptr;
}

}  // namespace

int open_fabric(Function& fi_fabric, const void* caller, void* attributes, void** fabric, void* context,
                void (*before_poll)()) {
  const Binding binding = fi_fabric.bound(caller, Function::Kind::of_progress);
  if (!binding.function) return -ENOSYS;
  if (void* const old = of_old_libfabric(caller))
    return reinterpret_cast<OpenFabric*>(old)(attributes, fabric, context);
  const int error = reinterpret_cast<OpenFabric*>(binding.function)(attributes, fabric, context);
  if (error == 0 && binding.grafted && is_of_mpi(caller)) {
    call_before_poll = before_poll;
    put(*static_cast<Fid*>(*fabric), place_of_domain, reinterpret_cast<void*>(&open_domain));
  }
  return error;
}

}  // namespace mpigraft::abi
