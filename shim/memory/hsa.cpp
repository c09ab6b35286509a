// SPDX-License-Identifier: MIT
#include <cstdint>

#include "shim/memory/device.hpp"

namespace mpigraft::memory {
namespace {

// Types and numbers of hsa.h and hsa_ext_amd.h, which need not be there when we are built.
using Status = int;
using Agent = std::uint64_t;
using Answer = Driver::Answer;
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

constinit DriverFunction<Status(const void*, PointerInfo*, void* (*allocate)(std::size_t), std::uint32_t*, Agent**)>
    pointer_info{"hsa_amd_pointer_info"};
constinit DriverFunction<Status(Agent, int attribute, void* value)> agent_info{"hsa_agent_get_info"};
constinit DriverFunction<Status(void* to, const void* from, std::size_t bytes)> copy_bytes{"hsa_memory_copy"};

Answer where(const void* address) {
  PointerInfo info{};
  info.size = sizeof info;
  const Status status = pointer_info(address, &info, nullptr, nullptr, nullptr);
  if (status == not_initialized) return Answer::host;
  if (status != success) return Answer::unknown;
  // Managed memory of HIP has merely reserved its addresses.
  if (info.type == unknown_to_hsa || info.type == pinned_host || info.type == reserved) return Answer::host;
  std::uint32_t device = is_cpu;
  if (agent_info(info.owner, agent_device, &device) != success) return Answer::device;
  return device == is_cpu ? Answer::host : Answer::device;
}

bool copy(std::span<const Copy> copies, const void* /*address*/) {
  bool good = true;
  for (const Copy& c : copies) good = good && copy_bytes(c.to, c.from, c.bytes) == success;
  return good;
}

}  // namespace

const Driver* hsa(void* object) {
  static constexpr Driver driver{where, copy};
  const bool complete = pointer_info.find(object) && agent_info.find(object) && copy_bytes.find(object);
  return complete ? &driver : nullptr;
}

}  // namespace mpigraft::memory
