#include "esst/reduction.h"

#include <stdlib.h>
#include <string.h>

#include "cpa/future_effects.h"
#include "cpa/scheduler.h"
#include "esst/symmetry.h"

/* MOST: a bound on the moves that are followed in one block; a longer one depends on everything.
 * THREADS: candidates of one choice. */
enum { MOST = 600, THREADS = 56 };

/* For measurements only (fuzz/esst.py --printed): the paper's rules, which lose errors. Coverage
 * ignores sleep sets, and a thread that goes first and is asleep ends the path. */
#ifdef PROVISO_POR_AS_PRINTED
enum { AS_PRINTED = true };
#else
enum { AS_PRINTED = false };
#endif

/* A load or store whose address is known. */
struct access {
  uint64_t address, bytes, writes; /* without padding, because they are compared as bytes */
};

/* What a block may do, from one abstract state. */
struct block {
  uint32_t thread;
  bool unknown;     /* it may do anything, or not come to an end */
  bool blocked;     /* it cannot begin: the scheduler does not choose it */
  bool spurious;    /* it may begin with a spurious wake-up, which does not end a deadlock */
  bool may_end;     /* the run may end in it: an error, an assumption, the end of the program */
  bool waits_early; /* it calls nothing that others can notice, and waits in the end */
  bool keeps_turns; /* so do all its calls, in the sense of sched.h */
  uint16_t *memory; /* a table of effects (future_effects.h) */
  uint16_t *rest;   /* that of all but `accesses` */
  PV_VEC(struct access) accesses;
  PV_VEC(struct pv_prim_call) calls;
};

struct pv_reduction {
  struct pv_analysis analysis;
  struct pv_control *control;
  struct pv_future_effects *effects;
  struct pv_esst_symmetry *symmetry; /* or NULL */
  const struct pv_program *program;
  const struct pv_sched *sched;
  struct pv_composite_parts parts;
  uint32_t own; /* the number of the sleep sets in the composition */
  uint32_t words;
  /* May threads begin anew, and what may they do then? */
  bool restarts;
  pv_effect_table restarted;
  bool sleep, persistent, finds_deadlocks;
  bool looking; /* ahead: all moves are wanted */
  struct block blocks[THREADS];
  struct pv_pool pool;
  struct pv_map index; /* struct sleep -> number in `sets` */
  PV_VEC(const struct sleep *) sets;
  struct pv_reduction_stats stats;
};

/* ---- sleep sets --------------------------------------------------------------------------------
 */

/* Threads that need not run next. Those asleep may stay so in successors. Others are left out
 * because another node has them examined. */
struct sleep {
  uint64_t asleep, left_out;
};

static const struct sleep *state_of(struct pv_reduction *r, uint64_t asleep, uint64_t left_out) {
  struct sleep set = {asleep, left_out};
  bool is_new;
  uint32_t at = *pv_map_put(&r->index, &set, sizeof set, r->sets.n, &is_new);
  if (!is_new) return r->sets.at[at];
  struct sleep *kept = pv_pool_alloc(&r->pool, sizeof *kept);
  *kept = set;
  pv_vec_push(&r->sets, kept);
  return kept;
}

static const void *initial(void *self) {
  return state_of(self, 0, 0);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_reduction *r = self;
  out->state = state;
  if (pv_control_is_switch(r->control, move->to)) out->state = state_of(r, move->asleep, 0);
}

/* What a state leaves out, everything that it covers must be allowed to leave out. */
static bool covers(void *self, const void *fresh, const void *reached) {
  const struct sleep *x = fresh, *y = reached;
  (void)self;
  return AS_PRINTED || !((y->asleep & ~x->asleep) | (y->left_out & ~(x->asleep | x->left_out)));
}

static uint64_t left_out(void *self, const void *state, bool *twin) {
  const struct sleep *x = state;
  (void)self;
  *twin = x->left_out != 0;
  return x->asleep | x->left_out;
}

