/* pthread_state.c -- the bytes of the plug-in's state. A store contains millions of them, so
 * they are packed: a header, one byte for each thread slot, the details of threads that have
 * any, the objects. Everything is accessed with memcpy, because an engine may store `data` at
 * any alignment. */
#include "sched/pthread_internal.h"

#include <assert.h>
#include <string.h>

struct header {
  uint32_t objects;
  uint8_t threads, details, zero[2];
};
/* Flags in a thread's byte. */
enum { DETACHED = 1 << 2, STAGE = 3, STAGES = 7, MAY_LEAVE = 1 << 6, CANCELLED = 1 << 7 };
struct detail { /* of a thread that waits inside of a primitive or has left a result */
  uint64_t object, mutex, result;
};
enum { DETAIL = 1 + sizeof(struct detail) /* preceded by the thread's number */ };
struct packed {
  uint64_t address;
  uint8_t kind, flags, owner, holder; /* kind: type, sub << 4 */
  uint32_t count;
};
_Static_assert(sizeof(struct packed) == 16, "no hidden padding");
_Static_assert(PV_MAX_THREADS < 256 && PT_TYPE_COUNT <= 16, "they fit");

static struct header header(const struct pv_sched_state *s) {
  struct header h;
  memcpy(&h, s->data, sizeof h);
  return h;
}

static void set_header(struct pv_sched_state *s, struct header h) {
  memcpy(s->data, &h, sizeof h);
  s->dirty = true;
}

static size_t detail_offset(struct header h, unsigned index) {
  return sizeof h + h.threads + (size_t)index * DETAIL;
}

static size_t object_offset(struct header h, unsigned index) {
  return detail_offset(h, h.details) + (size_t)index * sizeof(struct packed);
}

/* Inserts or removes bytes; inserted ones are zero. */
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

