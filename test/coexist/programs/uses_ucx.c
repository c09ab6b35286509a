// SPDX-License-Identifier: MIT
// A library that brings a UCX of its own, as the packages of other languages do.
unsigned ucp_worker_progress(void* worker) { return VALUE + (worker != 0); }

int use(void) {
  int wrong = 0, here = 0;
  for (int i = 0; i < 3; ++i) wrong |= ucp_worker_progress(0) != VALUE || ucp_worker_progress(&here) != VALUE + 1;
  return wrong;
}
