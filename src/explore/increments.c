/* increments.c -- what was added to the state of a search since it was written.
 *
 * A file of increments begins with a line and the hash of the state that it continues. Then come
 * records, each with its length and hash. Whatever a kill leaves of the last one is ignored. A file
 * that continues another state is of no use: the state was written again after it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore/increments.h"

#define MAGIC "proviso increments 1\n"
struct head {
  char magic[sizeof MAGIC - 1];
  uint8_t state[sizeof(uint64_t)];
};
struct record {
  uint64_t n, hash; /* of the bytes that follow */
};

static void close_file(struct pv_increments *x) {
  if (x->fd) close(x->fd);
  x->fd = 0;
  x->begins = false;
}

bool pv_increments_are_written(const struct pv_search *s) {
  return s->increments.fd || s->increments.begins;
}

static bool write_bytes(int fd, const void *bytes, size_t n) {
  const char *at = bytes;
  while (n) {
    ssize_t done = write(fd, at, n);
    if (done <= 0) return false;
    at += done;
    n -= (size_t)done;
  }
  return true;
}

/* All that is stored now is written. */
static void settle(struct pv_search *s) {
  s->increments.mark = pv_space_stored(&s->space, s->registry);
  s->left_out.kept = s->left_out.n;
  s->left_out.changed.n = 0;
}

static bool wants(const struct pv_search *s) {
  const struct pv_task *t = s->task;
  return t->increments && t->checkpoint && t->wants_interim && t->wants_state && s->registry &&
         s->write && !t->limits->depth;
}

void pv_increments_begin(struct pv_search *s, uint64_t state) {
  struct pv_increments *x = &s->increments;
  close_file(x);
  if (!wants(s)) return;
  x->begins = true;
  x->state = state;
  x->timer.next = 0;
  settle(s);
}

static void begin_file(struct pv_search *s) {
  struct pv_increments *x = &s->increments;
  struct head head;
  x->begins = false;
  x->fd = open(s->task->increments, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (x->fd < 0) x->fd = 0;
  if (!x->fd) return;
  memcpy(head.magic, MAGIC, sizeof head.magic);
  memcpy(head.state, &x->state, sizeof head.state);
  if (!write_bytes(x->fd, &head, sizeof head)) close_file(x);
}

/* ---- writing --------------------------------------------------------------------------------- */
void pv_increments_write(struct pv_search *s) {
  enum { OFTEN = 10, SHARE = 50 }; /* they take at most one part in SHARE of the time */
  struct pv_increments *x = &s->increments;
  if (!pv_increments_are_written(s)) return;
  double began = pv_clock();
  double least = s->timer.pause / OFTEN;
  if (!x->timer.next) x->timer.next = began + least;
  if (began < x->timer.next) return;
  if (x->mark.arranged != s->space.arranged) { /* states have other nodes now */
    close_file(x);
    return;
  }
  if (x->begins) begin_file(s);
  if (!x->fd) return;
  struct pv_str bytes = {0};
  pv_search_put(s, &x->mark, &bytes);
  struct record head = {bytes.n, pv_hash(bytes.at, bytes.n)};
  bool right = write_bytes(x->fd, &head, sizeof head) && write_bytes(x->fd, bytes.at, bytes.n);
  pv_str_free(&bytes);
  settle(s);
  if (!right) close_file(x);
  double now = pv_clock(), pause = (now - began) * SHARE;
  x->timer.next = now + (pause > least ? pause : least);
}

/* ---- reading --------------------------------------------------------------------------------- */
void pv_increments_read(const struct pv_task *task, uint64_t state, struct pv_increments_file *f) {
  size_t n, at = sizeof(struct head);
  struct head head;
  if (!task->given_increments) return;
  if (pv_read_file(task->given_increments, SIZE_MAX, &f->bytes, &n, NULL) != PV_OK) return;
  if (n < sizeof head) return;
  memcpy(&head, f->bytes, sizeof head);
  if (memcmp(head.magic, MAGIC, sizeof head.magic) != 0 ||
      memcmp(head.state, &state, sizeof state) != 0)
    return;
  for (struct record r; n - at >= sizeof r; at += sizeof r + r.n) {
    memcpy(&r, f->bytes + at, sizeof r);
    const char *bytes = f->bytes + at + sizeof r;
    if (r.n > n - at - sizeof r || pv_hash(bytes, r.n) != r.hash) break;
    struct pv_bytes record = {.at = (const uint8_t *)bytes, .n = r.n};
    pv_vec_push(&f->records, record);
  }
  f->end = at;
}

void pv_increments_free(struct pv_increments_file *f) {
  free(f->bytes);
  pv_vec_free(&f->records);
  *f = (struct pv_increments_file){0};
}

void pv_increments_continue(struct pv_search *s, const struct pv_increments_file *f) {
  struct pv_increments *x = &s->increments;
  const struct pv_task *t = s->task;
  if (!wants(s) || !f->end || strcmp(t->increments, t->given_increments) != 0) return;
  x->fd = open(t->increments, O_WRONLY | O_CLOEXEC);
  if (x->fd < 0) x->fd = 0;
  bool right = x->fd && ftruncate(x->fd, (off_t)f->end) == 0 &&
               lseek(x->fd, (off_t)f->end, SEEK_SET) == (off_t)f->end;
  if (!right) close_file(x);
  settle(s);
}

void pv_search_close(struct pv_search *s) {
  close_file(&s->increments);
}
