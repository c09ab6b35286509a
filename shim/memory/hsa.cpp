// SPDX-License-Identifier: MIT
#include <cstdint>

#include "shim/memory/device.hpp"

namespace mpigraft::memory {
namespace {

// Types and numbers of hsa.h and hsa_ext_amd.h, which need not be there when we are built.
using Status = int;
using Agent = std::uint64_t;
enum : Status { success = 0, not_initialized = 0x100b };
enum PointerType : std::uint32_t { unknown_to_hsa = 0, pinned_host = 2, reserved = 5 };
constexpr int agent_device = 17;     // HSA_AGENT_INFO_DEVICE
constexpr std::uint32_t is_cpu = 0;  // HSA_DEVICE_TYPE_CPU
struct PointerInfo {                 // newer versions append members, of which `size` says whether they are there
  std::uint32_t size;
  std::uint32_t type;
  void *on_agent, *on_host;
  std::size_t bytes;
  void* user_data;
  Agent owner;
};

struct Functions {
  Status (*pointer_info)(const void*, PointerInfo*, void* (*allocate)(std::size_t), std::uint32_t*, Agent**);
  Status (*agent_info)(Agent, int attribute, void* value);
  Status (*copy)(void* to, const void* from, std::size_t bytes);
};

class Hsa final : public Driver {
 public:
  bool find(void* object) {
    return found(object, "hsa_amd_pointer_info", f_.pointer_info) &&
           found(object, "hsa_agent_get_info", f_.agent_info) && found(object, "hsa_memory_copy", f_.copy);
  }

  Answer where(const void* address) const override {
    PointerInfo info{};
    info.size = sizeof info;
    const Status status = f_.pointer_info(address, &info, nullptr, nullptr, nullptr);
    if (status == not_initialized) return Answer::host;
    if (status != success) return Answer::unknown;
    // Managed memory of HIP has merely reserved its addresses.
    if (info.type == unknown_to_hsa || info.type == pinned_host || info.type == reserved) return Answer::host;
    std::uint32_t device = is_cpu;
    if (f_.agent_info(info.owner, agent_device, &device) != success) return Answer::device;
    return device == is_cpu ? Answer::host : Answer::device;
  }

  bool copy(std::span<const Copy> copies, const void* /*address*/) const override {
    bool good = true;
    for (const Copy& c : copies) good = good && f_.copy(c.to, c.from, c.bytes) == success;
    return good;
  }

 private:
  Functions f_{};
};

}  // namespace

const Driver* hsa(void* object) {
  static constinit Hsa one;
  return one.find(object) ? &one : nullptr;
}

}  // namespace mpigraft::memory
