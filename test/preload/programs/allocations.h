// SPDX-License-Identifier: MIT
// Brings malloc and its like to a program, or to a library that is preloaded, and tells it what libmpigraft.so asks
// for. Allocations of MPI and of the program go on as ever: what they do without memory is not mpigraft's.
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int looks_at_allocations;

/// Of whoever includes this: decides about an allocation by libmpigraft.so while somebody looks. True: it fails.
static int refuses(size_t bytes);

static int is_refused(size_t bytes, void* caller) {
  Dl_info info;
  if (!looks_at_allocations || !dladdr(caller, &info) || !strstr(info.dli_fname, "libmpigraft")) return 0;
  if (!refuses(bytes)) return 0;
  errno = ENOMEM;
  return 1;
}

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

#define PASS_ON(bytes, ...) is_refused(bytes, __builtin_return_address(0)) ? NULL : __libc_##__VA_ARGS__
void* malloc(size_t bytes) { return PASS_ON(bytes, malloc(bytes)); }
#ifndef MALLOC_ALONE
void* calloc(size_t n, size_t bytes) { return PASS_ON(n * bytes, calloc(n, bytes)); }
void* realloc(void* old, size_t bytes) { return PASS_ON(bytes, realloc(old, bytes)); }
void* aligned_alloc(size_t alignment, size_t bytes) { return PASS_ON(bytes, memalign(alignment, bytes)); }
#endif

#endif
