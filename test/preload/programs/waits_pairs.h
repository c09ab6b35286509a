// SPDX-License-Identifier: MIT
// Scenes of blocking messages: one rank to another, round a ring, to nobody, and wrong ones.
#ifndef WAITS_PAIRS_H
#define WAITS_PAIRS_H

#include "waits.h"

enum { send_forms = 6, receive_forms = 10 };

/// Bsend's memory; detaching it waits until its messages are on their way.
static inline void attach(int bytes) {
  const int size_of_it = bytes + MPI_BSEND_OVERHEAD + 1000;
  MPI_Buffer_attach(taken((size_t)size_of_it), size_of_it);
}
static inline void detach(void) {
  void* memory;
  int bytes;
  MPI_Buffer_detach(&memory, &bytes);
  note("detached %d bytes", bytes);
}

static inline void send_by(int form, const struct buffer* b, int to, int tag, MPI_Comm comm) {
  const MPI_Datatype type = b->shape->type;
  MPI_Request request;
  int code = MPI_SUCCESS;
  if (form == 0) code = MPI_Send(b->data, b->count, type, to, tag, comm);
  if (form == 1) code = MPI_Ssend(b->data, b->count, type, to, tag, comm);
  if (form == 2) code = MPI_Send_c(b->data, b->count, type, to, tag, comm);
  if (form == 3) code = MPI_Ssend_c(b->data, b->count, type, to, tag, comm);
  if (form == 4) {
    MPI_Issend(b->data, b->count, type, to, tag, comm, &request);
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (form == 5) {
    attach(b->count * b->shape->size);
    code = MPI_Bsend(b->data, b->count, type, to, tag, comm);
    detach();
  }
  note("sent by %d: class %d", form, class_of(code));
}

/// A probe's status has the count of what is coming; its length decides the buffer.
static inline struct buffer probed(const char* how, const struct shape* shape, const MPI_Status* status) {
  int count;
  note_status(how, MPI_SUCCESS, status, shape->type);
  MPI_Get_count(status, shape->type, &count);
  return empty_buffer(shape, count);
}

/// Receives by a matched probe; `polls`: by a nonblocking one.
static inline int receive_matched(int polls, struct buffer* b, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Request request;
  MPI_Status found = blank();
  if (!polls) {
    MPI_Mprobe(from, tag, comm, &message, &found);
    *b = probed("mprobe", b->shape, &found);
    return MPI_Mrecv(b->data, b->count, b->shape->type, &message, status);
  }
  for (int flag = 0; !flag;) MPI_Improbe(from, tag, comm, &flag, &message, &found);
  *b = probed("improbe", b->shape, &found);
  MPI_Imrecv(b->data, b->count, b->shape->type, &message, &request);
  return MPI_Wait(&request, status);
}

static inline void receive_by(int form, struct buffer b, int from, int tag, MPI_Comm comm) {
  const MPI_Datatype type = b.shape->type;
  MPI_Status status = blank(), found = blank();
  MPI_Request request;
  int code = MPI_SUCCESS;
  if (form == 0) code = MPI_Recv(b.data, b.count, type, from, tag, comm, &status);
  if (form == 1) code = MPI_Recv(b.data, b.count, type, MPI_ANY_SOURCE, tag, comm, &status);
  if (form == 2) code = MPI_Recv(b.data, b.count, type, from, MPI_ANY_TAG, comm, &status);
  if (form == 3) code = MPI_Recv(b.data, b.count, type, from, tag, comm, MPI_STATUS_IGNORE);
  if (form == 4) code = MPI_Recv_c(b.data, b.count, type, from, tag, comm, &status);
  if (form == 5) {
    MPI_Probe(MPI_ANY_SOURCE, tag, comm, &found);
    b = probed("probe", b.shape, &found);
    code = MPI_Recv(b.data, b.count, type, found.MPI_SOURCE, tag, comm, &status);
  }
  if (form == 6) {
    for (int flag = 0; !flag;) MPI_Iprobe(from, MPI_ANY_TAG, comm, &flag, &found);
    b = probed("iprobe", b.shape, &found);
    code = MPI_Recv(b.data, b.count, type, from, found.MPI_TAG, comm, &status);
  }
  if (form == 7) code = receive_matched(0, &b, from, tag, comm, &status);
  if (form == 8) code = receive_matched(1, &b, MPI_ANY_SOURCE, tag, comm, &status);
  if (form == 9) {
    MPI_Irecv(b.data, b.count, type, from, tag, comm, &request);
    code = MPI_Wait(&request, &status);
  }
  note("received by %d", form);
  note_status("received", code, &status, type);
  note_buffer("received", &b);
}

/// One message, and perhaps an answer; all others go on to the next scene.
static inline void pair(const struct place* at) {
  const int sent_by = draw(send_forms), received_by = draw(receive_forms), answered = chance(50),
            room = chance(50) * draw(9);
  const struct shape* shape = &shapes[draw(shape_count)];
  const int a = draw(at->size), b = (a + 1 + draw(at->size > 1 ? at->size - 1 : 1)) % at->size;
  const int count = draw_bytes() / shape->size, other = at->rank == a ? b : a;
  if (at->size == 1 || (at->rank != a && at->rank != b)) return;
  const struct buffer mine = full_buffer(shape, count, 0);
  for (int turn = 0; turn <= answered; ++turn)
    if ((at->rank == a) == (turn == 0))
      send_by(sent_by, &mine, other, scene_tag(turn), at->comm);
    else
      receive_by(received_by, empty_buffer(shape, count + room), other, scene_tag(turn), at->comm);
}

/// Exchanges round a ring, which may end at nobody; with shift 0 a rank exchanges with itself.
static inline void sendrecv(const struct place* at) {
  const int form = draw(MPI_VERSION < 4 ? 3 : 4), open = chance(20) && form != 3, shift = draw(at->size), any = draw(3);
  // In MPICH 4.0 MPI_Isendrecv frees a derived type that it was given, and hangs where it sends to nobody.
  const struct shape* shape = &shapes[draw(form == 3 ? 2 : shape_count)];
  const int count = draw_bytes() / shape->size, tag = scene_tag(0);
  int to = (at->rank + shift) % at->size, from = (at->rank - shift + at->size) % at->size;
  if (open && at->rank == at->size - 1) to = MPI_PROC_NULL;
  if (open && from == at->size - 1) from = MPI_PROC_NULL;
  const int source = any == 1 && from != MPI_PROC_NULL ? MPI_ANY_SOURCE : from, wanted = any == 2 ? MPI_ANY_TAG : tag;
  const struct buffer mine = full_buffer(shape, count, 0), theirs = empty_buffer(shape, count + 3);
  const MPI_Datatype type = shape->type;
  MPI_Status status = blank();
  int code = MPI_SUCCESS;
  note("sendrecv %d: to %d, from %d, tag %d, %d times %d", form, to, source, wanted, count, shape->size);
  if (form == 0)
    code =
        MPI_Sendrecv(mine.data, count, type, to, tag, theirs.data, count + 3, type, source, wanted, at->comm, &status);
  if (form == 1) code = MPI_Sendrecv_replace(mine.data, count, type, to, tag, source, wanted, at->comm, &status);
  if (form == 2)
    code = MPI_Sendrecv_c(mine.data, count, type, to, tag, theirs.data, count, type, source, wanted, at->comm, &status);
#if MPI_VERSION >= 4
  if (form == 3) {
    MPI_Request request;
    MPI_Isendrecv(mine.data, count, type, to, tag, theirs.data, count, type, source, wanted, at->comm, &request);
    code = MPI_Wait(&request, &status);
    note("sendrecv: class %d", class_of(code));
  }
#endif
  if (form < 3) note_status("sendrecv", code, &status, type);
  note_buffer("sendrecv", form == 1 ? &mine : &theirs);
}

/// Messages to and from nobody.
static inline void to_nobody(const struct place* at) {
  char byte = 1;
  MPI_Message message;
  MPI_Request requests[2];
  MPI_Status status = blank(), both[2] = {blank(), blank()};
  int code = MPI_Recv(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 3, at->comm, &status);
  note_status("nobody's", code, &status, MPI_BYTE);
  note("to nobody: class %d", class_of(MPI_Ssend(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 3, at->comm)));
  code = MPI_Probe(MPI_PROC_NULL, 3, at->comm, &status);
  note_status("nobody's probe", code, &status, MPI_BYTE);
  MPI_Mprobe(MPI_PROC_NULL, 3, at->comm, &message, &status);
  note("no process: %d", message == MPI_MESSAGE_NO_PROC);
  code = MPI_Mrecv(&byte, 1, MPI_BYTE, &message, &status);
  note_status("nobody's mrecv", code, &status, MPI_BYTE);
  MPI_Irecv(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 3, at->comm, &requests[0]);
  MPI_Isend(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 3, at->comm, &requests[1]);
  code = MPI_Waitall(2, requests, both);
  note_status("nobody's irecv", code, &both[0], MPI_BYTE);
}

/// Calls that MPI refuses.
static inline void refused(const struct place* at) {
  char byte = 1;
  MPI_Status status = blank();
  MPI_Request request = MPI_REQUEST_NULL;
  const int codes[] = {MPI_Recv(&byte, -1, MPI_BYTE, 0, 3, at->comm, &status),
                       MPI_Send(&byte, 1, MPI_BYTE, at->size, 3, at->comm),
                       MPI_Recv(&byte, 1, MPI_BYTE, 0, -7, at->comm, &status),
                       MPI_Recv(&byte, 1, MPI_DATATYPE_NULL, 0, 3, at->comm, &status),
                       MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE),
                       MPI_Probe(at->size, 3, at->comm, &status)};
  for (int i = 0; i < 6; ++i) note("refused: class %d", class_of(codes[i]));
  note_status("refused", codes[0], &status, MPI_BYTE);
}

#endif
