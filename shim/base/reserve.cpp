// SPDX-License-Identifier: MIT
#include "shim/base/reserve.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>

namespace mpigraft::base {
namespace {

/// Takes from the heap, and from the reserve what the heap has not.
class HeapAndReserve : public std::pmr::memory_resource {
 public:
  static bool has(const void* memory) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory), begin = reinterpret_cast<std::uintptr_t>(reserve_);
    return at >= begin && at < begin + sizeof reserve_;
  }
  bool is_short() const { return blocks_.load(std::memory_order_relaxed) > 0; }  // asked in every call with parts

 private:
  struct Block {
    std::size_t first, end;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (void* const memory = ::operator new(bytes, std::align_val_t(alignment), std::nothrow)) return memory;
    const std::lock_guard lock(mutex_);
    const std::size_t blocks = blocks_;
    if (blocks == most_blocks || bytes > sizeof reserve_) throw std::bad_alloc();
    std::size_t first = 0, i = 0;
    for (; i < blocks && taken_[i].first < first + bytes; ++i)
      first = (taken_[i].end + alignment - 1) / alignment * alignment;
    if (first > sizeof reserve_ - bytes) throw std::bad_alloc();
    std::copy_backward(taken_.begin() + i, taken_.begin() + blocks, taken_.begin() + blocks + 1);
    taken_[i] = {first, first + bytes};
    ++blocks_;
    return reserve_ + first;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t alignment) override {
    if (!has(memory)) return ::operator delete(memory, std::align_val_t(alignment));
    const auto first = static_cast<std::size_t>(static_cast<char*>(memory) - reserve_);
    const std::lock_guard lock(mutex_);
    const auto end = taken_.begin() + blocks_;
    const auto found = std::ranges::find(taken_.begin(), end, first, &Block::first);
    std::copy(found + 1, end, found);
    --blocks_;
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  static constexpr std::size_t most_blocks = 256;  // making a schedule takes some thirty at once

  alignas(std::max_align_t) static inline char reserve_[2 << 20];  // takes no memory until it is used
  std::mutex mutex_;
  std::array<Block, most_blocks + 1> taken_;  // by address
  std::atomic<std::size_t> blocks_ = 0;
};

/// Outlives all that uses it.
HeapAndReserve& heap_and_reserve() {
  alignas(HeapAndReserve) static char storage[sizeof(HeapAndReserve)];
  static HeapAndReserve* const made = new (storage) HeapAndReserve;
  return *made;
}

}  // namespace

void set_memory_aside() { std::pmr::set_default_resource(&heap_and_reserve()); }
bool memory_is_short() { return heap_and_reserve().is_short(); }
bool is_set_aside(const void* memory) { return HeapAndReserve::has(memory); }

}  // namespace mpigraft::base
