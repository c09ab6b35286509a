// SPDX-License-Identifier: MIT
// Where calls go without this library. The loader binds all calls of a function to the first definition, which is ours.
// Without us two libraries in one process may be bound to different ones: to MPI, to another MPI, or to a serial
// stand-in of their own, which only they see (dlopen, RTLD_LOCAL).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shim/abi/library.hpp"
#include "shim/abi/parameters.hpp"

namespace mpigraft::abi {

/// False once it is known that all calls of collectives in this process reach the MPI library that is grafted. Until
/// then each of them asks for its caller.
inline std::atomic<bool> callers_differ{true};

struct Binding {
  void* function = nullptr;  // the definition that the caller reaches without this library; null: there is none
  bool grafted = false;      // true: of the MPI library that is grafted, or of a tool that passes calls on to it
  bool of_all = false;       // true: all callers reach this one, for ever
};

/// The memory of a function of which this library has a definition.
class Function {
 public:
  explicit constexpr Function(const char* name) : name_(name) {}

  /// A progress function belongs to the MPI library that is grafted if its caller does.
  enum class Kind { of_mpi, of_progress };

  const char* name() const { return name_; }

  /// The definition that a call with the return address `caller` reaches without this library.
  Binding bound(const void* caller, Kind kind = Kind::of_mpi);

  /// The definition that all callers reach, for ever; null: it is not known, or they differ.
  void* of_all() const { return of_all_.load(std::memory_order_acquire); }

  /// As bound(). Where there is no definition, it is a function that fails and says so. `grafted` is false if mpigraft
  /// is disabled.
  Binding next(const void* caller);
  /// The same for functions that are called so often that a look at the caller counts.
  [[gnu::always_inline]] void* next_function(Caller caller) {
    void* const known = of_all();
    return known ? known : next(caller).function;
  }

  /// The definition that must get a call instead of us; null: the call reaches the MPI library that is grafted, and
  /// mpigraft is not disabled.
  void* elsewhere(const void* caller);

 private:
  /// The answer for callers in an object. Their addresses tell it as long as no object is unloaded.
  struct Known {
    std::atomic<std::uintptr_t> begin{0}, size{0};
    std::atomic<std::uint64_t> loads{0};  // not 0: another object may answer after the next load
    std::atomic<void*> function{nullptr};
    std::atomic<bool> grafted{false};
  };

  Binding known(const void* caller, Changes now) const;
  void learn(const Object& object, const Binding& answer, std::uint64_t loads, Changes then);

  const char* const name_;
  std::atomic<void*> of_all_{nullptr};
  bool is_all_grafted_ = false;            // valid if of_all_ is not null
  bool is_of_some_ = false;                // a caller has got an answer of its own, and keeps it
  std::atomic<std::uint32_t> version_{0};  // odd while the members below change
  std::atomic<std::uint64_t> unloads_{0};  // before the answers
  std::size_t next_ = 0;
  std::array<Known, 4> known_;
};

/// A progress function, and the definition of it that MPI's polls reach. Progress functions are not MPI's: by them a
/// library drives all messages in every call that blocks, whatever language the program is written in.
class ProgressFunction {
 public:
  explicit constexpr ProgressFunction(const char* name) : function_(name) {}

  /// The definition, if `caller` is known to belong to MPI; else null.
  void* known(const void* caller) const {
    const std::uintptr_t size = size_.load(std::memory_order_acquire);
    return reinterpret_cast<std::uintptr_t>(caller) - begin_ < size ? of_mpi_ : nullptr;
  }

  /// The definition for a caller that is not known. `of_mpi` is set to false if the poll is not one of the MPI library
  /// that is grafted.
  void* find(const void* caller, bool& of_mpi);

 private:
  Function function_;
  std::atomic<bool> published_{false};
  std::atomic<std::uintptr_t> size_{0};  // of the addresses of MPI's callers; not 0: the others are valid
  std::uintptr_t begin_ = 0;
  void* of_mpi_ = nullptr;
};

/// True if calls of this function by the global scope reach this library's definition before any other.
bool comes_first(const char* name);

/// True if calls of the object that contains `caller` reach the MPI library that is grafted.
bool graftable(const void* caller);

/// The reason why graftable(caller) is false.
Reason reason_against(const void* caller);

/// True if the MPI library that `caller` reaches, of whatever kind, was initialized.
bool has_initialized_mpi(const void* caller);

/// True on rank 0, by the launcher's variables, because the handles of an unknown MPI cannot be used to ask for a rank.
bool first_process();

}  // namespace mpigraft::abi
