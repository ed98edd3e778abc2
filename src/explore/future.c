#include "explore/future_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- what an operation touches ----------------------------------------------------------------
 */
static void own(struct pv_touched *t, unsigned thread) {
  t->at[t->n++] = pv_own_end();
  t->thread = thread;
}

static void prim_touched(const struct pv_prim_call *c, struct pv_touched *t) {
  bool on_threads;
  unsigned effects = pv_prim_effects(c->prim->name, &on_threads);
  if (on_threads) {
    t->at[t->n++] = pv_at_threads(effects);
    if (effects & PV_EFF_SPAWN) t->at[t->n++] = pv_piece(c->args[0], 8, PV_EFF_WRITE);
    if ((effects & PV_EFF_JOIN) && c->args[1])
      t->at[t->n++] = pv_piece(c->args[1], 8, PV_EFF_WRITE);
    if (effects & PV_EFF_EXIT) own(t, c->thread);
    return;
  }
  if (c->prim->class == PV_PRIM_LOCAL) return;
  t->unknown = c->prim->class != PV_PRIM_OBJECT;
  if (t->unknown) return;
  for (unsigned i = 0; i < (c->prim->two_objects ? 2u : 1u); i++)
    t->n += pv_sync_touches(c->args[i], effects, t->at + t->n);
  if (c->prim->may_be_cancelled) t->at[t->n++] = pv_at_threads(PV_EFF_CANCELLED);
}

static unsigned access_effects(const struct pv_pending *p) {
  if (pv_only_adds(p->edge)) return PV_EFF_ADD;
  return (p->write ? PV_EFF_WRITE : 0u) | (!p->write || p->atomic ? PV_EFF_READ : 0u);
}

static void find_touched(const struct pv_pending *p, struct pv_touched *t) {
  switch (p->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT: return;
  case PV_PEND_ACCESS: t->at[t->n++] = pv_piece(p->address, p->bytes, access_effects(p)); return;
  case PV_PEND_FREE:
    t->at[t->n++] = pv_at_heap();
    t->at[t->n++] = pv_piece(p->address, p->bytes, PV_EFF_WRITE);
    return;
  case PV_PEND_SCOPE:
    if (p->bytes)
      t->at[t->n++] = pv_piece(p->address, p->bytes, PV_EFF_WRITE);
    else
      own(t, p->thread);
    return;
  case PV_PEND_PRIM: prim_touched(&p->call, t); return;
  case PV_PEND_ALLOC: /* which addresses are reused depends on all existing pointers */
  case PV_PEND_END:
  case PV_PEND_ATOMIC:
  case PV_PEND_NONE: t->unknown = true; return;
  }
}

const struct pv_touched *pv_touched_number(struct pv_future *f, const struct pv_touched *t) {
  bool is_new;
  uint32_t at = *pv_map_put(&f->touched_of, t, sizeof *t, (uint32_t)f->touched.n, &is_new);
  if (!is_new) return f->touched.at[at];
  struct pv_touched *kept = pv_alloc(sizeof *kept);
  *kept = *t;
  kept->id = at;
  pv_vec_push(&f->touched, kept);
  return kept;
}

/* ---- locks ------------------------------------------------------------------------------------
 */
/* The number of the lock; LOCKS: there are too many. */
static unsigned lock_number(struct pv_future *f, const struct pv_prim *prim, uint64_t address) {
  for (unsigned i = 0; i < f->locks; i++)
    if (f->lock[i].address == address && f->lock[i].prim == prim) return i;
  if (f->locks == LOCKS) return LOCKS;
  struct pv_touched release = {.n = 2};
  /* An operation that releases the lock enables it. */
  release.at[0] = pv_piece(address, 1, PV_EFF_LOCK);
  release.at[1] = pv_piece(address, SYNC_BYTES, PV_EFF_READ);
  f->lock[f->locks].address = address;
  f->lock[f->locks].prim = prim;
  f->release[f->locks] = pv_touched_number(f, &release);
  return f->locks++;
}

uint64_t pv_lock_bit(struct pv_future *f, const struct pv_prim *prim, uint64_t address) {
  unsigned n = lock_number(f, prim, address);
  return n == LOCKS ? 0 : UINT64_C(1) << n;
}

bool pv_is_lock(const struct pv_prim *prim) {
  bool on_threads;
  return pv_prim_effects(prim->name, &on_threads) & PV_EFF_LOCK;
}

