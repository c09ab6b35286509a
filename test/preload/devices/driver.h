// SPDX-License-Identifier: MIT
// Functions of the stand-in for a GPU's driver that the program calls, besides those that mpigraft calls.
#include <stddef.h>

// Memory of the GPU: its address cannot be read by the CPU. NULL without memory.
void* gpu_alloc(size_t bytes);
int gpu_holds(const void* address);
// Managed memory: the driver knows it, and the CPU reads it, too.
void* gpu_alloc_managed(size_t bytes);
void gpu_write(void* on_gpu, const void* from, size_t bytes);
void gpu_read(void* to, const void* on_gpu, size_t bytes);
// The bytes that the driver was asked to copy; -1 if it was asked for something that a real one refuses.
long gpu_copied(void);
