/* pthread_symmetry.c -- renumbers the threads in the plug-in's state. Thread numbers occur only as
 * positions of thread records and as owners and holders of objects. */
#include "sched/pthread_internal.h"

#include <stdlib.h>
#include <string.h>

/* A round of the finaliser of MurmurHash3 (Appleby, public domain). */
static uint64_t mix(uint64_t h, uint64_t value) {
  h ^= value;
  h *= 0xff51afd7ed558ccdu;
  return h ^ h >> 33;
}

uint64_t pt_part(const struct pv_sched_state *s, unsigned thread) {
  struct pt_thread t = pt_thread(s, thread);
  uint64_t h = mix(1, (uint64_t)t.status << 16 | (uint64_t)t.detached << 8 |
                          (uint64_t)t.cancelled << 7 | t.stage);
  if (t.object || t.mutex || t.result) h = mix(mix(mix(h, t.object), t.mutex), t.result);
  for (unsigned i = 0; i < pt_objects(s); i++) {
    struct pt_object o = pt_object_at(s, i);
    if (o.owner == thread + 1) h = mix(mix(h, o.address), o.type);
    if (o.holder == thread + 1) h = mix(mix(h, o.address), UINT64_C(1) << 32 | o.count);
  }
  return h;
}

static uint8_t renamed(uint8_t owner, const uint8_t *to) {
  if (owner == PT_NOBODY || owner == PT_GONE) return owner;
  PV_REQUIRE(to[owner - 1] != PV_SCHED_DROP, "an ended thread owns nothing");
  return (uint8_t)(to[owner - 1] + 1);
}

void pt_permute(const struct pv_sched_state *s, const uint8_t *to, struct pv_sched_state *out) {
  pt_init(out, PV_ORDER_CREATION);
  for (unsigned t = 0; t < pt_threads(s); t++) {
    struct pt_thread record = pt_thread(s, t);
    if (t && (record.status == PT_FREE || to[t] == PV_SCHED_DROP)) continue;
    pt_set_thread(out, to[t], &record);
  }
  for (unsigned i = 0; i < pt_objects(s); i++) {
    struct pt_object o = pt_object_at(s, i);
    o.owner = renamed(o.owner, to);
    o.holder = renamed(o.holder, to);
    pt_put(out, &o);
  }
}

/* The number of a detached thread is free when it ends, so it matters which one ends first. */
bool pt_alike(const struct pv_sched_state *s, unsigned a, unsigned b) {
  struct pv_sched_state swapped = {0};
  uint8_t to[PV_MAX_THREADS];
  if (pt_is_detached(s, a) || pt_is_detached(s, b)) return false;
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) to[t] = (uint8_t)(t == a ? b : t == b ? a : t);
  pt_permute(s, to, &swapped);
  bool same = swapped.n == s->n && !memcmp(swapped.data, s->data, s->n);
  free(swapped.data);
  return same;
}

void pt_addresses(const struct pv_sched_state *s, void (*tell)(void *user, uint64_t address),
                  void *user) {
  for (unsigned t = 0; t < pt_threads(s); t++) {
    struct pt_thread record = pt_thread(s, t);
    tell(user, record.object);
    tell(user, record.mutex);
    tell(user, record.result);
  }
  for (unsigned i = 0; i < pt_objects(s); i++) tell(user, pt_object_at(s, i).address);
}
