// SPDX-License-Identifier: MIT
#include <cstdint>

#include "shim/memory/device.hpp"

namespace mpigraft::memory {
namespace {

// Types and numbers of cuda.h, which need not be there when we are built.
using Result = int;
using Context = void*;
using Stream = std::uintptr_t;
using Address = std::uint64_t;
enum : Result { success = 0, invalid_value = 1, not_initialized = 3, deinitialized = 4, no_device = 100 };
enum Attribute : int { context = 1, memory_type = 2, is_managed = 8, device_ordinal = 9 };
constexpr unsigned in_device = 2;              // CU_MEMORYTYPE_DEVICE
constexpr int concurrent_managed_access = 89;  // CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
constexpr Stream per_thread = 2;               // CU_STREAM_PER_THREAD: waits for no other stream of the program

struct Functions {
  Result (*pointer_attribute)(void* value, Attribute, Address);
  Result (*device_attribute)(int* value, int attribute, int device);
  Result (*push)(Context);
  Result (*pop)(Context*);
  Result (*retain)(Context*, int device);
  Result (*release)(int device);
  Result (*copy)(Address to, Address from, std::size_t bytes, Stream);
  Result (*synchronize)(Stream);
};

Address address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// Makes the context of memory current until the end of its scope, because MPI may be called by a thread without one.
/// Memory of a pool belongs to no context; then it is the first one of its device.
class Current {
 public:
  Current(const Functions& f, Address memory) : f_(f) {
    Context context = nullptr;
    int device = 0;
    if (f.pointer_attribute(&context, Attribute::context, memory) != success || !context) {
      if (f.pointer_attribute(&device, device_ordinal, memory) != success || f.retain(&context, device) != success)
        return;
      retained_ = device;
    }
    pushed_ = f.push(context) == success;
  }
  ~Current() {
    Context popped;
    if (pushed_) f_.pop(&popped);
    if (retained_ >= 0) f_.release(retained_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const Functions& f_;
  bool pushed_ = false;
  int retained_ = -1;
};

class Cuda final : public Driver {
 public:
  bool find(void* object) {
    return found(object, "cuPointerGetAttribute", f_.pointer_attribute) &&
           found(object, "cuDeviceGetAttribute", f_.device_attribute) &&
           found(object, "cuCtxPushCurrent_v2", f_.push) && found(object, "cuCtxPopCurrent_v2", f_.pop) &&
           found(object, "cuDevicePrimaryCtxRetain", f_.retain) &&
           found(object, "cuDevicePrimaryCtxRelease", f_.release) && found(object, "cuMemcpyAsync", f_.copy) &&
           found(object, "cuStreamSynchronize", f_.synchronize);
  }

  Answer where(const void* p) const override {
    const Address address = address_of(p);
    unsigned type = 0, managed = 0;
    switch (f_.pointer_attribute(&type, memory_type, address)) {
      case success:
        break;
      case invalid_value:  // the driver does not know this memory, or, below, any
      case not_initialized:
      case deinitialized:
      case no_device:
        return Answer::host;
      default:
        return Answer::unknown;
    }
    if (type != in_device) return Answer::host;
    const bool moves = f_.pointer_attribute(&managed, is_managed, address) == success && managed != 0;
    return moves && cpu_may_touch(address) ? Answer::host : Answer::device;
  }

  bool copy(std::span<const Copy> copies, const void* p) const override {
    const Current current(f_, address_of(p));
    bool good = true;
    for (const Copy& c : copies)
      good = good && f_.copy(address_of(c.to), address_of(c.from), c.bytes, per_thread) == success;
    return f_.synchronize(per_thread) == success && good;
  }

 private:
  /// True if managed memory may be touched while the GPU works.
  bool cpu_may_touch(Address address) const {
    int device = 0, may = 0;
    return f_.pointer_attribute(&device, device_ordinal, address) == success &&
           f_.device_attribute(&may, concurrent_managed_access, device) == success && may != 0;
  }

  Functions f_{};
};

}  // namespace

const Driver* cuda(void* object) {
  static constinit Cuda one;
  return one.find(object) ? &one : nullptr;
}

}  // namespace mpigraft::memory
