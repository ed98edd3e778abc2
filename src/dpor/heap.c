#include "dpor/heap.h"

#include <stdlib.h>

#include "dpor/trace.h"

static bool fit(const struct pv_heap_note *a, const struct pv_heap_note *b) {
  return a->size == b->size && a->mapping == b->mapping && a->frees != b->frees;
}

/* `free` was executed later than `allocation`. Does the allocation come before it in every order?
 * It does if the next event of its thread does: allocations are not events, and it is only known
 * between which events they occur. */
static bool comes_before(const struct pv_heap_note *allocation, const struct pv_heap_note *free,
                         const uint32_t *past) {
  if (allocation->thread == free->thread) return true;
  return past && past[allocation->thread] > allocation->after;
}

static void compare(struct pv_heap_notes *h, const struct pv_heap_note *now, const uint32_t *past) {
  for (uint32_t i = 0; i < h->at.n; i++) {
    const struct pv_heap_note *x = &h->at.at[i];
    if (!fit(x, now)) continue;
    if (now->frees && comes_before(x, now, past)) continue;
    if ((now->frees ? now : x)->unseen) {
      h->unseen = true;
      continue;
    }
    pv_vec_push(&h->back, now->frees ? *x : *now);
    h->behind_end |= (now->frees ? now : x)->behind_end;
  }
}

/* Notes an allocation, or the free of an object to which a pointer may still exist in some order of
 * the events. past: a lower bound of the number of events of each thread that come before it (NULL:
 * not known). */
static void note(struct pv_heap_notes *h, const struct pv_heap_note *what, bool comes_back,
                 const uint32_t *past) {
  if (comes_back) pv_vec_push(&h->back, *what);
  compare(h, what, past);
  pv_vec_push(&h->at, *what);
}

/* ---- steps ----------------------------------------------------------------------------------- */
struct held {
  const struct pv_vm *vm;
  uint32_t object;
};

static bool held_none(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  const struct held *h = user;
  return !pv_vm_held_pointer(h->vm, component, was, n, h->object);
}

/* Eager operations of a thread after the event might also not have been executed. They come before
 * `by` only if the thread's next event does. Main has executed those of the threads that it joined:
 * all of `behind` except `used`. */
static bool goes_on(const struct pv_trace *t, uint32_t event, pv_threads behind, pv_threads used,
                    struct pv_stepping by) {
  behind &= ~PV_THREAD_BIT(by.thread);
  if (!by.thread) behind &= used;
  PV_FOR_THREADS(u, behind) {
    uint32_t n = t->of[u].n;
    while (n && t->of[u].at[n - 1].event > event) n--;
    if (!by.past || by.past->at[u] <= n) return false;
  }
  return true;
}

/* Does everything in the event come before `by`? */
static bool has_all(const struct pv_trace *t, uint32_t event, pv_threads used,
                    struct pv_stepping by) {
  const struct pv_dpor_event *e = &t->events.at[event];
  if (!by.past || by.past->at[e->transition.thread] < e->transition.index) return false;
  return goes_on(t, event, e->hid, used, by);
}

/* Could a pointer to the object have been dropped by an operation that need not come before the
 * current one? */
struct drops {
  bool any, behind_end; /* behind_end: by the end or the join of a thread, which is no event */
};
static struct drops perhaps_dropped(const struct pv_trace *t, const struct pv_heap_event *d,
                                    struct pv_stepping by) {
  struct held h = {t->vm, d->object};
  struct drops drops = {false, false};
  for (uint32_t i = 0; i + 1 < t->events.n; i++) {
    const struct pv_dpor_event *e = &t->events.at[i];
    bool ends = !drops.behind_end && e->held >> d->object % 64 & 1;
    if (ends && !goes_on(t, i, e->eager_threads, d->used, by)) drops.any = drops.behind_end = true;
    if (drops.any || has_all(t, i, d->used, by)) continue;
    drops.any = !pv_journal_visit(&t->journal, e->before, e[1].before, held_none, &h);
  }
  return drops;
}

/* Of the last event of a thread that comes before the free, only its visible operation is known to
 * come before; what the thread did afterwards need not. Did it allocate there while it had a
 * pointer to the object, to which the new address could be compared? */
