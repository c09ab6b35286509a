// SPDX-License-Identifier: MIT
// MPI's handles and constants as the shim sees them. Handles are opaque, and as wide as a register, because some
// libraries' handles are pointers. Values on which all libraries agree are constants here; handles are set once the
// library is known.
#pragma once

#include <cstdint>

namespace mpigraft::abi {

// `null` stands for the library's null handle, whatever value that has.
enum class Comm : std::uintptr_t { null };
enum class Type : std::uintptr_t { null };
enum class Op : std::uintptr_t { null };
enum class Request : std::uintptr_t { null };
enum class Keyval : std::uintptr_t { null };

inline constexpr int success = 0;
extern const void* const in_place;
extern const int any_source, any_tag, undefined;

extern const int err_intern, err_no_mem, err_other, err_truncate;

/// True if the class of a collective's error code says that MPI rejected the arguments before it sent anything.
bool is_of_arguments(int error);

inline Comm comm_self, comm_world;
inline Keyval tag_ub;

inline Type type_byte, type_int, type_int64, type_double;
inline Op op_max, op_min, op_sum;

/// The bits of a register that belong to a handle. A handle that is narrower than a register leaves the others
/// undefined.
extern const std::uintptr_t handle_bits;

/// The handle in a register of an intercepted call. It may be invalid.
template <class Handle>
Handle passed(std::uintptr_t in_register) {
  return static_cast<Handle>(in_register & handle_bits);
}

/// The same for a handle that is an address.
template <class Handle, class Object>
Handle passed(Object* handle) {
  return passed<Handle>(reinterpret_cast<std::uintptr_t>(handle));
}

/// The register's contents for a handle. REQUIRES: the handle is not null.
template <class Handle>
std::uintptr_t to_pass(Handle handle) {
  return static_cast<std::uintptr_t>(handle);
}

/// Handles in the program's memory: at `place`, or element `i` of the array at `place`.
Comm comm_at(const void* place);
Type type_at(const void* place);
Request request_at(const void* place, std::int64_t i);
Op op_at(const void* place);
void put_request(Request request, void* place);
void put_op(Op op, void* place);

/// The kinds of handles that programs pass to collectives.
enum class Kind { communicator, type, op };

/// True if the handle is one of such an object, as far as the handle alone tells.
bool is_communicator(Comm comm);
bool is_datatype(Type type);
bool is_operator(Op op);

}  // namespace mpigraft::abi
