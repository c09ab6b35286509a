// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace mpigraft::table {

/// The library through which a GPU's memory is managed. A program with a GPU-aware MPI passes buffers in that memory.
struct GpuDriver {
  std::string_view file;  // its soname
  std::string_view name;
  bool tells;  // whether it can be asked where memory lies
};

/// Level Zero answers only for a context, which is known to nobody but the program that made it. Its loader,
/// libze_loader.so, is no driver: MPI libraries and hwloc are linked to it where there is no GPU.
inline constexpr std::array<GpuDriver, 3> gpu_drivers{{{"libcuda.so.1", "CUDA", true},
                                                       {"libhsa-runtime64.so.1", "HIP", true},
                                                       {"libze_intel_gpu.so.1", "Level Zero", false}}};

/// The part of a driver's file name that all its versions share: "libcuda.so".
constexpr std::string_view stem_of(const GpuDriver& driver) {
  return driver.file.substr(0, driver.file.find(".so") + std::string_view(".so").size());
}

}  // namespace mpigraft::table