/* Where only threads that sleep in `reached` are awake in `fresh`, these are left (Godefroid, LNCS
 * 1032, section 5.2, for states that are met again). */
static const void *rest(void *self, const void *fresh, const void *reached) {
  const struct sleep *x = fresh, *y = reached;
  uint64_t needed = y->asleep & ~x->asleep;
  if (y->left_out || needed & x->left_out || x->left_out == ~needed) return NULL;
  return state_of(self, x->asleep, ~needed);
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static uint32_t thread_of(const struct pv_reduction *r, const struct pv_move *m) {
  return pv_control_frame(r->control, m->to.frame)->thread;
}

static bool goes_on(const struct pv_move *m) {
  return m->kind == PV_MOVE_STEP || m->kind == PV_MOVE_CALL || m->kind == PV_MOVE_RETURN;
}

/* The states of all parts after the move. Returns false if it is impossible. */
static bool follow(struct pv_reduction *r, struct block *b, const struct pv_composite *from,
                   const struct pv_move *m, struct pv_composite *to) {
  *to = *from;
  to->at = m->to;
  for (uint32_t i = 0; i < r->parts.n; i++) {
    const struct pv_analysis *a = r->parts.at[i];
    struct pv_post post = {0};
    a->transfer(a->self, from->part[i], m, &post);
    b->may_end |= post.n_events > 0;
    /* Another order may go beyond what a given condition says is verified. */
    b->unknown |= a->excludes && !post.state;
    if (!post.state && goes_on(m)) return false;
    to->part[i] = post.state;
  }
  return true;
}

static void add_call(struct pv_reduction *r, struct block *b, const struct pv_move *m,
                     const struct pv_executed *x) {
  const struct pv_edge *e = pv_move_edge(r->control, m);
  struct pv_prim_call call = {.thread = b->thread, .prim = r->program->prims.at[e->aux].prim};
  for (uint32_t i = 0; i < PV_CALL_ARGUMENTS; i++)
    if (x->wanted >> i & 1) call.args[i] = x->values.lo[i];
  if (call.prim->class == PV_PRIM_LOCAL) return;
  b->waits_early &= r->sched->waits_early && r->sched->waits_early(&call);
  b->keeps_turns &= r->sched->keeps_turns && r->sched->keeps_turns(&call);
  pv_vec_push(&b->calls, call);
}

/* Is the edge a load or store with an address that is known in the state, so that it concerns
 * one object? Then adds the access. */
static bool add_access(struct pv_reduction *r, struct block *b, const struct pv_composite *from,
                       const struct pv_move *m, const struct pv_edge *e) {
  struct access x = {0, pv_type_bytes(e->type), e->op == PV_OP_STORE};
  if (e->op != PV_OP_LOAD && e->op != PV_OP_STORE) return false;
  const struct pv_pred *state = from->part[r->parts.part];
  if (!pv_symbolic_accessed(r->parts.context->symbolic, state->sym, m, &x.address)) return false;
  for (uint32_t i = 0; i < b->accesses.n; i++)
    if (!memcmp(&b->accesses.at[i], &x, sizeof x)) return true;
  pv_vec_push(&b->accesses, x);
  return true;
}

/* Adds what one move does from the state. Returns true if the block goes on after it. */
static bool add_move(struct pv_reduction *r, struct block *b, const struct pv_composite *from,
                     const struct pv_move *m) {
  const struct pv_executed *x = pv_control_executed(r->control, m);
  b->unknown |= m->kind == PV_MOVE_CUT || m->kind == PV_MOVE_NOWHERE;
  if (x) {
    b->unknown |= x->rest || x->outcome == PV_PRIM_LIMIT || x->outcome == PV_PRIM_MISUSE;
    add_call(r, b, m, x);
    b->spurious |= x->spurious;
    b->waits_early &= x->outcome != PV_PRIM_EXITED;
    if (!pv_control_preempts(r->control)) return x->outcome == PV_PRIM_DONE && goes_on(m);
  }
  b->unknown |= !x && pv_move_edge(r->control, m)->op == PV_OP_PRIM;
  b->may_end |= !goes_on(m);
  uint32_t function = pv_control_frame(r->control, m->frame)->function;
  pv_effect_table now = pv_future_effects_of_edge(r->effects, function, m->edge);
  uint16_t any = 0;
  for (uint32_t i = 0; i < r->words; i++) {
    b->memory[i] |= now[i];
    any |= now[i];
  }
  if (any && !add_access(r, b, from, m, pv_move_edge(r->control, m)))
    for (uint32_t i = 0; i < r->words; i++) b->rest[i] |= now[i];
  bool yields = pv_control_preempts(r->control) && pv_control_is_switch(r->control, m->to);
  return goes_on(m) && !yields && (!x || x->outcome == PV_PRIM_DONE);
}

/* Do the moves differ at most in whom the scheduler chooses after them? */
static bool same_step(const struct pv_move *a, const struct pv_move *b) {
  return a->frame == b->frame && a->edge == b->edge && a->alternative == b->alternative &&
         a->other == b->other;
}

/* Finds out what the block may do that begins with the choice `m`. */
static void look(struct pv_reduction *r, const struct pv_composite *from, const struct pv_move *m,
                 struct block *b) {
  PV_VEC(struct pv_composite) todo = {0};
  pv_moves moves = {0};
  struct pv_composite here, next;
  uint32_t followed = 0;
  *b = (struct block){.thread = thread_of(r, m),
                      .waits_early = true,
                      .keeps_turns = true,
                      .memory = b->memory,
                      .rest = b->rest,
                      .accesses = b->accesses,
                      .calls = b->calls};
  b->calls.n = b->accesses.n = 0;
  if (!b->memory) b->memory = pv_alloc((r->words + 1) * sizeof *b->memory);
  if (!b->rest) b->rest = pv_alloc((r->words + 1) * sizeof *b->rest);
  memset(b->memory, 0, r->words * sizeof *b->memory);
  memset(b->rest, 0, r->words * sizeof *b->rest);
  if (follow(r, b, from, m, &next)) pv_vec_push(&todo, next);
  b->may_end = false;
  r->looking = true;
  while (todo.n && !b->unknown) {
    here = pv_vec_pop(&todo);
    moves.n = 0;
    pv_control_moves_in(r->control, &here, here.at, &moves);
    while (moves.n && pv_move_is_stuck(&pv_vec_last(&moves))) moves.n--;
    if (!moves.n && pv_control_preempts(r->control)) *(followed ? &b->unknown : &b->blocked) = true;
    for (uint32_t i = 0; i < moves.n && !b->unknown; i++) {
      if (i && same_step(&moves.at[i - 1], &moves.at[i])) continue;
      b->unknown |= ++followed > MOST;
      if (!follow(r, b, &here, &moves.at[i], &next)) continue;
      if (add_move(r, b, &here, &moves.at[i])) pv_vec_push(&todo, next);
    }
  }
  r->looking = false;
  pv_vec_free(&moves);
  pv_vec_free(&todo);
}

/* Does an effect of `a` conflict with one of `b`? Two accesses with known addresses do where they
 * overlap; others where they may concern one object. */
static bool conflict(const struct pv_reduction *r, const struct block *a, const struct block *b) {
  if (pv_future_effects_conflict(r->effects, a->rest, b->memory)) return true;
  if (pv_future_effects_conflict(r->effects, a->memory, b->rest)) return true;
  for (uint32_t i = 0; i < a->accesses.n; i++)
    for (uint32_t k = 0; k < b->accesses.n; k++) {
      const struct access *x = &a->accesses.at[i], *y = &b->accesses.at[k];
      bool overlap = x->address < y->address + y->bytes && y->address < x->address + x->bytes;
      if (overlap && (x->writes || y->writes)) return true;
    }
  return false;
}

/* Do the blocks commute in every concrete state of the abstract state? */
static bool independent(const struct pv_reduction *r, const struct block *a,
                        const struct block *b) {
  if (a->unknown || b->unknown) return false;
  if (conflict(r, a, b) || conflict(r, b, a)) return false;
  for (uint32_t i = 0; i < a->calls.n; i++)
    for (uint32_t k = 0; k < b->calls.n; k++)
      if (!r->sched->independent(&a->calls.at[i], &b->calls.at[k])) return false;
  return true;
}

/* The members of `set` whose blocks are independent of that of move i. */
static uint64_t still_asleep(const struct pv_reduction *r, uint64_t set, uint32_t n, uint32_t i) {
  uint64_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    const struct block *b = &r->blocks[k];
    if (b->spurious && r->finds_deadlocks) continue;
    if (k != i && set >> b->thread & 1 && independent(r, &r->blocks[i], b))
      kept |= UINT64_C(1) << b->thread;
  }
  return kept;
}

