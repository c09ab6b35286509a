// SPDX-License-Identifier: MIT
// The objects, programs and libraries, that are loaded into this process.
#pragma once

#include <link.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>

namespace mpigraft::abi {

/// How many objects were loaded and unloaded so far. An address belongs to the same object while neither changes.
struct Changes {
  std::uint64_t loads = 0, unloads = 0;
};
Changes changes();

struct Object {
  const char* begin = nullptr;  // null: there is no such object
  std::size_t size = 0;
  const char* file = nullptr;  // "" for the program

  bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin) < size;
  }
};

Object object_at(const void* address);
/// Calls f(return address) for the frames of this thread's stack, from the innermost, until it returns true.
template <class F>
void for_frames(F f) {
  const auto call = [](_Unwind_Context* frame, void* f) {
    const bool ends = (*static_cast<F*>(f))(reinterpret_cast<const void*>(_Unwind_GetIP(frame)));
    return ends ? _URC_END_OF_STACK : _URC_NO_REASON;
  };
  _Unwind_Backtrace(call, &f);
}

/// The first loaded object whose path contains `part`; of size 0: there is none.
Object object_named(const char* part);

/// True if `word` is among the names in an object's dynamic section, such as those of the versions that it was linked
/// to.
bool names(const Object& object, const char* word);

/// The handle of a loaded object, for dlsym. It keeps the object loaded, as long as the handle lives.
class Handle {
 public:
  explicit Handle(const char* file);
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// The function `name` of the object, or else of the libraries that it is linked to; null: there is none.
  void* find(const char* name) const;
  /// Keeps the object loaded to the end of the process.
  void keep() { handle_ = nullptr; }
  void* handle() const { return handle_; }
  /// True if the object refers to a function of another one whose name begins with `prefix`.
  bool refers_to(const char* prefix) const;

 private:
  void* handle_;
};

}  // namespace mpigraft::abi
