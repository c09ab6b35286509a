// SPDX-License-Identifier: MIT
// Memory of GPUs. The CPU cannot read it, or only slowly, so we leave it to the GPU's driver. A program with a
// GPU-aware MPI passes addresses of such memory as buffers.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <span>

#include "shim/base/load_watch.hpp"

namespace mpigraft::memory {

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};

/// A loaded driver that can be asked. It stays loaded from then on.
struct Driver {
  enum class Answer { host, device, unknown };
  Answer (*where)(const void* address);
  /// Copies between host and the device memory in which `address` lies, and waits until all is done. Returns false if
  /// the driver refuses.
  bool (*copy)(std::span<const Copy> copies, const void* address);
};

/// A function of a driver's library.
template <class F>
struct DriverFunction {
  const char* name;
  F* function = nullptr;

  bool find(void* object) { return (function = reinterpret_cast<F*>(dlsym(object, name))) != nullptr; }
  auto operator()(auto... arguments) const { return function(arguments...); }
};

/// CUDA's driver, which is loaded as `object`; null if it lacks a function.
const Driver* cuda(void* object);

/// The runtime on which HIP is built, as cuda(). We ask it instead of HIP: HIP would initialize the GPU for a program
/// that does not use it, and its numbers depend on its version.
const Driver* hsa(void* object);

struct Residence {
  const Driver* driver = nullptr;  // that of the memory; null: the CPU reads and writes it
  bool unreachable = false;        // neither the CPU nor a driver reads it
};

class Devices {
 public:
  /// False if all buffers lie in host memory, because no driver is loaded.
  static bool may_exist() { return any_.load(std::memory_order_acquire) || watch_.anything_new(); }
  /// Where a buffer lies whose first and last byte are at these addresses.
  static Residence of(const void* first, const void* last);
  /// True if a driver is loaded that cannot be asked, so that buffers may lie where nobody reads them.
  static bool cannot_be_asked();

 private:
  static void find();

  static inline constinit base::LoadWatch watch_;
  static inline constinit std::atomic<bool> any_{false};  // a driver is loaded
};

}  // namespace mpigraft::memory
