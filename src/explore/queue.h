/* queue.h -- the open list of a best-first search: a binary heap of states, ordered by a key and a
 * secondary key. Of equal entries the state found last comes first. Twelve bytes per entry. */
#ifndef PV_QUEUE_H
#define PV_QUEUE_H

#include "base/base.h"

struct pv_queued {
  uint32_t key, tie; /* the smaller comes first */
  uint32_t state;    /* the larger comes first */
};
struct pv_queue { /* zero-initialised it is empty */
  PV_VEC(struct pv_queued) heap;
};

/* Is a dequeued before b? */
static inline bool pv_queued_before(const struct pv_queued *a, const struct pv_queued *b) {
  if (a->key != b->key) return a->key < b->key;
  if (a->tie != b->tie) return a->tie < b->tie;
  return a->state > b->state;
}
/* Both O(log n). */
void pv_queue_push(struct pv_queue *q, struct pv_queued x);
struct pv_queued pv_queue_pop(struct pv_queue *q); /* not empty */
static inline uint32_t pv_queue_size(const struct pv_queue *q) {
  return q->heap.n;
}
static inline const struct pv_queued *pv_queue_first(const struct pv_queue *q) { /* not empty */
  return &q->heap.at[0];
}
void pv_queue_free(struct pv_queue *q);

#endif
