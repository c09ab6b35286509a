// SPDX-License-Identifier: MIT
// MPI's handles as the shim sees them: opaque, and as wide as a register, since some libraries' are pointers.
#pragma once

#include <cstdint>

namespace mpigraft::abi {

// `null` is no object, whatever the library has for that.
enum class Comm : std::uintptr_t { null };
enum class Type : std::uintptr_t { null };
enum class Op : std::uintptr_t { null };
enum class Request : std::uintptr_t { null };
enum class Group : std::uintptr_t { null };
enum class Errhandler : std::uintptr_t { null };
enum class Keyval : std::uintptr_t { null };

/// The bits that count in a register with a handle of the program: narrower handles leave the others undefined.
extern const std::uintptr_t handle_bits;

/// A handle as the program passed it, which may be of no object.
template <class Handle>
Handle passed(std::uintptr_t in_register) {
  return static_cast<Handle>(in_register & handle_bits);
}

/// The same of one that is an address.
template <class Handle, class Object>
Handle passed(Object* handle) {
  return passed<Handle>(reinterpret_cast<std::uintptr_t>(handle));
}

/// The other way, of a handle that is not null.
template <class Handle>
std::uintptr_t to_pass(Handle handle) {
  return static_cast<std::uintptr_t>(handle);
}

/// Handles where the program keeps them; the i-th of an array.
Comm comm_at(const void* place);
Type type_at(const void* place);
Request request_at(const void* place, std::int64_t i);
void put_request(Request request, void* place);

/// Whether these are handles of such objects, as far as the handle alone tells.
bool is_communicator(Comm comm);
bool is_datatype(Type type);
bool is_operator(Op op);

}  // namespace mpigraft::abi
