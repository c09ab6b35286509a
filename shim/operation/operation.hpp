// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "config/table/table.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/operation/pmpi_transport.hpp"
#include "shim/operation/traffic.hpp"

namespace mpigraft::operation {

/// One grafted call: the transport, the memory and the buffers around its algorithm.
class Operation {
 public:
  /// Takes an inspected call, for which `choice` names an algorithm. The traffic stands.
  Operation(const agree::Agreement& agreed, Traffic& traffic, const abi::Call& call, const table::Choice& choice);

  /// Runs the algorithm. MPI_SUCCESS or an error class, the same kind on every rank that the error concerns.
  int run();

 private:
  bool copies_input() const;
  bool gathers() const { return call_.info().input.length == Length::part; }
  bool packs() const { return stream_ && !offset_; }
  std::uint64_t pieces() const;
  void place();
  void place_stream(char* staging);
  void run(std::int64_t first, std::int64_t count);
  void pack();
  void unpack();

  const agree::Agreement& agreed_;
  Traffic& traffic_;
  const abi::Call& call_;
  const bool stream_;
  const abi::Datatype type_;
  const std::int64_t elements_, piece_;
  const std::size_t algorithm_;
  const Params params_;
  const std::optional<std::int64_t> offset_;  // of a stream in the receive buffer, in bytes; none: it is packed
  const bool sends_straight_;                 // the input of a gather, from where it lies
  PmpiTransport net_;
  const std::size_t scratch_bytes_;
  const Scratch::Lease memory_;
  char* vector_ = nullptr;  // of a stream
};

}  // namespace mpigraft::operation
