#include "dpor/path.h"

/* Does what the trace did, in a machine of its own, operation by operation. */
struct follow {
  const struct pv_trace *trace;
  struct pv_vm *vm;
  pv_choices *out;
  pv_threads others[PV_MAX_THREADS]; /* alive when the thread parked */
  pv_threads known;                  /* threads that there have been */
};

/* While one thread is alone, a machine that is not attended goes on to the next choice that has
 * several ways (vm.h), and what it was not parked at is none. */
static bool step(struct follow *f, unsigned thread, unsigned way) {
  struct pv_pending p;
  struct pv_choice c = {thread, way};
  pv_vm_pending(f->vm, thread, &p);
  bool parks = p.kind == PV_PEND_LOCAL || p.kind == PV_PEND_INPUT || p.progress > 1;
  if (f->others[thread] || parks || !f->out->n) pv_vec_push(f->out, c);
  bool ran = pv_vm_step(f->vm, thread, way) == PV_RAN;
  f->others[thread] = pv_vm_alive_set(f->vm) & ~PV_THREAD_BIT(thread);
  return ran;
}

static bool is_hidden(const struct follow *f, unsigned thread) {
  struct pv_pending p;
  if (!pv_vm_is_alive(f->vm, thread)) return false;
  pv_vm_pending(f->vm, thread, &p);
  bool may_park = p.kind == PV_PEND_ATOMIC || p.kind == PV_PEND_END || p.kind == PV_PEND_INPUT;
  return !may_park && p.kind != PV_PEND_NONE && !pv_predicate_matters(f->trace->predicate, &p) &&
         p.ways == 1 && p.progress == 1;
}

/* The thread, and before it the threads that it creates, up to what is not hidden. */
static bool go_on(struct follow *f, unsigned thread) {
  for (;;) {
    pv_threads now = pv_vm_alive_set(f->vm), created = now & ~f->known;
    f->known |= now;
    PV_FOR_THREADS(i, created) {
      f->others[i] = now & ~PV_THREAD_BIT(i);
      if (!go_on(f, i)) return false;
    }
    if (!is_hidden(f, thread)) return true;
    if (!step(f, thread, 0)) return false;
  }
}

void pv_dpor_path(const struct pv_trace *t, pv_choices *out) {
  struct pv_condition none = {0};
  struct follow f = {.trace = t, .vm = pv_vm_new(t->task, t->sched, &none), .out = out};
  out->n = 0;
  pv_vm_start(f.vm);
  f.known = pv_vm_alive_set(f.vm);
  for (uint32_t i = 0; i < t->events.n; i++) {
    const struct pv_deed *d = &t->events.at[i].deed;
    pv_vm_attend(f.vm, t->fronts.at[i].attended);
    bool runs = step(&f, d->thread, d->way) && go_on(&f, d->thread);
    for (uint32_t k = 1; runs && k < t->events.at[i].steps; k++)
      runs = step(&f, d->thread, 0) && go_on(&f, d->thread);
    if (!runs) break;
  }
  pv_vm_free(f.vm);
  pv_condition_clear(&none);
}
