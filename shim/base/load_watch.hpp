// SPDX-License-Identifier: MIT
#pragma once

#include <link.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace mpigraft::base {

/// Calls f(dl_phdr_info) for the loaded objects, under the loader's lock, until it returns true.
template <class F>
void for_objects(F f) {
  const auto call = [](dl_phdr_info* object, std::size_t, void* f) { return (*static_cast<F*>(f))(*object) ? 1 : 0; };
  dl_iterate_phdr(call, &f);
}

/// Notices that the process has loaded an object (dlopen) since the last look, for the price of a few loads. The loader
/// counts what it loads. It tells the count only to dl_iterate_phdr, which takes a lock, but the count lies somewhere
/// in its `_rtld_global`. We watch the words there that are equal to the count. Where there are none, the answer is
/// always that something may be new.
class LoadWatch {
 public:
  bool anything_new() const {
    const std::uint64_t seen = seen_.load(std::memory_order_acquire);
    bool differ = false;
#pragma GCC unroll 4
    for (const auto& word : words_)
      differ |= __atomic_load_n(word.load(std::memory_order_relaxed), __ATOMIC_RELAXED) != seen;
    return differ;
  }

  /// Calls found(file name) for every loaded object, and done() after the last; then watches for further ones. Neither
  /// the names nor the loader's lock outlast found(). Threads may look at the same time.
  template <class Found, class Done>
  void look(Found found, Done done) {
    const Loader of_process = loader();  // dlsym takes another lock of the loader, so it comes first
    std::uint64_t loads = 0;             // 0: nothing found yet
    for_objects([&](const dl_phdr_info& object) {
      if (loads == 0) find_count(of_process, loads = object.dlpi_adds);
      if (object.dlpi_name) found(object.dlpi_name);
      return false;
    });
    done();
    seen_.store(loads, std::memory_order_release);
  }

 private:
  /// The loader's memory that contains the count.
  struct Loader {
    const std::uint64_t* words = nullptr;
    std::size_t size = 0;
  };
  static Loader loader();
  void find_count(const Loader& loader, std::uint64_t loads);

  static constexpr std::uint64_t no_count = 0;
  std::atomic<std::uint64_t> seen_{UINT64_MAX};
  std::array<std::atomic<const std::uint64_t*>, 4> words_{&no_count, &no_count, &no_count, &no_count};
};

}  // namespace mpigraft::base
