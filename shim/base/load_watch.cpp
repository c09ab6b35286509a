// SPDX-License-Identifier: MIT
#include "shim/base/load_watch.hpp"

#include <dlfcn.h>

namespace mpigraft::base {

LoadWatch::Loader LoadWatch::loader() {
  Dl_info info;
  void* symbol = nullptr;
  const void* const global = dlsym(RTLD_DEFAULT, "_rtld_global");
  if (!global || !dladdr1(global, &info, &symbol, RTLD_DL_SYMENT) || !symbol) return {};
  const std::size_t bytes = static_cast<const ElfW(Sym)*>(symbol)->st_size;
  return {static_cast<const std::uint64_t*>(global), bytes / sizeof(std::uint64_t)};
}

/// Called while the loader's lock keeps the count as it is. At first, more words than one may be equal to it by chance:
/// the number of objects is, until one is unloaded. Words that no longer are equal are dropped.
void LoadWatch::find_count(const Loader& loader, std::uint64_t loads) {
  const bool first = seen_.load(std::memory_order_relaxed) == UINT64_MAX;
  std::array<const std::uint64_t*, std::tuple_size_v<decltype(words_)>> equal{};
  std::size_t found = 0;
  const auto try_word = [&](const std::uint64_t* word) {
    if (__atomic_load_n(word, __ATOMIC_RELAXED) == loads && found++ < equal.size()) equal[found - 1] = word;
  };
  if (first)
    for (std::size_t i = 0; i < loader.size; ++i) try_word(loader.words + i);
  else
    for (const auto& word : words_) try_word(word.load(std::memory_order_relaxed));
  if (found > equal.size()) found = 0;
  for (std::size_t i = 0; i < equal.size(); ++i)
    words_[i].store(found == 0 ? &no_count : equal[i % found], std::memory_order_relaxed);
}

}  // namespace mpigraft::base
