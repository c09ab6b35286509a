// SPDX-License-Identifier: MIT
#include "shim/abi/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string_view>

#include "shim/base/process.hpp"

namespace mpigraft::abi {

namespace {

void find_native_forms(void* scope, Missing& missing) {
  const auto form = [&](const char* name) { return find_in(scope, name, missing.needed); };
  const auto large_form = [&](Collective c, const char* name) {
    return info_of(c).has_count() ? find_in(scope, name, missing.of_mpi_4) : nullptr;
  };
#define X(name, equal, function, lower, ...)                          \
  native_forms[static_cast<std::size_t>(Collective::name)][equal] = { \
      .narrow = form("PMPI_" #function),                              \
      .large = large_form(Collective::name, "PMPI_" #function "_c"),  \
      .nonblocking = form("PMPI_I" #lower),                           \
      .large_nonblocking = large_form(Collective::name, "PMPI_I" #lower "_c")};
  MPIGRAFT_COLLECTIVE_FUNCTIONS(X)
#undef X
}

template <class F>
F* find(void* scope, const char* name) {
  return reinterpret_cast<F*>(dlsym(scope, name));
}

/// The name of the file that contains a function, without its folder.
const char* file_of(const void* function) {
  const Object object = function ? object_at(function) : Object{};
  const char* const slash = object.file ? std::strrchr(object.file, '/') : nullptr;
  return slash ? slash + 1 : object.file ? object.file : "";
}

/// True if the library has MPI-5's standard ABI, whose handles are pointers under every MPI. For MPICH's own ABI,
/// MPI_Abi_get_version gives -1. Libraries before MPI-5 lack that function; then the file's name tells.
bool has_standard_abi(void* scope, const void* known) {
  auto* const get_version = find<int(int* major, int* minor)>(scope, "PMPI_Abi_get_version");
  int major = -1, minor = -1;
  if (get_version && get_version(&major, &minor) == 0 && major >= 0) return true;
  const std::string_view file = file_of(known);
  return file.starts_with("libmpi_abi") || file.starts_with("libpmpi_abi");
}

/// An MPI library, found by its function `known`.
struct Found {
  explicit Found(const void* known) : object(object_at(known).file) {
    // In the global scope a predefined object may lie in the program, where the linker has copied it.
    if (dlsym(RTLD_DEFAULT, known_function) != known) scope = object.handle();
    int length = 0;
    auto* const get_version = find<int(char* version, int* length)>(scope, "PMPI_Get_library_version");
    if (get_version) get_version(version.data(), &length);
    if (!has_standard_abi(scope, known)) interface = table::interface_of(version.data());
  }

  void* scope = RTLD_DEFAULT;  // a handle for dlsym
  Handle object;
  LibraryVersion version{};
  table::Interface interface = table::Interface::standard;
};

/// Binary interfaces differ in handles and constants, so nothing is interpreted before the interface is known.
Reason reason_against_interface(const Found& found, const void* known) {
  using enum table::Interface;
  const std::string_view name = found.version.data();
  const char* const takes = table::library_for(found.interface);
  char who[100];
  if (name.empty() || found.interface == standard)
    std::snprintf(who, sizeof who, "%.60s", file_of(known));
  else
    std::snprintf(who, sizeof who, "\"%.*s\"", static_cast<int>(std::min<std::size_t>(name.find('\n'), 60)),
                  name.data());
  Reason reason;
  if (!takes)
    std::snprintf(reason.text, sizeof reason.text, "this MPI (%s) is unknown to mpigraft", who);
  else if (std::string_view(takes) != table::library_for(translated_interface))
    std::snprintf(reason.text, sizeof reason.text, "this MPI (%s%s) needs %s", who,
                  found.interface == standard ? ", the standard ABI of MPI-5" : "", takes);
  else if (found.interface == family && !base::ask_settings(&table::Settings::mpich_abi))
    std::snprintf(reason.text, sizeof reason.text, "this MPI (%s) needs MPIGRAFT_ABI=mpich", who);
  return reason;
}

std::mutex mutex;
std::atomic<const void*> grafted{nullptr};  // known_function of the library
bool its_self_check = false;
LibraryVersion its_version{};

/// Takes the library of `known` for the one that is grafted, or tells the reason why not. REQUIRES: there is none yet.
Reason graft(const void* known) {
  Found found(known);
  Reason reason = reason_against_interface(found, known);
  if (*reason.text != '\0') return reason;
  Missing missing;
  find_functions(found.scope, missing);
  find_native_forms(found.scope, missing);
  its_self_check = found.interface != table::Interface::mpich;
  if (const char* const lacks = missing.needed || its_self_check ? missing.needed : missing.of_mpi_4) {
    std::snprintf(reason.text, sizeof reason.text, "the MPI library lacks %s", lacks);
    return reason;
  }
  found.object.keep();
  its_version = found.version;
  grafted.store(known, std::memory_order_release);
  return reason;
}

/// The MPI library; empty while it is unknown, or if it is in one object with our code, as in unit tests.
Object mpi_library() {
  const void* const function = native_forms[0][0].narrow;
  const Object library = function ? object_at(function) : Object{};
  return library.contains(reinterpret_cast<const void*>(&called_from_mpi)) ? Object{} : library;
}

}  // namespace

void* find_in(void* scope, const char* name, const char*& missing) {
  void* const found = dlsym(scope, name);
  if (!found) missing = name;
  return found;
}

bool is_grafted(const void* known) {
  if (const void* const current = grafted.load(std::memory_order_acquire)) return current == known;
  const std::lock_guard lock(mutex);
  if (const void* const current = grafted.load()) return current == known;
  return *graft(known).text == '\0';
}

Reason not_graftable_because(const void* known) {
  Reason reason;
  const std::lock_guard lock(mutex);
  if (const void* const current = grafted.load())
    std::snprintf(reason.text, sizeof reason.text, "mpigraft grafts %.60s, and %.60s is another MPI library",
                  file_of(current), file_of(known));
  else
    reason = graft(known);
  return reason;
}

bool is_in_grafted(const Object& object) { return object.contains(grafted.load(std::memory_order_acquire)); }

bool needs_self_check() { return its_self_check; }

const char* library_version() { return its_version.data(); }

bool called_from_mpi() {
  const Object library = mpi_library();
  bool met = false;
  if (library.size != 0) for_frames([&](const void* address) { return met = library.contains(address); });
  return met;
}

}  // namespace mpigraft::abi
