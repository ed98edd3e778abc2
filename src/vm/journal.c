#include "vm/journal.h"

#include <stdlib.h>
#include <string.h>

struct tail { /* the end of a record */
  uint32_t component, n;
};

static struct tail tail_at(const struct pv_journal *j, uint32_t end) {
  struct tail tail;
  memcpy(&tail, j->bytes.at + end - sizeof tail, sizeof tail);
  return tail;
}

static uint32_t begin_of(struct tail tail, uint32_t end) {
  return end - (uint32_t)sizeof tail - tail.n;
}

static void grow(struct pv_journal *j, uint32_t n) {
  if (n <= j->n_now) return;
  j->now = pv_realloc(j->now, n * sizeof *j->now);
  memset(j->now + j->n_now, 0, (n - j->n_now) * sizeof *j->now);
  j->n_now = n;
}

static void copy(struct pv_journal_copy *to, const uint8_t *data, uint32_t n) {
  if (n > to->cap) {
    to->cap = n < 32 ? 32 : n + n / 2;
    to->data = pv_realloc(to->data, to->cap);
  }
  if (n) memcpy(to->data, data, n);
  to->n = n;
}

static void push(struct pv_journal *j, uint32_t component) {
  const struct pv_journal_copy *was = &j->now[component];
  const struct tail tail = {component, was->n};
  uint32_t at = j->bytes.n;
  uint32_t n = at + was->n + (uint32_t)sizeof tail;
  pv_vec_reserve(&j->bytes, n);
  j->bytes.n = n;
  if (was->n) memcpy(j->bytes.at + at, was->data, was->n);
  memcpy(j->bytes.at + at + was->n, &tail, sizeof tail);
}

/* Records the component's content if it has changed. */
static void keep(struct pv_journal *j, uint32_t component) {
  const struct pv_comp *c = pv_vm_component(j->vm, component);
  struct pv_journal_copy *was = &j->now[component];
  if (c->n == was->n && (!c->n || !memcmp(c->data, was->data, c->n))) return;
  push(j, component);
  copy(was, c->data, c->n);
}

void pv_journal_begin(struct pv_journal *j, struct pv_vm *vm) {
  *j = (struct pv_journal){.vm = vm};
  grow(j, pv_vm_components(vm));
  for (uint32_t i = 0; i < j->n_now; i++) {
    const struct pv_comp *c = pv_vm_component(vm, i);
    copy(&j->now[i], c->data, c->n);
  }
  pv_vm_clean(vm);
}

void pv_journal_free(struct pv_journal *j) {
  for (uint32_t i = 0; i < j->n_now; i++) free(j->now[i].data);
  free(j->now);
  pv_vec_free(&j->bytes);
}

void pv_journal_keep(struct pv_journal *j) {
  const uint32_t *list;
  uint32_t n = pv_vm_dirty(j->vm, &list);
  grow(j, pv_vm_components(j->vm));
  for (uint32_t i = 0; i < n; i++) keep(j, list[i]);
  pv_vm_clean(j->vm);
}

void pv_journal_back(struct pv_journal *j, pv_journal_mark mark) {
  while (j->bytes.n > mark) {
    struct tail tail = tail_at(j, j->bytes.n);
    uint32_t at = begin_of(tail, j->bytes.n);
    pv_vm_set_component(j->vm, tail.component, j->bytes.at + at, tail.n);
    copy(&j->now[tail.component], j->bytes.at + at, tail.n);
    j->bytes.n = at;
  }
  pv_vm_loaded(j->vm);
}

void pv_journal_revert(struct pv_journal *j, pv_journal_mark mark) {
  uint32_t end = j->bytes.n;
  for (uint32_t at = end; at > mark;) {
    struct tail tail = tail_at(j, at);
    at = begin_of(tail, at);
    pv_vm_set_component(j->vm, tail.component, j->bytes.at + at, tail.n);
  }
  for (uint32_t at = end; at > mark;) {
    struct tail tail = tail_at(j, at);
    at = begin_of(tail, at);
    keep(j, tail.component);
  }
  pv_vm_loaded(j->vm);
}

bool pv_journal_visit(const struct pv_journal *j, pv_journal_mark from, pv_journal_mark to,
                      pv_journal_visitor f, void *user) {
  for (uint32_t at = to; at > from;) {
    struct tail tail = tail_at(j, at);
    at = begin_of(tail, at);
    if (!f(user, tail.component, j->bytes.at + at, tail.n)) return false;
  }
  return true;
}

struct reading {
  uint32_t component, n;
  const uint8_t *was; /* the content before the first change */
};

static bool note_was(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  struct reading *r = user;
  if (component == r->component) r->was = was, r->n = n;
  return true;
}

bool pv_journal_read(const struct pv_journal *j, pv_journal_mark mark, uint64_t address,
                     unsigned bytes, uint64_t *value) {
  struct reading r = {0};
  uint32_t offset;
  *value = 0;
  if (!pv_vm_place(j->vm, address, bytes, &r.component, &offset)) return false;
  const struct pv_comp *c = pv_vm_component(j->vm, r.component);
  r.n = c->n;
  r.was = c->data;
  pv_journal_visit(j, mark, pv_journal_at(j), note_was, &r);
  if (r.n != c->n || offset + bytes > r.n) return false;
  memcpy(value, r.was + offset, bytes);
  return true;
}

uint64_t pv_journal_bytes(const struct pv_journal *j) {
  uint64_t n = j->bytes.cap;
  for (uint32_t i = 0; i < j->n_now; i++) n += sizeof *j->now + j->now[i].cap;
  return n;
}
