// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "shim/abi/arguments.hpp"
#include "shim/operation/plan.hpp"
#include "shim/operation/pmpi_transport.hpp"
#include "shim/operation/traffic.hpp"

namespace mpigraft::operation {

/// One grafted call: the transport, the memory and the buffers around its algorithm.
class Operation {
 public:
  /// Takes an inspected call and a plan for calls like it. The traffic stands.
  Operation(const agree::Agreement& agreed, Traffic& traffic, const abi::Call& call, const Plan& plan);

  /// Runs the algorithm. MPI_SUCCESS or an error class, the same kind on every rank that the error concerns.
  int run();

 private:
  std::size_t bytes_behind_scratch() const;
  std::uint64_t pieces() const;
  void place();
  void place_stream(char* staging);
  [[gnu::noinline]] bool find_vector();  // most calls have no parts, and are short
  [[gnu::noinline]] void cut(Operands& operands) const;
  void run(std::int64_t first, std::int64_t count);
  void pack();
  void unpack();

  const agree::Agreement& agreed_;
  Traffic& traffic_;
  const abi::Call& call_;
  const std::optional<Plan> own_plan_;  // with parts; with an operator of the program's, which may call MPI, which
  const Plan& plan_;                    // makes other plans
  std::int64_t offset_ = 0;             // of a vector in the receive buffer, in bytes
  bool sends_straight_ = false;         // the input of a gather, from where it lies
  const bool copies_input_;
  const bool staged_;  // a stream is packed first
  PmpiTransport net_;
  const Scratch::Lease memory_;
  char* vector_ = nullptr;  // of a stream
};

}  // namespace mpigraft::operation