static bool perhaps_compared(const struct pv_heap_note *allocation, uint32_t object,
                             const struct pv_clock *past) {
  uint32_t last = past ? past->at[allocation->thread] : 0;
  return allocation->after == last && allocation->held >> object % 64 & 1;
}

/* Does no pointer to the object exist, nor would one after only those events that come before?
 * Then there will never be one. *behind_end: if the answer is false, the reason is the end of a
 * thread. */
static bool is_gone(const struct pv_trace *t, const struct pv_heap_event *d, struct pv_stepping by,
                    bool *behind_end) {
  const struct pv_heap_note free = {.size = d->size, .mapping = d->mapping, .frees = true};
  if (d->pointed_to) return false;
  if (!d->shared) return true;
  if (by.eager) return false;
  struct drops drops = perhaps_dropped(t, d, by);
  *behind_end = drops.behind_end;
  if (drops.any) return false;
  for (uint32_t i = 0; i < t->heap.at.n; i++) {
    const struct pv_heap_note *x = &t->heap.at.at[i];
    if (fit(x, &free) && x->thread != d->thread && perhaps_compared(x, d->object, by.past))
      return false;
  }
  return true;
}

/* May a pointer be copied or dropped by statements outside of the slice? Then possibly no pointer
 * to the object exists in the explored orders, although one does in others. */
static bool is_unseen(const struct pv_trace *t) {
  return t->predicate && pv_predicate_lacks_pointers(t->predicate);
}

/* A stack object begins a new lifetime. May a pointer to its previous lifetime exist in some order
 * of the events? Not if none exists, nor would after only those events that come before:
 * docs/dpor.md. */
static void note_again(struct pv_trace *t, const struct pv_heap_event *d, struct pv_stepping by) {
  bool gone = !d->pointed_to && !by.eager && !perhaps_dropped(t, d, by).any;
  if (!gone) pv_vec_push(&t->heap.kept, d->object);
  t->heap.unseen |= gone && is_unseen(t);
  t->comes_back |= t->heap.unseen || !gone;
}

void pv_trace_note_heap(struct pv_trace *t, struct pv_stepping by) {
  uint32_t n;
  const struct pv_heap_event *transitions = pv_vm_heap_events(t->vm, &n);
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_heap_event *d = &transitions[i];
    if (d->again) {
      note_again(t, d, by);
      continue;
    }
    uint32_t after = t->of[d->thread].n - (by.inside && d->thread == by.thread);
    struct pv_heap_note x = {d->size,    d->held,  d->thread, d->span, after,
                             d->mapping, d->frees, false,     false};
    if (d->frees && is_gone(t, d, by, &x.behind_end)) {
      x.unseen = d->shared && is_unseen(t);
      if (!x.unseen) continue;
    }
    note(&t->heap, &x, d->comes_back, by.past ? by.past->at : NULL);
  }
  t->comes_back |= t->heap.unseen;
  if (!t->heap.back.n) return;
  if (!t->task->options->no_reuse) {
    t->comes_back = true;
    return;
  }
  for (; t->heap.back.n; t->heap.back.n--)
    pv_vm_refuse_reuse(t->vm, pv_vec_last(&t->heap.back).span);
}

void pv_trace_forget_heap(struct pv_trace *t) {
  t->heap.back.n = t->heap.kept.n = 0;
  t->heap.behind_end = t->heap.unseen = t->comes_back = false;
}

void pv_trace_let_come_back(struct pv_trace *t) {
  for (uint32_t i = 0; i < t->heap.back.n; i++)
    pv_vm_comes_back(t->vm, t->heap.back.at[i].mapping, t->heap.back.at[i].size);
  bool need = t->heap.back.n || t->heap.unseen;
  if (need && t->predicate) pv_predicate_need_pointers(t->predicate);
  if (t->heap.behind_end) pv_trace_set_eager(t, false);
  for (uint32_t i = 0; i < t->heap.kept.n; i++) pv_vm_keep(t->vm, t->heap.kept.at[i]);
  pv_trace_forget_heap(t);
}

void pv_heap_notes_free(struct pv_heap_notes *h) {
  pv_vec_free(&h->at);
  pv_vec_free(&h->back);
  pv_vec_free(&h->kept);
}
