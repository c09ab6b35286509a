// SPDX-License-Identifier: MIT
// The beginnings of libfabric's structures, as fabric.h, fi_domain.h and fi_eq.h of its version 1.17 declare them.
#pragma once

#include <stddef.h>

enum { NOTHING = -11, OTHER = 7 };  // FI_EAGAIN, and any number

struct object {  // fid_fabric, fid_domain, fid_cq
  size_t class;
  void *context, *functions;
  const void* table;
};
struct table {  // fi_ops_fabric, fi_ops_domain
  size_t bytes;
  int (*open[3])(struct object* by, void* info, struct object** opened, void* context);
};
struct queue_table {  // fi_ops_cq
  size_t bytes;
  long (*read)(struct object* queue, void* entries, size_t count);
  long (*readfrom)(struct object* queue, void* entries, size_t count);
  void* more[40];
};

int fi_fabric(void* attributes, struct object** fabric, void* context);
int pass_on(void* attributes, struct object** fabric, void* context);