/* ---- choices -----------------------------------------------------------------------------------
 */

/* Can the block be explored alone? Then it only waits, and conflicts with nothing that other
 * threads may ever do. */
static bool goes_first(struct pv_reduction *r, const struct pv_move *m, const struct block *b) {
  if (b->unknown || b->may_end || !b->waits_early) return false;
  if (r->restarts && pv_future_effects_conflict(r->effects, b->memory, r->restarted)) return false;
  uint64_t own = UINT64_C(1) << b->thread;
  return !(pv_control_conflicting(r->control, r->effects, m->to, b->memory) & ~own);
}

/* Will all threads that can run now do so, in any order, and nobody else before? Then each of them
 * can be explored alone whose block comes to an end. */
static bool all_take_turns(const struct pv_reduction *r, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (r->blocks[i].unknown || !r->blocks[i].keeps_turns) return false;
    for (uint32_t k = 0; k < i; k++)
      if (!independent(r, &r->blocks[i], &r->blocks[k])) return false;
  }
  return true;
}

/* Is one of the moves explored for all? Then it becomes the first one, and *kept is 1; or 0, if as
 * printed in the paper the path ends. These rules rest on what a cooperative scheduler promises. */
static bool explore_alone(struct pv_reduction *r, struct pv_move *moves, uint32_t n,
                          uint64_t asleep, uint32_t *kept) {
  bool turns = all_take_turns(r, n);
  for (uint32_t i = 0; i < n; i++) {
    bool sleeps = asleep >> r->blocks[i].thread & 1;
    bool alone = turns && !r->blocks[i].may_end;
    if (sleeps && !AS_PRINTED) continue;
    if (!alone && !goes_first(r, &moves[i], &r->blocks[i])) continue;
    *kept = !sleeps;
    if (sleeps) return true;
    moves[i].asleep = still_asleep(r, asleep, n, i);
    moves[0] = moves[i];
    r->stats.reduced++;
    return true;
  }
  return false;
}