void pt_init(struct pv_sched_state *s, enum pv_sched_order order) {
  (void)order;
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

/* ---- threads --------------------------------------------------------------------------------- */
/* The index of the first details of `thread` or of a later thread. */
static unsigned first_detail(const struct pv_sched_state *s, struct header h, unsigned thread) {
  unsigned i = 0;
  while (i < h.details && s->data[detail_offset(h, i)] < thread) i++;
  return i;
}

static bool has_detail(const struct pv_sched_state *s, struct header h, unsigned i,
                       unsigned thread) {
  return i < h.details && s->data[detail_offset(h, i)] == thread;
}

struct pt_thread pt_thread(const struct pv_sched_state *s, unsigned thread) {
  struct pt_thread t = {0};
  struct header h = header(s);
  if (thread >= h.threads) return t;
  uint8_t byte = s->data[sizeof h + thread];
  t.status = byte & 3;
  t.detached = (byte & DETACHED) != 0;
  t.stage = byte >> STAGE & STAGES;
  t.may_leave = (byte & MAY_LEAVE) != 0;
  t.cancelled = (byte & CANCELLED) != 0;
  unsigned i = h.details ? first_detail(s, h, thread) : 0;
  if (!has_detail(s, h, i, thread)) return t;
  struct detail d;
  memcpy(&d, s->data + detail_offset(h, i) + 1, sizeof d);
  t.object = d.object;
  t.mutex = d.mutex;
  t.result = d.result;
  return t;
}

enum pt_status pt_status(const struct pv_sched_state *s, unsigned thread) {
  return thread < header(s).threads ? s->data[sizeof(struct header) + thread] & 3 : PT_FREE;
}

bool pt_is_detached(const struct pv_sched_state *s, unsigned thread) {
  return thread < header(s).threads && (s->data[sizeof(struct header) + thread] & DETACHED);
}

bool pt_is_cancelled(const struct pv_sched_state *s, unsigned thread) {
  return thread < header(s).threads && (s->data[sizeof(struct header) + thread] & CANCELLED);
}

bool pt_anything_but_status(const struct pv_sched_state *s) {
  return header(s).details;
}

unsigned pt_stage(const struct pv_sched_state *s, unsigned thread) {
  return s->data[sizeof(struct header) + thread] >> STAGE & STAGES;
}

/* Which of eight consecutive threads are alive: bit i is the i-th. (The first byte is the lowest
 * one of the number, as everywhere in the VM.) */
static uint64_t eight_alive(const uint8_t *bytes) {
  _Static_assert(PT_ALIVE == 1, "the lower one of the two bits, and not the other");
  uint64_t b;
  memcpy(&b, bytes, sizeof b);
  b &= ~(b >> 1) & UINT64_C(0x0101010101010101);
  return b * UINT64_C(0x0102040810204080) >> 56; /* moves the lowest bit of byte i to bit i */
}

uint64_t pt_alive_set(const struct pv_sched_state *s) {
  uint64_t set = 0;
  struct header h = header(s);
  unsigned t = 0;
  for (; t + 8 <= h.threads; t += 8) set |= eight_alive(s->data + sizeof h + t) << t;
  for (; t < h.threads; t++) set |= (uint64_t)((s->data[sizeof h + t] & 3) == PT_ALIVE) << t;
  return set;
}

uint64_t pt_used_set(const struct pv_sched_state *s) {
  uint64_t set = 0;
  struct header h = header(s);
  for (unsigned t = 0; t < h.threads; t++)
    if ((s->data[sizeof h + t] & 3) != PT_FREE) set |= UINT64_C(1) << t;
  return set;
}

static void set_detail(struct pv_sched_state *s, struct header *h, unsigned thread,
                       const struct pt_thread *t) {
  struct detail d = {t->object, t->mutex, t->result};
  unsigned i = first_detail(s, *h, thread);
  bool wanted = d.object || d.mutex || d.result, there = has_detail(s, *h, i, thread);
  if (there && !wanted) {
    remove_bytes(s, detail_offset(*h, i), DETAIL);
    h->details--;
  } else if (wanted && !there) {
    insert_bytes(s, detail_offset(*h, i), DETAIL);
    h->details++;
  }
  if (!wanted) return;
  s->data[detail_offset(*h, i)] = (uint8_t)thread;
  memcpy(s->data + detail_offset(*h, i) + 1, &d, sizeof d);
}

void pt_set_thread(struct pv_sched_state *s, unsigned thread, const struct pt_thread *t) {
  assert(thread < PV_MAX_THREADS);
  struct header h = header(s);
  while (h.threads <= thread) {
    insert_bytes(s, sizeof h + h.threads, 1);
    h.threads++;
  }
  s->data[sizeof h + thread] =
      (uint8_t)(t->status | (t->detached ? DETACHED : 0) | t->stage << STAGE |
                (t->may_leave ? MAY_LEAVE : 0) | (t->cancelled ? CANCELLED : 0));
  set_detail(s, &h, thread, t);
  while (h.threads > 1 && (s->data[sizeof h + h.threads - 1] & 3) == PT_FREE) {
    h.threads--;
    remove_bytes(s, sizeof h + h.threads, 1);
  }
  set_header(s, h);
}

/* ---- objects --------------------------------------------------------------------------------- */
static struct pt_object unpack(const uint8_t *at) {
  struct packed p;
  memcpy(&p, at, sizeof p);
  return (struct pt_object){.address = p.address,
                            .type = p.kind & 15,
                            .sub = p.kind >> 4,
                            .flags = p.flags,
                            .owner = p.owner,
                            .holder = p.holder,
                            .count = p.count};
}

static void pack(const struct pt_object *o, uint8_t *at) {
  struct packed p = {o->address, (uint8_t)(o->type | o->sub << 4), o->flags, o->owner, o->holder,
                     o->count};
  memcpy(at, &p, sizeof p);
}

struct pt_object pt_object_at(const struct pv_sched_state *s, unsigned index) {
  return unpack(s->data + object_offset(header(s), index));
}

/* The order of records, first by address. */
static int compare(const struct pt_object *a, uint64_t address, unsigned type, unsigned holder) {
  if (a->address != address) return a->address < address ? -1 : 1;
  if (a->type != type) return a->type < type ? -1 : 1;
  if (a->holder != holder) return a->holder < holder ? -1 : 1;
  return 0;
}

static unsigned lower_bound(const struct pv_sched_state *s, uint64_t address, unsigned type,
                            unsigned holder) {
  struct header h = header(s);
  const uint8_t *objects = s->data + object_offset(h, 0);
  unsigned low = 0, high = h.objects;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    const uint8_t *at = objects + (size_t)middle * sizeof(struct packed);
    uint64_t here;
    memcpy(&here, at, sizeof here);
    int order = here < address ? -1 : here > address;
    if (!order) {
      struct pt_object o = unpack(at);
      order = compare(&o, address, type, holder);
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

unsigned pt_first_at(const struct pv_sched_state *s, uint64_t address) {
  return lower_bound(s, address, 0, 0);
}

bool pt_refers(const struct pv_sched_state *s, uint64_t base, uint64_t size) {
  struct header h = header(s);
  for (unsigned i = 0; i < h.details; i++) {
    struct detail d;
    memcpy(&d, s->data + detail_offset(h, i) + 1, sizeof d);
    if (d.object - base < size || d.mutex - base < size || d.result - base < size) return true;
  }
  unsigned i = pt_first_at(s, base);
  return i < h.objects && pt_object_at(s, i).address - base < size;
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

/* Does the record contain nothing beyond the memory of a statically initialised object? That memory
 * contains the kind of a mutex. */
static bool says_nothing(const struct pt_object *o) {
  if (o->flags || o->owner || o->count) return false;
  return o->type != PT_ONCE || o->sub == PT_ONCE_NEW;
}

void pt_put(struct pv_sched_state *s, const struct pt_object *o) {
  unsigned i = lower_bound(s, o->address, o->type, o->holder);
  struct header h = header(s);
  struct pt_object there = {0};
  bool found = i < h.objects;
  if (found) there = pt_object_at(s, i);
  found = found && compare(&there, o->address, o->type, o->holder) == 0;
  size_t at = object_offset(h, i);
  if (says_nothing(o)) {
    if (!found) return;
    remove_bytes(s, at, sizeof(struct packed));
    h.objects--;
  } else {
    if (found && memcmp(&there, o, sizeof there) == 0) return;
    if (!found) {
      insert_bytes(s, at, sizeof(struct packed));
      h.objects++;
    }
    pack(o, s->data + at);
  }
  set_header(s, h);
}

void pt_remove_range(struct pv_sched_state *s, uint64_t address, uint64_t bytes) {
  unsigned first = pt_first_at(s, address), end = first;
  while (end < pt_objects(s) && pt_object_at(s, end).address - address < bytes) end++;
  if (end == first) return;
  struct header h = header(s);
  remove_bytes(s, object_offset(h, first), (end - first) * sizeof(struct packed));
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
      pt_put(s, &o); /* removes the record, so the next one is at i now */
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
