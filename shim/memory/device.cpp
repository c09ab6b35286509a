// SPDX-License-Identifier: MIT
#include "shim/memory/device.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string_view>

#include "config/table/drivers.hpp"

namespace mpigraft::memory {
namespace {

using table::gpu_drivers;

/// Takes the place of a driver that cannot be asked: a function is missing, or nobody knows how to ask it.
constexpr Driver mute{[](const void*) { return Driver::Answer::unknown; }, nullptr};

const Driver* open(std::string_view file, void* object) {
  const Driver* const driver = file == "libcuda.so.1"            ? cuda(object)
                               : file == "libhsa-runtime64.so.1" ? hsa(object)
                                                                 : nullptr;
  return driver ? driver : &mute;
}

/// Those of gpu_drivers, in their order; null: not loaded.
constinit std::array<std::atomic<const Driver*>, gpu_drivers.size()> loaded;

using Path = std::array<char, PATH_MAX>;

bool is_of(const char* path, const table::GpuDriver& driver) {
  const char* const slash = std::strrchr(path, '/');
  const std::string_view name = slash ? slash + 1 : path, stem = stem_of(driver);
  return name.starts_with(stem) && (name.size() == stem.size() || name[stem.size()] == '.');
}

/// True if the CPU can read the byte at `address`. The call fails in any case, because there is no such `how`, but
/// before it looks at that it reads a set of 8 bytes.
bool is_readable(const void* address) {
  const auto set = reinterpret_cast<std::uintptr_t>(address) / 8 * 8;
  return syscall(SYS_rt_sigprocmask, ~0, set, nullptr, 8) == 0 || errno != EFAULT;
}

}  // namespace

/// Holds no lock of ours while it calls the loader: a library's constructor may make MPI calls while it holds the
/// loader's. Two threads that find the same driver store the same.
void Devices::find() {
  std::array<Path, gpu_drivers.size()> paths;
  for (Path& path : paths) path[0] = '\0';
  const auto found = [&](const char* path) {
    for (std::size_t i = 0; i < gpu_drivers.size(); ++i)
      if (is_of(path, gpu_drivers[i]) && std::strlen(path) < paths[i].size()) std::strcpy(paths[i].data(), path);
  };
  const auto open_all = [&] {
    for (std::size_t i = 0; i < gpu_drivers.size(); ++i) {
      if (paths[i][0] == '\0' || loaded[i].load(std::memory_order_relaxed)) continue;
      void* const object = dlopen(paths[i].data(), RTLD_LAZY | RTLD_NOLOAD);
      if (!object) continue;  // unloaded meanwhile
      loaded[i].store(open(gpu_drivers[i].file, object), std::memory_order_release);
      any_.store(true, std::memory_order_release);
    }
  };
  watch_.look(found, open_all);
}

Residence Devices::of(const void* first, const void* last) {
  if (watch_.anything_new()) find();
  bool unknown = false;
  for (const auto& one : loaded) {
    const Driver* const driver = one.load(std::memory_order_acquire);
    if (!driver) continue;
    for (const void* const address : {first, last}) {
      const Driver::Answer answer = driver->where(address);
      if (answer == Driver::Answer::device) return {driver, false};
      unknown |= answer == Driver::Answer::unknown;
    }
  }
  return {nullptr, unknown && !(is_readable(first) && is_readable(last))};
}

bool Devices::cannot_be_asked() {
  if (watch_.anything_new()) find();
  return std::ranges::any_of(loaded, [](const auto& one) { return one.load(std::memory_order_acquire) == &mute; });
}

}  // namespace mpigraft::memory
