// SPDX-License-Identifier: MIT
#include "shim/abi/call_stack.hpp"

#include <link.h>
#include <unwind.h>

#include <cstdint>

#include "shim/abi/library.hpp"

namespace mpigraft::abi {
namespace {

using Address = std::uintptr_t;

/// The addresses of a loaded object.
struct Range {
  Address begin = 0, end = 0;
  bool contains(Address address) const { return begin <= address && address < end; }
};

/// The object that contains an address.
Range object_around(Address address) {
  struct Search {
    Address address;
    Range found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& [wanted, found] = *static_cast<Search*>(data);
        Range all{UINTPTR_MAX, 0};
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          const Address begin = object->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
          if (begin < all.begin) all.begin = begin;
          if (end > all.end) all.end = end;
        }
        if (!all.contains(wanted)) return 0;
        found = all;
        return 1;
      },
      &search);
  return search.found;
}

/// The MPI library; empty while it is unknown, or if it is in one object with our code, as in unit tests.
Range mpi_library() {
  const auto function = reinterpret_cast<Address>(native_forms[0][0].narrow);
  const Range library = function ? object_around(function) : Range{};
  return library.contains(reinterpret_cast<Address>(&called_from_mpi)) ? Range{} : library;
}

}  // namespace

bool called_from_mpi() {
  struct Walk {
    Range library;
    bool met = false;
  } walk{mpi_library()};
  if (walk.library.end == 0) return false;
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* data) {
        auto& [library, met] = *static_cast<Walk*>(data);
        met = library.contains(_Unwind_GetIP(frame));
        return met ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &walk);
  return walk.met;
}

}  // namespace mpigraft::abi
