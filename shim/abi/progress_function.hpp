// SPDX-License-Identifier: MIT
// Progress functions are not MPI's: by them a library drives all messages in every call that blocks, whatever language
// the program is written in.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/abi/binding.hpp"

namespace mpigraft::abi {

/// A progress function, and the definition of it that MPI's polls reach.
class ProgressFunction {
 public:
  explicit constexpr ProgressFunction(const char* name) : function_(name) {}

  /// The definition, if `caller` is known to belong to MPI; else null.
  void* known(const void* caller) const {
    const std::uintptr_t size = size_.load(std::memory_order_acquire);
    return reinterpret_cast<std::uintptr_t>(caller) - begin_ < size ? of_mpi_ : nullptr;
  }

  /// The definition for a caller that is not known. `of_mpi` is set to false if the poll is not one of the MPI library
  /// that is grafted.
  void* find(const void* caller, bool& of_mpi);

 private:
  Function function_;
  std::atomic<bool> published_{false};
  std::atomic<std::uintptr_t> size_{0};  // of the addresses of MPI's callers; not 0: the others are valid
  std::uintptr_t begin_ = 0;
  void* of_mpi_ = nullptr;
};

}  // namespace mpigraft::abi
