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
using Answer = Driver::Answer;
enum : Result { success = 0, invalid_value = 1, not_initialized = 3, deinitialized = 4, no_device = 100 };
enum Attribute : int { context = 1, memory_type = 2, is_managed = 8, device_ordinal = 9 };
constexpr unsigned in_device = 2;              // CU_MEMORYTYPE_DEVICE
constexpr int concurrent_managed_access = 89;  // CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
constexpr Stream per_thread = 2;               // CU_STREAM_PER_THREAD: waits for no other stream of the program

constinit DriverFunction<Result(void* value, Attribute, Address)> pointer_attribute{"cuPointerGetAttribute"};
constinit DriverFunction<Result(int* value, int attribute, int device)> device_attribute{"cuDeviceGetAttribute"};
constinit DriverFunction<Result(Context)> push{"cuCtxPushCurrent_v2"};
constinit DriverFunction<Result(Context*)> pop{"cuCtxPopCurrent_v2"};
constinit DriverFunction<Result(Context*, int device)> retain{"cuDevicePrimaryCtxRetain"};
constinit DriverFunction<Result(int device)> release{"cuDevicePrimaryCtxRelease"};
constinit DriverFunction<Result(Address to, Address from, std::size_t bytes, Stream)> copy_async{"cuMemcpyAsync"};
constinit DriverFunction<Result(Stream)> synchronize{"cuStreamSynchronize"};

Address address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// Makes the context of memory current until the end of its scope, because MPI may be called by a thread without one.
/// Memory of a pool belongs to no context; then it is the first one of its device.
class Current {
 public:
  explicit Current(Address memory) {
    Context context = nullptr;
    int device = 0;
    if (pointer_attribute(&context, Attribute::context, memory) != success || !context) {
      if (pointer_attribute(&device, device_ordinal, memory) != success || retain(&context, device) != success) return;
      retained_ = device;
    }
    pushed_ = push(context) == success;
  }
  ~Current() {
    Context popped;
    if (pushed_) pop(&popped);
    if (retained_ >= 0) release(retained_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  bool pushed_ = false;
  int retained_ = -1;
};

/// True if managed memory may be touched while the GPU works.
bool cpu_may_touch(Address address) {
  int device = 0, may = 0;
  return pointer_attribute(&device, device_ordinal, address) == success &&
         device_attribute(&may, concurrent_managed_access, device) == success && may != 0;
}

Answer where(const void* p) {
  const Address address = address_of(p);
  unsigned type = 0, managed = 0;
  switch (pointer_attribute(&type, memory_type, address)) {
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
  const bool moves = pointer_attribute(&managed, is_managed, address) == success && managed != 0;
  return moves && cpu_may_touch(address) ? Answer::host : Answer::device;
}

bool copy(std::span<const Copy> copies, const void* p) {
  const Current current(address_of(p));
  bool good = true;
  for (const Copy& c : copies)
    good = good && copy_async(address_of(c.to), address_of(c.from), c.bytes, per_thread) == success;
  return synchronize(per_thread) == success && good;
}

}  // namespace

const Driver* cuda(void* object) {
  static constexpr Driver driver{where, copy};
  const auto all = [&](auto&... functions) { return (functions.find(object) && ...); };
  const bool complete = all(pointer_attribute, device_attribute, push, pop, retain, release, copy_async, synchronize);
  return complete ? &driver : nullptr;
}

}  // namespace mpigraft::memory
