// SPDX-License-Identifier: MIT
#include "shim/base/locality.hpp"

#include <bit>
#include <cstdio>

#include "shim/base/kernel_files.hpp"

namespace mpigraft::base {
namespace {

/// True if the processor list in the file at `path` contains all of `processors`.
bool lists_all(const char* path, const Processors& processors) {
  char list[4096];
  Processors left = processors;
  for_each_range(read_small(path, list), [&](long first, long last) {
    for (long cpu = first; cpu <= std::min(last, long{max_processors} - 1); ++cpu)
      left[static_cast<std::size_t>(cpu / 64)] &= ~(std::uint64_t{1} << (cpu % 64));
  });
  return left == Processors{};
}

long first_of(const Processors& processors) {
  const auto* word = std::ranges::find_if(processors, [](std::uint64_t bits) { return bits != 0; });
  return word == processors.end() ? -1 : (word - processors.begin()) * 64 + std::countr_zero(*word);
}

/// The third-level cache that all of `processors` share, named by its first processor; else unknown_locality.
std::int64_t cache_of(const Processors& processors, const char* root) {
  char path[256], text[4096];
  const auto file = [&](const char* name) {
    std::snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%ld/cache/index3/%s", root, first_of(processors), name);
    return path;
  };
  if (*read_small(file("level"), text) != '3' || !lists_all(file("shared_cpu_list"), processors))
    return unknown_locality;
  return std::strtol(read_small(file("shared_cpu_list"), text), nullptr, 10);
}

/// The NUMA node that has all of `processors`; else unknown_locality.
std::int64_t memory_of(const Processors& processors, const char* root) {
  char path[256], online[1024];
  std::int64_t found = unknown_locality;
  std::snprintf(path, sizeof path, "%s/devices/system/node/online", root);
  for_each_range(read_small(path, online), [&](long first, long last) {
    for (long node = first; node <= last && found == unknown_locality; ++node) {
      std::snprintf(path, sizeof path, "%s/devices/system/node/node%ld/cpulist", root, node);
      if (lists_all(path, processors)) found = node;
    }
  });
  return found;
}

}  // namespace

Locality locality_of(const Processors& processors, const char* root) {
  if (processors == Processors{}) return {};
  return {.cache = cache_of(processors, root), .memory = memory_of(processors, root)};
}

}  // namespace mpigraft::base