static struct pv_pending_effects look_at(struct pv_future *f, const struct pv_pending *p) {
  struct pv_touched t = {0};
  find_touched(p, &t);
  struct pv_pending_effects parked = {.touched = pv_touched_number(f, &t)};
  if (p->kind != PV_PEND_PRIM) return parked;
  bool on_threads;
  unsigned effects = pv_prim_effects(p->call.prim->name, &on_threads);
  if (effects & PV_EFF_LOCK) parked.lock = pv_lock_bit(f, p->call.prim, p->call.args[0]);
  parked.joins = effects & PV_EFF_JOIN;
  parked.ends = effects & PV_EFF_EXIT;
  parked.gives = effects & (PV_EFF_UNLOCK | PV_EFF_EXIT);
  return parked;
}

struct pv_pending_effects pv_future_parked(struct pv_future *f, const struct pv_pending *p) {
  uint32_t slot = pv_hash_pair((uintptr_t)p, 0) % PARKED;
  if (f->parked[slot].pending != p) {
    f->parked[slot].is = look_at(f, p);
    f->parked[slot].pending = p;
  }
  return f->parked[slot].is;
}

uint64_t pv_future_closed(struct pv_future *f) {
  uint32_t head = f->space->tuple.head, slot = head % CLOSED;
  if (f->closed[slot].head == head && f->closed[slot].locks == f->locks)
    return f->closed[slot].closed;
  const struct pv_sched_state *state = pv_vm_sched_state(f->space->vm);
  uint64_t closed = 0;
  for (unsigned i = 0; i < f->locks; i++) {
    struct pv_prim_call call = {.prim = f->lock[i].prim, .args = {f->lock[i].address}};
    if (f->sched->closed(state, &call)) closed |= UINT64_C(1) << i;
  }
  f->closed[slot].head = head;
  f->closed[slot].locks = f->locks;
  return f->closed[slot].closed = closed;
}

/* ---- frames and stacks ------------------------------------------------------------------------
 */
static const struct summary *frame_summary(struct pv_future *f, unsigned thread, uint32_t depth) {
  struct pv_vm *vm = f->space->vm;
  uint32_t function;
  pv_loc loc;
  pv_space_load(f->space);
  pv_vm_frame(vm, thread, depth, &function, &loc);
  const struct pv_function *fn = &f->p->functions.at[function];
  const struct code_region *s = pv_find_code_region(f, function, loc);
  struct value *var = pv_alloc((fn->vars.n + 1) * sizeof *var);
  struct value *slot = pv_alloc((fn->slots.n + 1) * sizeof *slot);
  for (uint32_t i = 0; i < s->vars.n; i++)
    var[s->vars.at[i]] = pv_known(pv_vm_frame_variable(vm, thread, depth, s->vars.at[i]));
  for (uint32_t i = 0; i < s->slots.n; i++) {
    uint64_t at = pv_vm_frame_slot(vm, thread, depth, s->slots.at[i]);
    slot[s->slots.at[i]] = at ? pv_known(at) : (struct value){.kind = OWN};
  }
  /* The call whose results are still awaited. */
  const struct pv_edge *call = pv_vm_frame_call(vm, thread, depth);
  for (uint32_t i = 0; call && i < call->dsts.n; i++)
    if (pv_arg(f->p, call->dsts, i) != PV_NO_VAR)
      var[pv_arg(f->p, call->dsts, i)] = (struct value){0};
  const struct summary *d = pv_summary_at(f, function, loc, var, slot, 0);
  free(var);
  free(slot);
  return d;
}

static uint32_t stack_future(struct pv_future *f, const uint32_t *numbers, uint32_t n) {
  bool is_new = false;
  uint32_t at = 0;
  if (f->futures.n < KNOWN_MAX)
    at = *pv_map_put(&f->stack_of, numbers, n * sizeof *numbers, f->futures.n, &is_new);
  if (!is_new) return at;
  struct summary *d = pv_alloc(sizeof *d);
  for (uint32_t i = 0; i < n && d->guards != ALL_GUARDS && d->at.n <= TOUCHES_MAX; i++) {
    const struct summary *more = f->summary.at[numbers[i]];
    pv_summary_add(d, more, d->guards);
    d->guards |= more->guards;
  }
  if (d->at.n > TOUCHES_MAX) pv_summary_anything(d);
  pv_vec_push(&f->futures, d);
  return at;
}

