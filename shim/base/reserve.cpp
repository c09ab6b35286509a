// SPDX-License-Identifier: MIT
#include "shim/base/reserve.hpp"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>

namespace mpigraft::base {
namespace {

/// Takes from the heap, and from the reserve what the heap has not. The reserve is full again when all is given back.
class HeapAndReserve : public std::pmr::memory_resource {
 public:
  bool is_short() {
    const std::lock_guard lock(mutex_);
    return taken_ > 0;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (void* const memory = ::operator new(bytes, std::align_val_t(alignment), std::nothrow)) return memory;
    const std::lock_guard lock(mutex_);
    const std::size_t first = (used_ + alignment - 1) / alignment * alignment;
    if (bytes > sizeof reserve_ || first > sizeof reserve_ - bytes) throw std::bad_alloc();
    used_ = first + bytes;
    ++taken_;
    return reserve_ + first;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t alignment) override {
    const auto at = reinterpret_cast<std::uintptr_t>(memory), begin = reinterpret_cast<std::uintptr_t>(reserve_);
    if (at < begin || at >= begin + sizeof reserve_) return ::operator delete(memory, std::align_val_t(alignment));
    const std::lock_guard lock(mutex_);
    if (--taken_ == 0) used_ = 0;
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  alignas(std::max_align_t) static inline char reserve_[2 << 20];  // takes no memory until it is used
  std::mutex mutex_;
  std::size_t used_ = 0;
  int taken_ = 0;
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

}  // namespace mpigraft::base
