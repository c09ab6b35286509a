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
  const Binding its = function_.bound(caller, Function::Kind::of_progress);
  of_mpi = its.grafted;
  if (!its.function)
    base::ignore_bad_alloc([&] {
      base::log_once("MPI calls " + std::string(function_.name()) +
                     ", which no library defines: messages cannot move; check the installation of MPI");
    });
  if (!its.function) return reinterpret_cast<void*>(&nothing);
  if (!its.grafted) return its.function;
  const Object object = object_at(caller);
  if ((its.of_all || is_in_grafted(object)) && !published_.exchange(true)) {
    if (!its.of_all) begin_ = reinterpret_cast<std::uintptr_t>(object.begin);
    size_ = its.of_all ? UINTPTR_MAX : object.size;
    of_mpi_.store(its.function, std::memory_order_release);
  }
  return its.function;
}

}  // namespace mpigraft::abi
