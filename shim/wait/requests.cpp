// SPDX-License-Identifier: MIT
#include "shim/wait/requests.hpp"

#include "shim/abi/handles.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::wait {

bool poll(abi::Request& request, abi::Status& status) {
  const Driving driving;
  return abi::test(request, status);
}

int wait_for(abi::Request& request, abi::Status& status) {
  if (oversubscribed())
    for (Backoff backoff; !poll(request, status);) backoff.pause();
  else
    abi::wait(request, status);
  return status.error;
}

bool Collectives::is_over() {
  if (error_ != abi::success || request_ == abi::Request::null) return true;
  abi::Status status;
  if (!poll(request_, status)) return false;
  error_ = status.error;
  request_ = abi::Request::null;
  return true;
}

}  // namespace mpigraft::wait
