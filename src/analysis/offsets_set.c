/* offsets_set.c -- targets of pointers, and sets of them. */
#include "analysis/offsets_internal.h"

#include <string.h>

enum { MOST_OFFSETS = 32 }; /* of one object in one set */

/* The number modulo the stride, from 0 on. */
int64_t pv_target_modulo(int64_t n, uint32_t stride) {
  int64_t rest = n % (int64_t)stride;
  return rest < 0 ? rest + stride : rest;
}

struct pv_target pv_target_at(uint32_t object, int64_t offset, uint32_t stride) {
  return (struct pv_target){object, stride, stride ? pv_target_modulo(offset, stride) : offset};
}

struct pv_target pv_target_any(uint32_t object) {
  return (struct pv_target){object, 1, 0};
}

struct pv_target pv_target_moved(struct pv_target t, int64_t by, uint32_t stride) {
  int64_t offset;
  if (__builtin_add_overflow(t.offset, by, &offset)) return pv_target_any(t.object);
  return pv_target_at(t.object, offset, (uint32_t)pv_gcd(t.stride, stride));
}

/* Are all places of b, in the same object, places of a? */
static bool contains(struct pv_target a, struct pv_target b) {
  if (!a.stride) return !b.stride && a.offset == b.offset;
  return b.stride % a.stride == 0 && pv_target_modulo(b.offset - a.offset, a.stride) == 0;
}

/* ---- sets ------------------------------------------------------------------------------------ */
/* The index of the first target of the object, or of a larger one. */
uint32_t pv_targets_find(const pv_targets *s, uint32_t object) {
  uint32_t low = 0, high = s->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->at[middle].object < object)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Replaces the targets in [first, last), of one object, by one that contains them. */
static void coarsen(pv_targets *s, uint32_t first, uint32_t last) {
  struct pv_target t = s->at[first];
  for (uint32_t i = first + 1; i < last; i++) {
    int64_t apart = s->at[i].offset - t.offset;
    if (apart < 0) apart = -apart;
    t.stride = (uint32_t)pv_gcd((uint32_t)pv_gcd(t.stride, s->at[i].stride),
                                apart > INT32_MAX ? 1 : (uint32_t)apart);
  }
  s->at[first] = pv_target_at(t.object, t.offset, t.stride);
  memmove(s->at + first + 1, s->at + last, (s->n - last) * sizeof *s->at);
  s->n -= last - first - 1;
}

/* Returns whether the set grew. */
bool pv_targets_add(pv_targets *s, struct pv_target t) {
  uint32_t first = pv_targets_find(s, t.object), last = first;
  for (; last < s->n && s->at[last].object == t.object; last++)
    if (contains(s->at[last], t)) return false;
  pv_vec_push(s, t);
  memmove(s->at + last + 1, s->at + last, (s->n - 1 - last) * sizeof *s->at);
  s->at[last] = t;
  uint32_t kept = first;
  for (uint32_t i = first; i <= last; i++)
    if (i == last || !contains(t, s->at[i])) s->at[kept++] = s->at[i];
  memmove(s->at + kept, s->at + last + 1, (s->n - last - 1) * sizeof *s->at);
  s->n -= last + 1 - kept;
  if (kept - first > MOST_OFFSETS) coarsen(s, first, kept);
  return true;
}
