// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <new>

namespace mpigraft::base {

/// This thread's own object of a type, made when it is first asked for; null without memory. A thread_local object
/// would not do: exit() destroys those of the main thread first, and then runs functions in which a program may still
/// make calls. To register its destructor takes memory, too, for want of which the program ends.
template <class T>
T* of_thread() noexcept {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local T* mine = nullptr;
  static pthread_key_t at_end;
  static const bool is_deleted = pthread_key_create(&at_end, [](void* one) {
                                   mine = nullptr;
                                   delete static_cast<T*>(one);
                                 }) == 0;  // else the program has used up all keys
  if (!mine && (mine = new (std::nothrow) T) && is_deleted) pthread_setspecific(at_end, mine);
  return mine;
}

/// This process's own object of a type. It is never destroyed, because a program may make calls while it ends.
template <class T>
T& of_process() {
  static T& own = *new T;
  return own;
}

}  // namespace mpigraft::base
