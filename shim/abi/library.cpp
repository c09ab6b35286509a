// SPDX-License-Identifier: MIT
#include "shim/abi/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "config/table/interface.hpp"
#include "shim/abi/translation/translation.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"

namespace mpigraft::abi {

std::array<std::array<NativeForms, 2>, collective_count> native_forms;

void* keep_object_of(const void* address) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

namespace {

constexpr const char* known_function = "PMPI_Initialized";

int (*get_library_version)(char* version, int* length) = nullptr;

/// The MPI library that `object` is linked to, kept loaded; null: none. Closes `object`, because the program may unload
/// the object that brought MPI along.
void* mpi_behind(void* object) {
  if (!object) return nullptr;
  const void* known = dlsym(object, known_function);
  void* mpi = known ? keep_object_of(known) : nullptr;
  dlclose(object);
  return mpi;
}

/// The MPI library of the first loaded object that is linked to one.
void* any_mpi() {
  link_map* object = nullptr;
  void* const program = dlopen(nullptr, RTLD_LAZY);
  if (!program || dlinfo(program, RTLD_DI_LINKMAP, &object) != 0) return nullptr;
  void* mpi = nullptr;
  for (; object && !mpi; object = object->l_next)
    if (*object->l_name) mpi = mpi_behind(dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD));
  dlclose(program);
  return mpi;
}

/// The scope in which dlsym finds PMPI. dlopen(RTLD_LOCAL) hides MPI from all objects that are not linked to it.
/// `caller` is in an object that is, unless the MPI call was a tail call: then `caller` is where that function was
/// called.
void* scope_of_mpi(const void* caller) {
  if (dlsym(RTLD_DEFAULT, known_function)) return RTLD_DEFAULT;
  if (void* mpi = mpi_behind(keep_object_of(caller))) return mpi;
  void* mpi = any_mpi();
  return mpi ? mpi : RTLD_DEFAULT;
}

/// Finds the PMPI functions of all collectives. `missing` gets the name of one that is not there.
void find_native_forms(void* scope, Missing& missing) {
  const auto form = [&](std::string_view function, bool blocks, const char* suffix) {
    constexpr std::size_t prefix = std::string_view("MPI_").size();
    FunctionName name;
    std::snprintf(name, sizeof name, "PMPI_%s%.*s%s", blocks ? "" : "I", static_cast<int>(function.size() - prefix),
                  function.data() + prefix, suffix);
    if (!blocks) name[prefix + 2] = static_cast<char>(name[prefix + 2] - 'A' + 'a');
    void* const found = dlsym(scope, name);
    if (!found) std::memcpy(*suffix ? missing.of_mpi_4 : missing.needed, name, sizeof name);
    return found;
  };
  const auto forms = [&](std::string_view function, Signature signature) -> NativeForms {
    const bool counts = signature != Signature::comm_only;
    return {.signature = signature,
            .narrow = form(function, true, ""),
            .large = counts ? form(function, true, "_c") : nullptr,
            .nonblocking = form(function, false, ""),
            .large_nonblocking = counts ? form(function, false, "_c") : nullptr};
  };
  for (std::size_t i = 0; i < collective_count; ++i)
    native_forms[i][0] = forms(collectives[i].function, collectives[i].signature);
  for (const EqualParts& f : equal_parts)
    native_forms[static_cast<std::size_t>(f.collective)][1] = forms(f.function, f.signature);
}

template <class F>
F* find(void* scope, const char* name) {
  return reinterpret_cast<F*>(dlsym(scope, name));
}

/// The name of the file that contains a function, without its folder.
const char* file_of(const void* function) {
  Dl_info info;
  if (!function || !dladdr(function, &info) || !info.dli_fname) return "";
  const char* slash = std::strrchr(info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

/// True if MPIGRAFT_ABI=mpich is set. False without memory for the settings.
bool asks_for_family() {
  bool asks = false;
  base::without_memory_silent([&] { asks = base::settings().mpich_abi; });
  return asks;
}

/// True if the library has MPI-5's standard ABI, whose handles are pointers under every MPI. For MPICH's own ABI,
/// MPI_Abi_get_version gives -1. Libraries before MPI-5 lack that function; then the file's name tells.
bool has_standard_abi(void* scope) {
  auto* const get_version = find<int(int* major, int* minor)>(scope, "PMPI_Abi_get_version");
  int major = -1, minor = -1;
  if (get_version && get_version(&major, &minor) == 0 && major >= 0) return true;
  const std::string_view file = file_of(dlsym(scope, known_function));
  return file.starts_with("libmpi_abi") || file.starts_with("libpmpi_abi");
}

/// The facts about the MPI library of this process.
struct Found {
  char text[192] = "";  // why every call stays native; no std::string, because finding MPI must not need memory
  bool needs_self_check = false;

  explicit Found(const void* caller);
};

Found::Found(const void* caller) {
  void* const scope = scope_of_mpi(caller);
  Missing missing;
  find_functions(scope, missing);
  find_native_forms(scope, missing);
  get_library_version = find<int(char*, int*)>(scope, "PMPI_Get_library_version");
  // Binary interfaces differ in handles and constants, so nothing is interpreted before the interface is known.
  using enum table::Interface;
  const LibraryVersion version = library_version();
  const std::string_view name = version.data();
  const table::Interface its = has_standard_abi(scope) ? standard : table::interface_of(name);
  const char* const takes = table::library_for(its);
  needs_self_check = its != mpich;
  char who[100];
  if (name.empty() || its == standard)
    std::snprintf(who, sizeof who, "%.60s", file_of(dlsym(scope, known_function)));
  else
    std::snprintf(who, sizeof who, "\"%.*s\"", static_cast<int>(std::min<std::size_t>(name.find('\n'), 60)),
                  name.data());
  if (!takes)
    std::snprintf(text, sizeof text, "this MPI (%s) is unknown to mpigraft", who);
  else if (std::string_view(takes) != table::library_for(translated_interface))
    std::snprintf(text, sizeof text, "this MPI (%s%s) needs %s", who,
                  its == standard ? ", the standard ABI of MPI-5" : "", takes);
  else if (its == family && !asks_for_family())
    std::snprintf(text, sizeof text, "this MPI (%s) needs MPIGRAFT_ABI=mpich", who);
  else if (*missing.needed != '\0' || (!needs_self_check && *missing.of_mpi_4 != '\0'))
    std::snprintf(text, sizeof text, "the MPI library lacks %s", *missing.needed ? missing.needed : missing.of_mpi_4);
}

/// Found once and never destroyed, because destructors of the program may still make calls.
const Found& found(const void* caller) {
  static const Found library(caller);
  return library;
}

}  // namespace

bool graftable(const void* caller) { return *found(caller).text == '\0'; }
bool needs_self_check() { return found(nullptr).needs_self_check; }
const char* not_graftable_because() { return found(nullptr).text; }

void* next_function(std::string_view name, const void* caller) {
  FunctionName of_mpi;
  std::snprintf(of_mpi, sizeof of_mpi, "P%.*s", static_cast<int>(name.size()), name.data());
  if (void* const next = dlsym(RTLD_NEXT, of_mpi + 1)) return next;
  return dlsym(scope_of_mpi(caller), of_mpi);  // MPI in an RTLD_LOCAL scope: no tool can be in front of it
}

LibraryVersion library_version() {
  LibraryVersion version{};
  int length = 0;
  if (get_library_version) get_library_version(version.data(), &length);
  return version;
}

}  // namespace mpigraft::abi
