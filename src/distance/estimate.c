#include "distance/estimate.h"

struct pv_estimate pv_estimate_stack(const struct pv_distance *frames, uint32_t n, uint32_t leave) {
  struct pv_estimate e = PV_ESTIMATE_NONE;
  while (n--) e = pv_estimate_above(frames[n], e, leave);
  return e;
}

uint32_t pv_threads_nearest(const struct pv_estimate *t, uint32_t n) {
  uint32_t least = PV_DISTANCE_NONE;
  for (uint32_t i = 0; i < n; i++) least = pv_distance_min(least, pv_estimate_any(t[i]));
  return least;
}

/* The nearest thread, and the distance of the second nearest. */
struct two {
  uint32_t thread, least, next;
};

static struct two two_least(const struct pv_estimate *t, uint32_t n) {
  struct two r = {PV_DISTANCE_NONE, PV_DISTANCE_NONE, PV_DISTANCE_NONE};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t d = pv_estimate_any(t[i]);
    if (d < r.least)
      r = (struct two){i, d, r.least};
    else
      r.next = pv_distance_min(r.next, d);
  }
  return r;
}

static uint32_t more(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Both targets are reached by one thread; at least one of them through a thread that it creates. */
static uint32_t through_one(struct pv_estimate a, struct pv_estimate b) {
  uint32_t both = more(a.create, b.create);
  return pv_distance_min(both, pv_distance_min(more(a.create, b.error), more(a.error, b.create)));
}

uint32_t pv_threads_two(const struct pv_estimate *a, const struct pv_estimate *b, uint32_t n) {
  struct two x = two_least(a, n), y = two_least(b, n);
  uint32_t least = x.thread != y.thread ? pv_distance_add(x.least, y.least)
                                        : pv_distance_min(pv_distance_add(x.least, y.next),
                                                          pv_distance_add(x.next, y.least));
  for (uint32_t i = 0; i < n; i++) least = pv_distance_min(least, through_one(a[i], b[i]));
  return least;
}

uint32_t pv_threads_all(const struct pv_estimate *t, uint32_t n, uint32_t absent) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum = pv_distance_add(sum, t[i].error == PV_DISTANCE_NONE ? absent : t[i].error);
  return sum;
}