/* A persistent set of preemptive threads that contains that of move i (Algorithm 1 of the paper,
 * with everything that a thread may ever do in place of its transitions). Nobody outside of it does
 * anything that conflicts with the blocks of its members before one of these moves. No member is
 * blocked, so no necessary enabling sets are needed; none goes back, so no thread is put off for
 * ever. As bits; 0: there is none. */
static uint64_t closure(struct pv_reduction *r, const struct pv_move *moves, uint32_t n,
                        uint32_t i) {
  struct pv_point at = moves[0].to;
  uint64_t set = UINT64_C(1) << r->blocks[i].thread, done = 0;
  while (set != done) {
    uint32_t k = 0;
    while (k < n && !((set & ~done) >> r->blocks[k].thread & 1)) k++;
    if (k == n) return 0; /* it is blocked */
    const struct block *b = &r->blocks[k];
    if (b->unknown || pv_control_goes_back(r->control, at, b->thread)) return 0;
    done |= UINT64_C(1) << b->thread;
    set |= pv_control_conflicting(r->control, r->effects, at, b->memory);
  }
  return set;
}

/* The smallest such set, with a member that is awake and goes on after its block. Or all threads.
 */
static uint64_t persistent_set(struct pv_reduction *r, const struct pv_move *moves, uint32_t n,
                               uint64_t asleep) {
  uint64_t best = UINT64_MAX;
  for (uint32_t i = 0; i < n; i++) {
    const struct block *b = &r->blocks[i];
    bool goes_on = !b->unknown && !b->may_end && !(b->spurious && r->finds_deadlocks);
    if (!goes_on || asleep >> b->thread & 1) continue;
    uint64_t set = closure(r, moves, n, i);
    if (set && __builtin_popcountll(set) < __builtin_popcountll(best)) best = set;
  }
  return best;
}