uint32_t pv_future_of(struct pv_future *f, unsigned thread) {
  const struct pv_space *space = f->space;
  uint32_t depth = space->depth[thread];
  bool same = f->last[thread].leaves.n == depth;
  f->last[thread].leaves.n = depth;
  pv_vec_reserve(&f->last[thread].leaves, depth);
  for (uint32_t i = 0; i < depth; i++) {
    uint32_t leaf = pv_space_leaf(space, pv_vm_frame_component(space->vm, thread, i));
    same = same && f->last[thread].leaves.at[i] == leaf;
    f->last[thread].leaves.at[i] = leaf;
  }
  if (same) return f->last[thread].future;
  PV_VEC(uint32_t) numbers = {0};
  for (uint32_t i = depth; i-- > 0;) {
    uint64_t key = (uint64_t)f->last[thread].leaves.at[i] << 8 | thread << 1 | (i + 1 < depth);
    uint32_t slot = pv_hash_pair(key, 1) % FRAMES;
    if (f->frames[slot].frame != key) {
      f->frames[slot].summary = frame_summary(f, thread, i);
      f->frames[slot].frame = key;
    }
    pv_vec_push(&numbers, f->frames[slot].summary->number);
    if (f->frames[slot].summary->guards == ALL_GUARDS) break; /* frames below are never reached */
  }
  f->last[thread].future = stack_future(f, numbers.at, numbers.n);
  pv_vec_free(&numbers);
  return f->last[thread].future;
}

/* ---- questions --------------------------------------------------------------------------------
 */
static bool ends_with(const struct pv_future *f, uint64_t address, unsigned thread) {
  uint32_t object = pv_vm_object(f->space->vm, address);
  return object != UINT32_MAX && pv_vm_object_thread(f->space->vm, object) == thread;
}

/* May an operation of one thread and one of another access a common place? */
static bool meet(const struct pv_future *f, const struct pv_touch *t, unsigned mine,
                 const struct pv_touch *o, unsigned other) {
  if (t->own && o->own) return false;
  if (t->own) return o->high - o->low == PV_MEMORY_END || ends_with(f, o->low, mine);
  if (o->own) return ends_with(f, t->low, other);
  return t->low < o->high && o->low < t->high;
}

/* Do the operations depend on each other? Additions commute, except on overlapping parts of an
 * object. */
static bool matters(const struct pv_touch *t, const struct pv_touch *o, bool enabling) {
  unsigned wanted = enabling ? pv_effects_enabling(t->effects) : pv_effects_conflicting(t->effects);
  if (o->effects & wanted) return true;
  return !enabling && (t->effects & o->effects & PV_EFF_ADD) &&
         (t->low != o->low || t->high != o->high);
}

static void add_guards(struct answer *a, uint64_t guards) {
  for (unsigned i = 0; i < a->n; i++)
    if ((a->guards[i] & guards) == a->guards[i]) return;
  for (unsigned i = 0; i < a->n; i++)
    if ((a->guards[i] & guards) == guards) {
      a->guards[i] = guards;
      return;
    }
  if (a->n < GUARD_SETS)
    a->guards[a->n++] = guards;
  else
    a->guards[GUARD_SETS - 1] &= guards;
}

static const struct answer *ask(struct pv_future *f, unsigned thread, uint32_t future,
                                const struct pv_touched *t, bool enabling) {
  uint32_t key = t->id << 1 | enabling;
  struct answer *a = &f->answers[pv_hash_pair((uint64_t)future << 32 | key, thread + 2) % ANSWERS];
  if (a->touched == key && a->future == future + 1 && a->thread == thread) return a;
  *a = (struct answer){.future = future + 1, .touched = key, .thread = (uint8_t)thread};
  const struct summary *d = f->futures.at[future];
  for (uint32_t i = 0; i < d->at.n; i++)
    for (uint32_t k = 0; k < t->n; k++)
      if (meet(f, &t->at[k], t->thread, &d->at.at[i], thread) &&
          matters(&t->at[k], &d->at.at[i], enabling))
        add_guards(a, d->at.at[i].guards);
  return a;
}

