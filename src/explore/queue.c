#include "explore/queue.h"

#include <stdlib.h>

void pv_queue_push(struct pv_queue *q, struct pv_queued x) {
  pv_vec_push(&q->heap, x);
  uint32_t i = q->heap.n - 1;
  while (i && pv_queued_before(&x, &q->heap.at[(i - 1) / 2])) {
    q->heap.at[i] = q->heap.at[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  q->heap.at[i] = x;
}

struct pv_queued pv_queue_pop(struct pv_queue *q) {
  struct pv_queued first = q->heap.at[0], last = pv_vec_pop(&q->heap);
  uint32_t i = 0, n = q->heap.n;
  for (;;) {
    uint32_t next = 2 * i + 1;
    if (next >= n) break;
    if (next + 1 < n && pv_queued_before(&q->heap.at[next + 1], &q->heap.at[next])) next++;
    if (!pv_queued_before(&q->heap.at[next], &last)) break;
    q->heap.at[i] = q->heap.at[next];
    i = next;
  }
  if (n) q->heap.at[i] = last;
  return first;
}

void pv_queue_free(struct pv_queue *q) {
  pv_vec_free(&q->heap);
}