/* Is one of the first n moves, which are examined, the same choice for a thread that is alike? */
static bool is_image(struct pv_reduction *r, const struct pv_composite *state,
                     const struct pv_move *moves, uint32_t n, const struct sleep *set,
                     const struct pv_move *m) {
  uint32_t own = thread_of(r, m);
  struct block unused = {0};
  struct pv_composite next;
  if (!r->symmetry || set->left_out || !n) return false;
  if (!follow(r, &unused, state, m, &next)) return false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t other = thread_of(r, &moves[i]);
    if ((set->asleep >> own ^ set->asleep >> other) & 1) continue;
    if (pv_esst_symmetric(r->symmetry, m, &next, other, own)) return true;
  }
  return false;
}

/* Looks ahead along the moves of one outcome, and leaves out the threads that are blocked. Returns
 * how many are left. */
static uint32_t look_at_all(struct pv_reduction *r, const struct pv_composite *state,
                            struct pv_move *moves, uint32_t n) {
  uint32_t able = 0;
  uint64_t blocked = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct block *b = &r->blocks[able];
    look(r, state, &moves[i], b);
    if (b->blocked)
      blocked |= UINT64_C(1) << b->thread;
    else
      moves[able++] = moves[i];
  }
  for (uint32_t i = 0; i < able; i++) moves[i].able &= ~blocked;
  return able;
}

/* Selects among the moves of one outcome. Returns how many are left. */
static uint32_t select_moves(struct pv_reduction *r, const struct pv_composite *state,
                             struct pv_move *moves, uint32_t n) {
  struct sleep set = r->sleep ? *(const struct sleep *)state->part[r->own] : (struct sleep){0};
  uint64_t all = 0;
  for (uint32_t i = 0; i < n; i++) all |= UINT64_C(1) << thread_of(r, &moves[i]);
  uint64_t asleep = set.asleep & all, left_out = set.left_out & all;
  uint32_t kept = 0;
  r->stats.choices += n > 1;
  if (n == 1) {
    r->stats.slept += (asleep | left_out) != 0;
    return asleep | left_out ? 0 : 1;
  }
  if (n > THREADS) return n;
  if (!(all & ~(asleep | left_out))) { /* nobody is awake: their blocks do not matter */
    r->stats.slept += n;
    return 0;
  }
  if (!(n = look_at_all(r, state, moves, n)))
    return 1; /* so that there is a state in which no thread goes on */
  bool reduces = r->persistent && !left_out, preempts = pv_control_preempts(r->control);
  if (reduces && !preempts && explore_alone(r, moves, n, asleep, &kept)) return kept;
  uint64_t chosen = reduces && preempts ? persistent_set(r, moves, n, asleep) : UINT64_MAX;
  r->stats.reduced += chosen != UINT64_MAX;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t thread = UINT64_C(1) << r->blocks[i].thread;
    if (!(chosen & thread)) continue;
    if ((asleep | left_out) & thread) {
      r->stats.slept++;
      continue;
    }
    if (is_image(r, state, moves, kept, &set, &moves[i])) {
      r->stats.images++;
      if (r->sleep) asleep |= thread;
      continue;
    }
    struct pv_move m = moves[i];
    m.asleep = still_asleep(r, asleep, n, i);
    if (r->sleep) asleep |= thread;
    moves[kept++] = m;
  }
  return kept;
}

