// SPDX-License-Identifier: MIT
// A stand-in for a GPU's driver. Its memory is mapped twice: at the program's address, where the CPU must not touch it,
// and where the driver does. -DCUDA, -DHSA: with the functions of that driver; -DMUTE: with none. Programs call gpu_
// functions.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most = 4096 };
static struct Memory {
  char *address, *seen;
  size_t bytes;
  int managed;
} memories[most];
static int count;
static long copied;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // threads allocate and copy at once

static void wrong(void) { copied = -1; }

static void* add(size_t bytes, int managed) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
  const int file = memfd_create("gpu", MFD_CLOEXEC);
  if (file < 0 || count == most || ftruncate(file, (off_t)whole) != 0) return NULL;
  struct Memory m = {.bytes = bytes, .managed = managed};
  m.address = mmap(NULL, whole, managed ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_SHARED, file, 0);
  m.seen = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  pthread_mutex_lock(&lock);
  memories[count++] = m;
  pthread_mutex_unlock(&lock);
  return m.address;
}

/// Memory of the GPU: its address cannot be read by the CPU. NULL without memory.
void* gpu_alloc(size_t bytes) { return add(bytes, 0); }
/// The driver knows this memory, and the CPU reads it, too.
void* gpu_alloc_managed(size_t bytes) { return add(bytes, 1); }
/// The bytes that the driver was asked to copy; -1 if it was asked for something that a real one refuses.
long gpu_copied(void) { return copied; }

static const struct Memory* memory_of(const void* address) {
  const char* const p = address;
  for (int i = 0; i < count; ++i)
    if (p >= memories[i].address && p < memories[i].address + memories[i].bytes) return &memories[i];
  return NULL;
}

/// Where the driver sees `bytes` bytes; host memory where it is. NULL: they are not all in one piece of memory.
static char* seen(const void* address, size_t bytes) {
  const struct Memory* const m = memory_of(address);
  if (m == NULL) return (char*)(uintptr_t)address;
  const size_t at = (size_t)((const char*)address - m->address);
  return at + bytes <= m->bytes ? m->seen + at : NULL;
}

static int copy(void* to, const void* from, size_t bytes) {
  char *const target = seen(to, bytes), *const source = seen(from, bytes);
  if (target == NULL || source == NULL) return wrong(), 1;
  memcpy(target, source, bytes);
  return 0;
}

void gpu_write(void* on_gpu, const void* from, size_t bytes) { copy(on_gpu, from, bytes); }
void gpu_read(void* to, const void* on_gpu, size_t bytes) { copy(to, on_gpu, bytes); }

#if defined(CUDA)
static _Thread_local int contexts, waiting;
static _Thread_local struct {
  void* to;
  const void* from;
  size_t bytes;
} queue[1 << 16];

int cuPointerGetAttribute(void* value, int attribute, uint64_t address) {
  const struct Memory* const m = memory_of((void*)(uintptr_t)address);
  if (m == NULL) return 1;
  if (attribute == 1) return *(void**)value = NULL, 0;  // memory of a pool belongs to no context
  if (attribute != 2 && attribute != 8 && attribute != 9) return wrong(), 1;
  *(unsigned*)value = attribute == 2 ? 2 : attribute == 8 ? (unsigned)m->managed : 0;
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  if (attribute != 89 || device != 0) return wrong(), 1;
  return *value = getenv("GPU_NEEDS_MANAGED_COPIES") == NULL, 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) { return *context = &copied, device; }
int cuDevicePrimaryCtxRelease(int device) { return device; }
int cuCtxPushCurrent_v2(void* context) { return ++contexts, context != &copied; }
int cuCtxPopCurrent_v2(void** context) { return --contexts, *context = &copied, 0; }
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, uintptr_t stream) {
  if (contexts < 1) return 201;
  if (stream != 2 || waiting == 1 << 16) return wrong(), 1;
  queue[waiting].to = (void*)(uintptr_t)to, queue[waiting].from = (void*)(uintptr_t)from;
  queue[waiting++].bytes = bytes;
  return 0;
}
/// Copies nothing before: whoever does not wait has no result.
int cuStreamSynchronize(uintptr_t stream) {
  int error = stream != 2;
  for (int i = 0; i < waiting; ++i) {
    error |= copy(queue[i].to, queue[i].from, queue[i].bytes);
    if (copied >= 0) copied += (long)queue[i].bytes;
  }
  return waiting = 0, error;
}
#elif defined(HSA)
struct Info {
  uint32_t size, type;
  void *on_agent, *on_host;
  size_t bytes;
  void* data;
  uint64_t owner;
};
int hsa_amd_pointer_info(const void* address, struct Info* info, void* (*allocate)(size_t), uint32_t* agents,
                         uint64_t** accessible) {
  if (info->size < sizeof *info || allocate || agents || accessible) return wrong(), 0x1001;
  const struct Memory* const m = memory_of(address);
  info->type = m == NULL ? 0 : m->managed ? 5 : 1;
  info->owner = m == NULL ? 0 : 7;
  return 0;
}
int hsa_agent_get_info(uint64_t agent, int attribute, void* value) {
  if (agent != 7 || attribute != 17) return wrong(), 0x1001;
  return *(uint32_t*)value = 1, 0;
}
int hsa_memory_copy(void* to, const void* from, size_t bytes) {
  if (copied >= 0) copied += (long)bytes;
  return copy(to, from, bytes);
}
#elif !defined(MUTE)
#error which driver?
#endif