bool pv_future_meets(struct pv_future *f, unsigned thread, uint32_t future,
                     const struct pv_touched *t, bool enabling, uint64_t closed) {
  const struct answer *a = ask(f, thread, future, t, enabling);
  for (unsigned i = 0; i < a->n; i++)
    if (!(a->guards[i] & closed)) return true;
  return false;
}

static void add_opening(struct pv_openings *o, uint64_t guards, uint64_t lock) {
  for (unsigned i = 0; i < o->n; i++)
    if (o->at[i].guards == guards) {
      o->at[i].opens |= lock;
      return;
    }
  if (o->n < PV_OPENINGS) {
    o->at[o->n].guards = guards;
    o->at[o->n++].opens = lock;
    return;
  }
  o->at[PV_OPENINGS - 1].guards &= guards;
  o->at[PV_OPENINGS - 1].opens |= lock;
}

const struct pv_openings *pv_future_openings(struct pv_future *f, unsigned thread,
                                             uint32_t future) {
  struct opening *o = &f->openings[(future * 64 + thread) % FRAMES];
  if (o->future == future + 1 && o->thread == thread && o->locks == f->locks) return &o->is;
  *o = (struct opening){.future = future + 1, .thread = thread, .locks = f->locks};
  for (unsigned lock = 0; lock < f->locks; lock++) {
    const struct answer *a = ask(f, thread, future, f->release[lock], true);
    for (unsigned i = 0; i < a->n; i++) add_opening(&o->is, a->guards[i], UINT64_C(1) << lock);
  }
  return &o->is;
}

/* ---- life -------------------------------------------------------------------------------------
 */
struct pv_future *pv_future_new(struct pv_space *space, const struct pv_program *p,
                                const struct pv_sched *sched) {
  struct pv_future *f = pv_alloc(sizeof *f);
  f->space = space;
  f->p = p;
  f->sched = sched;
  f->parked = pv_alloc(PARKED * sizeof *f->parked);
  f->frames = pv_alloc(FRAMES * sizeof *f->frames);
  f->answers = pv_alloc(ANSWERS * sizeof *f->answers);
  f->openings = pv_alloc(FRAMES * sizeof *f->openings);
  f->closed = pv_alloc(CLOSED * sizeof *f->closed);
  f->thread_main = PV_NO_FUNC;
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (strcmp(p->functions.at[i].name, "__proviso_thread_main") == 0) f->thread_main = i;
  struct pv_points_to_options options = pv_points_to_defaults(p);
  options.steps = STEPS_MAX;
  f->points_to = pv_points_to_new(p, &options);
  f->callees = pv_alloc((p->functions.n + 1) * sizeof *f->callees);
  struct summary *all = pv_alloc(sizeof *all), *none = pv_alloc(sizeof *none);
  pv_summary_anything(all);
  none->number = NOTHING;
  none->guards = ALL_GUARDS; /* the path ends there */
  pv_vec_push(&f->summary, all);
  pv_vec_push(&f->summary, none);
  stack_future(f, &all->number, 1); /* includes ANYTHING */
  return f;
}

static void free_events(struct summary *d) {
  pv_vec_free(&d->at);
  free(d);
}

void pv_future_free(struct pv_future *f) {
  if (!f) return;
  for (uint32_t i = 0; i < f->code_regions.n; i++) {
    pv_vec_free(&f->code_regions.at[i]->edges);
    pv_vec_free(&f->code_regions.at[i]->vars);
    pv_vec_free(&f->code_regions.at[i]->slots);
    free(f->code_regions.at[i]);
  }
  for (uint32_t i = 0; i < f->summary.n; i++) free_events(f->summary.at[i]);
  for (uint32_t i = 0; i < f->futures.n; i++) free_events(f->futures.at[i]);
  for (uint32_t i = 0; i < f->touched.n; i++) free(f->touched.at[i]);
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) pv_vec_free(&f->last[t].leaves);
  pv_points_to_free(f->points_to);
  free(f->callees);
  pv_vec_free(&f->code_regions);
  pv_vec_free(&f->summary);
  pv_vec_free(&f->futures);
  pv_vec_free(&f->touched);
  pv_map_free(&f->code_region_of);
  pv_map_free(&f->summary_of);
  pv_map_free(&f->stack_of);
  pv_map_free(&f->touched_of);
  free(f->parked);
  free(f->frames);
  free(f->answers);
  free(f->openings);
  free(f->closed);
  free(f);
}