void pv_reduction_choose(void *self, const void *state, uint32_t first, pv_moves *moves) {
  struct pv_reduction *r = self;
  uint32_t kept = first;
  if (r->looking) return;
  for (uint32_t i = first, k; i < moves->n; i = k) {
    const struct pv_move *m = &moves->at[i];
    bool chooses = goes_on(m) && pv_control_is_switch(r->control, m->to);
    k = i + 1;
    while (chooses && k < moves->n && same_step(m, &moves->at[k])) k++;
    uint32_t n = chooses ? select_moves(r, state, &moves->at[i], k - i) : 1;
    memmove(&moves->at[kept], &moves->at[i], n * sizeof moves->at[0]);
    kept += n;
  }
  moves->n = kept;
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

/* Can a thread be made to begin anew, as the plug-in says? */
static bool may_restart(const struct pv_program *p, const struct pv_points_to *pt,
                        const struct pv_sched *sched) {
  const uint32_t *instances;
  for (uint32_t f = 0; sched->restarts && f < p->functions.n; f++) {
    if (!pv_points_to_instances(pt, f, &instances)) continue;
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op == PV_OP_PRIM && !strcmp(p->prims.at[e->aux].prim->name, sched->restarts))
        return true;
    }
  }
  return false;
}

struct pv_reduction *pv_reduction_new(const struct pv_composite_parts *parts, bool sleep,
                                      bool persistent) {
  struct pv_reduction *r = pv_alloc(sizeof *r);
  r->sleep = sleep;
  r->persistent = persistent;
  r->finds_deadlocks = parts->context->task->properties & PV_PROP_BIT(PV_PROP_NO_DEADLOCK);
  r->control = parts->context->control;
  r->program = parts->context->task->program;
  r->sched = pv_sched_of(r->program->sched);
  r->effects = pv_future_effects_new(r->program, parts->context->pt);
  r->words = pv_future_effects_size(r->effects);
  if (parts->context->task->options->symmetry == PV_SYMMETRY_THREADS)
    r->symmetry = pv_esst_symmetry_new(parts, r->effects);
  r->restarts = may_restart(r->program, parts->context->pt, r->sched);
  for (uint32_t f = 0; f < r->program->functions.n; f++)
    if (!strcmp(r->program->functions.at[f].name, "__proviso_thread_main"))
      r->restarted = pv_future_effects_from(r->effects, f, r->program->functions.at[f].entry);
  r->persistent &= r->restarted != NULL;
  r->parts = *parts;
  r->own = parts->n;
  r->analysis = (struct pv_analysis){.name = "sleep sets",
                                     .self = r,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .covers = covers,
                                     .left_out = left_out};
  if (sleep && !AS_PRINTED) r->analysis.rest = rest;
  return r;
}

void pv_reduction_free(struct pv_reduction *r) {
  if (!r) return;
  for (uint32_t i = 0; i < THREADS; i++) {
    free(r->blocks[i].memory);
    free(r->blocks[i].rest);
    pv_vec_free(&r->blocks[i].accesses);
    pv_vec_free(&r->blocks[i].calls);
  }
  pv_esst_symmetry_free(r->symmetry);
  pv_future_effects_free(r->effects);
  pv_pool_free(&r->pool);
  pv_map_free(&r->index);
  pv_vec_free(&r->sets);
  free(r);
}

const struct pv_analysis *pv_reduction_analysis(struct pv_reduction *r) {
  return &r->analysis;
}

const struct pv_reduction_stats *pv_reduction_stats(const struct pv_reduction *r) {
  return &r->stats;
}
