// SPDX-License-Identifier: MIT
#include "shim/execute/scratch.hpp"

#include <cstdlib>
#include <utility>

namespace mpigraft::execute {
namespace {

constexpr std::size_t always_kept = std::size_t{4} << 20;

}  // namespace

Scratch::Lease Scratch::some(std::size_t bytes, std::size_t most_kept) {
  if (bytes <= size_) {
    char* const memory = std::exchange(memory_, nullptr);
    return {*this, memory, std::exchange(size_, 0), most_kept};
  }
  release();
  const std::size_t size = (bytes + 63) / 64 * 64;
  char* const memory = static_cast<char*>(std::aligned_alloc(64, size));
  if (memory) in_process_ += size;
  return {*this, memory, memory ? size : 0, most_kept};
}

void Scratch::take_back(char* memory, std::size_t size, std::size_t most_kept) {
  if (size <= size_) {
    std::swap(memory, memory_);
    std::swap(size, size_);
  }
  release();
  memory_ = memory;
  size_ = size;
  if (size_ > always_kept && in_process_ > most_kept) release();
}

void Scratch::release() {
  if (!memory_) return;  // leaves the count alone, which all threads of the process share
  std::free(memory_);
  in_process_ -= size_;
  memory_ = nullptr;
  size_ = 0;
}

}  // namespace mpigraft::execute
