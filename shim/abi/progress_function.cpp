// SPDX-License-Identifier: MIT
#include "shim/abi/progress_function.hpp"

#include <string>

#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::abi {
namespace {

int nothing(void*) { return 0; }

}  // namespace

void* ProgressFunction::find(const void* caller, bool& of_mpi) {
  const Binding binding = function_.bound(caller, Function::Kind::of_progress);
  of_mpi = binding.grafted;
  if (!binding.function)
    base::ignore_bad_alloc([&] {
      base::log_once("MPI calls " + std::string(function_.name()) +
                     ", which no library defines: messages cannot move; check the installation of MPI");
    });
  if (!binding.function) return reinterpret_cast<void*>(&nothing);
  if (!binding.grafted) return binding.function;
  const Object object = object_at(caller);
  if ((binding.of_all || is_in_grafted(object)) && !published_.exchange(true)) {
    if (!binding.of_all) begin_ = reinterpret_cast<std::uintptr_t>(object.begin);
    of_mpi_ = binding.function;
    size_.store(binding.of_all ? UINTPTR_MAX : object.size, std::memory_order_release);
  }
  return binding.function;
}

}  // namespace mpigraft::abi
