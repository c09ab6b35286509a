// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>

#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"

namespace mpigraft::abi {
namespace {

// The checks pass only handles that every MPI has, because MPI ends a program that passes an unknown one.

bool knows_its_communicators() {
  return comm_size(comm_self) == 1 && comm_rank(comm_self) == 0 && !comm_is_inter(comm_self);
}

bool knows_its_types() {
  struct Known {
    Type type;
    std::int64_t size;
    const char* name;
  };
  const std::array<Known, 4> all{{{type_byte, 1, "MPI_BYTE"},
                                  {type_int, sizeof(int), "MPI_INT"},
                                  {type_int64, 8, "MPI_INT64_T"},
                                  {type_double, sizeof(double), "MPI_DOUBLE"}}};
  for (const auto& [type, size, name] : all)
    if (type_size(type) != size || type_name(type) != name || !type_is_predefined(type)) return false;
  return true;
}

/// Checks one operator. Others are compared before a kernel of ours takes their place (same_bits).
bool combines() {
  const int lower[] = {5, -1};
  int upper[] = {3, 7};
  return op_commutes(op_min) && reduce_local(lower, upper, 2, type_int, op_min) == success && upper[0] == 3 &&
         upper[1] == -1;
}

/// Our tags have 20 bits.
constexpr int largest_tag = (1 << 20) - 1;

bool takes_our_tags() {
  const Attribute bound = comm_get_attr(comm_world, tag_ub);
  return !bound.refused && bound.found && *static_cast<int*>(bound.value) >= largest_tag;
}

bool tells_of_messages() {
  const int sent[] = {1, 2, 3};
  int received[4] = {};
  Request incoming = Request::null, outgoing = Request::null;
  Status status;
  if (irecv(received, 4, type_int, 0, any_tag, comm_self, incoming) != success) return false;
  if (isend(sent, 3, type_int, 0, largest_tag, comm_self, outgoing) != success) return false;
  wait(outgoing, status);
  wait(incoming, status);
  return status.error == success && tag_of(status) == largest_tag && count_of(status, type_int) == 3 &&
         received[2] == 3 && incoming == Request::null && outgoing == Request::null;
}

bool keeps_attributes() {
  static int first, second, deleted;
  static constexpr AttributeFunctions functions{[](Comm, void* attribute) { deleted += attribute == &first; }};
  Keyval key = comm_create_keyval(functions);
  comm_set_attr(comm_self, key, &first);
  comm_set_attr(comm_self, key, &second);
  const Attribute kept = comm_get_attr(comm_self, key);
  comm_free_keyval(key);
  return !kept.refused && kept.found && kept.value == &second && deleted == 1;
}

bool builds_and_packs_types() {
  const int numbers[] = {1, 2, 3};
  int packed = 0, unpacked[3] = {};
  Type third = type_shifted(type_int, 2 * sizeof(int));
  if (third == Type::null) return false;
  const Extent extent = type_true_extent(third);
  const bool right =
      !type_is_predefined(third) && type_parts(third).size() == 1 && extent.lower_bound == 2 * sizeof(int) &&
      extent.length == sizeof(int) &&
      pack(numbers, 1, third, reinterpret_cast<char*>(&packed), sizeof packed, comm_self) == success && packed == 3 &&
      unpack(reinterpret_cast<char*>(&packed), sizeof packed, unpacked, 1, third, comm_self) == success &&
      unpacked[2] == 3 && unpacked[0] == 0;
  type_free(third);
  return right;
}

bool classes_its_errors() {
  for (const int error : {err_intern, err_no_mem, err_other, err_truncate})
    if (error_class(error) != error) return false;
  return true;
}

struct Check {
  bool (*holds)();
  const char* else_;
};
constexpr std::array<Check, 8> checks{{{knows_its_communicators, "MPI_COMM_SELF is not one process"},
                                       {knows_its_types, "a predefined type has a different size or name"},
                                       {combines, "MPI_MIN gives a wrong result"},
                                       {takes_our_tags, "MPI_TAG_UB is below 2^20 - 1"},
                                       {tells_of_messages, "the layout of MPI_Status differs"},
                                       {keeps_attributes, "communicator attributes behave differently"},
                                       {builds_and_packs_types, "derived types are described or packed differently"},
                                       {classes_its_errors, "error classes have different numbers"}}};

}  // namespace

const char* self_check() {
  static const char* const failed = [] {
    if (needs_self_check())
      for (const Check& check : checks)
        if (!check.holds()) return check.else_;
    return "";
  }();
  return failed;
}

}  // namespace mpigraft::abi
