// SPDX-License-Identifier: MIT
// A send that is too large to be eager needs its sender's progress. The receiver waits for it before it joins the
// collective (or after), while the sender is inside: whoever waits in a collective must keep MPI going.
#include "check.h"

enum { pending_tag = 7, repetitions = 3 };

static void collectives(enum collective c) {
  for (int i = 0; i < repetitions; ++i) expect(is_right(c, 1, i % size, MPI_COMM_WORLD), collective_names[c]);
}

static void receive(char* buffer, int bytes, int from) {
  MPI_Recv(buffer, bytes, MPI_BYTE, from, pending_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int wrong = 0;
  for (int i = 0; i < bytes; ++i) wrong |= buffer[i] != (char)(i % 127);
  expect(!wrong, "message");
}

static void pending(enum collective c, int bytes, int from, int to, int receive_first) {
  char* buffer = filled((size_t)bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == from) {
    for (int i = 0; i < bytes; ++i) buffer[i] = (char)(i % 127);
    MPI_Isend(buffer, bytes, MPI_BYTE, to, pending_tag, MPI_COMM_WORLD, &request);
  }
  if (rank == to && receive_first) receive(buffer, bytes, from);
  collectives(c);
  if (rank == to && !receive_first) receive(buffer, bytes, from);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(buffer);
}

int main(int argc, char** argv) {
  static const int sizes[] = {64 << 10, 8 << 20};
  start(&argc, &argv);
  for (int s = 0; s < 2; ++s)
    for (int c = 0; c < collective_count; ++c) {
      char name[60];
      for (int receive_first = 0; receive_first < 2; ++receive_first) {
        pending(c, sizes[s], 0, size - 1, receive_first);
        pending(c, sizes[s], size - 1, 0, receive_first);
      }
      snprintf(name, sizeof name, "%s across a pending send of %d KB", collective_names[c], sizes[s] >> 10);
      end_section(name);
    }
  return finish();
}
