/* pthread_state.c -- the bytes of the pthread plug-in's state. Records are copied in and out with
 * memcpy: an engine may keep `data` at any alignment. */
#include "sched/pthread_internal.h"

#include <assert.h>
#include <string.h>

struct header {
  uint32_t threads, objects;
};
_Static_assert(sizeof(struct pt_thread) == 32, "no hidden padding");
_Static_assert(sizeof(struct pt_object) == 24, "no hidden padding");

static struct header header(const struct pv_sched_state *s) {
  struct header h;
  memcpy(&h, s->data, sizeof h);
  return h;
}

static void set_header(struct pv_sched_state *s, struct header h) {
  memcpy(s->data, &h, sizeof h);
  s->dirty = true;
}

static size_t thread_offset(unsigned thread) {
  return sizeof(struct header) + thread * sizeof(struct pt_thread);
}

static size_t object_offset(const struct pv_sched_state *s, unsigned index) {
  return thread_offset(header(s).threads) + index * sizeof(struct pt_object);
}

/* Opens a gap of zeroes, or closes one. */
static void insert_bytes(struct pv_sched_state *s, size_t at, size_t bytes) {
  if (s->n + bytes > s->cap) {
    s->cap = (uint32_t)(s->n + bytes) * 2;
    s->data = pv_realloc(s->data, s->cap);
  }
  memmove(s->data + at + bytes, s->data + at, s->n - at);
  memset(s->data + at, 0, bytes);
  s->n += (uint32_t)bytes;
}

static void remove_bytes(struct pv_sched_state *s, size_t at, size_t bytes) {
  memmove(s->data + at, s->data + at + bytes, s->n - at - bytes);
  s->n -= (uint32_t)bytes;
}

void pt_init(struct pv_sched_state *s) {
  s->n = 0;
  insert_bytes(s, 0, sizeof(struct header));
  set_header(s, (struct header){0});
  pt_set_thread(s, 0, &(struct pt_thread){.status = PT_ALIVE});
}

unsigned pt_threads(const struct pv_sched_state *s) {
  return header(s).threads;
}
unsigned pt_objects(const struct pv_sched_state *s) {
  return header(s).objects;
}

struct pt_thread pt_thread(const struct pv_sched_state *s, unsigned thread) {
  struct pt_thread t = {0};
  if (thread < pt_threads(s)) memcpy(&t, s->data + thread_offset(thread), sizeof t);
  return t;
}

void pt_set_thread(struct pv_sched_state *s, unsigned thread, const struct pt_thread *t) {
  assert(thread < PV_MAX_THREADS);
  struct header h = header(s);
  while (h.threads <= thread) {
    insert_bytes(s, thread_offset(h.threads), sizeof *t);
    h.threads++;
  }
  memcpy(s->data + thread_offset(thread), t, sizeof *t);
  while (h.threads > 1) {
    struct pt_thread last;
    memcpy(&last, s->data + thread_offset(h.threads - 1), sizeof last);
    if (last.status != PT_FREE) break;
    h.threads--;
    remove_bytes(s, thread_offset(h.threads), sizeof last);
  }
  set_header(s, h);
}

struct pt_object pt_object_at(const struct pv_sched_state *s, unsigned index) {
  struct pt_object o;
  memcpy(&o, s->data + object_offset(s, index), sizeof o);
  return o;
}

/* The order of records; the address decides first. */
static int compare(const struct pt_object *a, uint64_t address, unsigned type, unsigned holder) {
  if (a->address != address) return a->address < address ? -1 : 1;
  if (a->type != type) return a->type < type ? -1 : 1;
  if (a->holder != holder) return a->holder < holder ? -1 : 1;
  return 0;
}

static unsigned lower_bound(const struct pv_sched_state *s, uint64_t address, unsigned type,
                            unsigned holder) {
  unsigned low = 0, high = pt_objects(s);
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    struct pt_object o = pt_object_at(s, middle);
    if (compare(&o, address, type, holder) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

unsigned pt_first_at(const struct pv_sched_state *s, uint64_t address) {
  return lower_bound(s, address, 0, 0);
}

bool pt_find(const struct pv_sched_state *s, uint64_t address, enum pt_type type, unsigned holder,
             struct pt_object *out) {
  unsigned i = lower_bound(s, address, type, holder);
  if (i == pt_objects(s)) return false;
  struct pt_object o = pt_object_at(s, i);
  if (compare(&o, address, type, holder) != 0) return false;
  *out = o;
  return true;
}

/* Does the record say no more than a statically initialised object's memory? A mutex's kind is in
 * that memory. */
static bool says_nothing(const struct pt_object *o) {
  if (o->flags || o->owner || o->count) return false;
  return o->type != PT_ONCE || o->sub == PT_ONCE_NEW;
}

void pt_put(struct pv_sched_state *s, const struct pt_object *o) {
  unsigned i = lower_bound(s, o->address, o->type, o->holder);
  struct header h = header(s);
  struct pt_object there;
  bool found = pt_find(s, o->address, o->type, o->holder, &there);
  if (says_nothing(o)) {
    if (!found) return;
    remove_bytes(s, object_offset(s, i), sizeof *o);
    h.objects--;
  } else {
    if (found && memcmp(&there, o, sizeof there) == 0) return;
    if (!found) {
      insert_bytes(s, object_offset(s, i), sizeof *o);
      h.objects++;
    }
    memcpy(s->data + object_offset(s, i), o, sizeof *o);
  }
  set_header(s, h);
}

void pt_remove_range(struct pv_sched_state *s, uint64_t address, uint64_t bytes) {
  unsigned first = pt_first_at(s, address), end = first;
  while (end < pt_objects(s) && pt_object_at(s, end).address - address < bytes) end++;
  if (end == first) return;
  struct header h = header(s);
  remove_bytes(s, object_offset(s, first), (end - first) * sizeof(struct pt_object));
  h.objects -= end - first;
  set_header(s, h);
}

void pt_orphan(struct pv_sched_state *s, unsigned thread) {
  for (unsigned i = 0; i < pt_objects(s);) {
    struct pt_object o = pt_object_at(s, i);
    if (o.type == PT_RWHOLD && o.holder == thread + 1) {
      struct pt_object gone = o;
      gone.holder = PT_GONE;
      gone.count = 0;
      pt_find(s, o.address, PT_RWHOLD, PT_GONE, &gone);
      gone.count += o.count;
      o.count = 0;
      pt_put(s, &o); /* removes it: the next record is at i now */
      pt_put(s, &gone);
      continue;
    }
    if (o.owner == thread + 1) {
      o.owner = PT_GONE;
      pt_put(s, &o);
    }
    i++;
  }
}

unsigned pt_waiters(const struct pv_sched_state *s, uint64_t object, uint8_t *list) {
  unsigned n = 0;
  for (unsigned i = 0; i < pt_threads(s); i++) {
    struct pt_thread t = pt_thread(s, i);
    if (t.stage != PT_WAITING || t.object != object) continue;
    if (list) list[n] = (uint8_t)i;
    n++;
  }
  return n;
}

unsigned pt_readers(const struct pv_sched_state *s, uint64_t rwlock) {
  unsigned n = 0;
  for (unsigned i = pt_first_at(s, rwlock); i < pt_objects(s); i++) {
    struct pt_object o = pt_object_at(s, i);
    if (o.address != rwlock) break;
    if (o.type == PT_RWHOLD) n += o.count;
  }
  return n;
}
