// SPDX-License-Identifier: MIT
// The operands: a predefined datatype, an operator, and the same operator in plain C++.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpigraft::fuzz {

/// Values are handled by their bytes. They are such that every order of evaluation gives the same result: integers
/// wrap, floating point numbers are small whole numbers in sums and powers of two in products.
struct Kind {
  const char* type_name;
  const char* op_name;
  MPI_Datatype type;
  MPI_Op op;         // MPI_OP_NULL: a user operator, made by the case from `join`
  bool commutative;  // what `join` is
  std::size_t width;
  std::vector<std::pair<std::size_t, std::size_t>> parts;  // [first, last) of the bytes that MPI may write
  void (*make)(std::uint64_t noise, int rank, char* value);
  void (*join)(const char* lower, char* upper);  // upper := lower (+) upper
  bool (*equal)(const char* a, const char* b);
};

/// Every predefined operator on every kind of type that it takes.
const std::vector<Kind>& predefined_kinds();

/// Operators of the program on bytes of 1, 2, 4 and 8 bytes' width, commutative and not.
const std::vector<Kind>& user_kinds();

}  // namespace mpigraft::fuzz
