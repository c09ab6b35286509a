// SPDX-License-Identifier: MIT
// The parameters of watched functions. Their names in the table (functions.hpp) are types here, so that a call says by
// itself what each of its arguments means.
#pragma once

#include <cstdint>
#include <optional>

namespace mpigraft::watch {

/// A handle, or an argument that nobody looks at: as wide as a register.
using Word = std::uintptr_t;

/// Types of C's parameters.
namespace narrow {
enum class buf : Word {};         // of `count` elements; if it is MPI_IN_PLACE, the other ones are meant
enum class count : int {};        // elements that this rank passes, ...
enum class datatype : Word {};    // ... and their type
enum class other_count : int {};  //
enum class other_datatype : Word {};
using counts = const int*;  // elements that all ranks pass together, rank by rank
enum class op : Word {};
enum class sendbuf : Word {};  // of collectives, with its own count and type if its elements are not those above
enum class sendcount : int {};
enum class sendtype : Word {};
enum class recvbuf : Word {};  // or the only buffer
enum class displs : Word {};
enum class root : int {};
enum class dest : int {};
enum class source : int {};
enum class tag : int {};
enum class recvtag : int {};      // of `source`, where `tag` is that of `dest`
enum class number : int {};       // of `requests`
enum class requests : Word {};    // address of requests to wait for
enum class request : Word {};     // address of one
enum class newrequest : Word {};  // address for a request that the call makes
enum class comm : Word {};
enum class newcomm : Word {};  // address for a communicator that the call makes
using w1 = Word;
using w2 = Word;
using w3 = Word;
using w4 = Word;
using w5 = Word;
using w6 = Word;
using w7 = Word;
using w8 = Word;
}  // namespace narrow

/// The same in functions for large counts.
namespace large {
using namespace watch::narrow;
enum class count : std::int64_t {};
enum class other_count : std::int64_t {};
enum class sendcount : std::int64_t {};
using counts = const std::int64_t*;
}  // namespace large

/// Fortran passes everything by reference, and handles as integers.
namespace fortran {
using count = const narrow::count*;
using counts = narrow::counts;
using sendbuf = narrow::sendbuf;
using recvbuf = narrow::recvbuf;
using displs = narrow::displs;
using sendcount = const narrow::sendcount*;
struct SendType {
  int handle;
};
using sendtype = const SendType*;
using root = const narrow::root*;
using newrequest = narrow::newrequest;
using datatype = const struct Datatype { int handle; }*;
using op = const struct Op { int handle; }*;
using comm = const struct Comm { int handle; }*;
using w1 = Word;
using w2 = Word;
using w3 = Word;
using w4 = Word;
using w5 = Word;

/// C's handles.
Word c_handle(Datatype handle);
Word c_handle(Op handle);
Word c_handle(Comm handle);
}  // namespace fortran

/// The arguments of a call that the trace tells. A member is empty if the function has no such parameter.
struct Told {
  const void *buf = nullptr, *counts = nullptr, *requests = nullptr, *newrequest = nullptr, *newcomm = nullptr;
  const void *sendbuf = nullptr, *recvbuf = nullptr, *displs = nullptr;
  bool large_counts = false;
  std::optional<std::int64_t> count, other_count, sendcount;
  std::optional<Word> datatype, other_datatype, sendtype, op, comm;
  std::optional<int> root, dest, source, tag, recvtag, number;

  template <class... Arguments>
  explicit Told(Arguments... arguments) {
    (take(arguments), ...);
  }

 private:
  static const void* address(auto place) { return reinterpret_cast<const void*>(static_cast<Word>(place)); }

  void take(Word) {}
  void take(narrow::buf its) { buf = address(its); }
  void take(narrow::count its) { count = static_cast<int>(its); }
  void take(large::count its) { count = static_cast<std::int64_t>(its); }
  void take(narrow::other_count its) { other_count = static_cast<int>(its); }
  void take(large::other_count its) { other_count = static_cast<std::int64_t>(its); }
  void take(narrow::counts its) { counts = its; }
  void take(large::counts its) { counts = its, large_counts = true; }
  void take(narrow::datatype its) { datatype = static_cast<Word>(its); }
  void take(narrow::other_datatype its) { other_datatype = static_cast<Word>(its); }
  void take(narrow::sendbuf its) { sendbuf = address(its); }
  void take(narrow::recvbuf its) { recvbuf = address(its); }
  void take(narrow::displs its) { displs = address(its); }
  void take(narrow::sendcount its) { sendcount = static_cast<int>(its); }
  void take(large::sendcount its) { sendcount = static_cast<std::int64_t>(its); }
  void take(narrow::sendtype its) { sendtype = static_cast<Word>(its); }
  void take(const narrow::sendcount* its) { take(*its); }
  void take(fortran::sendtype its) { sendtype = c_handle(fortran::Datatype{its->handle}); }
  void take(narrow::op its) { op = static_cast<Word>(its); }
  void take(narrow::root its) { root = static_cast<int>(its); }
  void take(narrow::dest its) { dest = static_cast<int>(its); }
  void take(narrow::source its) { source = static_cast<int>(its); }
  void take(narrow::tag its) { tag = static_cast<int>(its); }
  void take(narrow::recvtag its) { recvtag = static_cast<int>(its); }
  void take(narrow::number its) { number = static_cast<int>(its); }
  void take(narrow::requests its) { requests = address(its); }
  void take(narrow::request its) { requests = address(its), number = 1; }
  void take(narrow::newrequest its) { newrequest = address(its); }
  void take(narrow::comm its) { comm = static_cast<Word>(its); }
  void take(narrow::newcomm its) { newcomm = address(its); }
  void take(const narrow::count* its) { take(*its); }
  void take(const narrow::root* its) { take(*its); }
  void take(fortran::datatype its) { datatype = c_handle(*its); }
  void take(fortran::op its) { op = c_handle(*its); }
  void take(fortran::comm its) { comm = c_handle(*its); }
};

}  // namespace mpigraft::watch
