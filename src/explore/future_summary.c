#include <stdlib.h>
#include <string.h>

#include "explore/future_internal.h"

/* ---- stretches: the code from a location on ----------------------------------------------------
 */
static bool has_stack_objects(const struct pv_function *fn) {
  for (uint32_t i = 0; i < fn->edges.n; i++)
    if (fn->edges.at[i].op == PV_OP_ALLOC && !pv_storage_on_heap(fn->edges.at[i].aux)) return true;
  return fn->slots.n;
}

static void collect_edges(const struct pv_function *fn, struct code_region *s, uint8_t *seen) {
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, s->loc);
  seen[s->loc] = 1;
  while (todo.n) {
    const struct pv_location *at = &fn->locs.at[pv_vec_pop(&todo)];
    for (uint32_t i = at->first_out; i < at->first_out + at->n_out; i++) {
      const struct pv_edge *e = &fn->edges.at[i];
      pv_vec_push(&s->edges, i);
      if (e->op == PV_OP_RETURN) s->ends_frame = has_stack_objects(fn);
      if (e->op == PV_OP_RETURN || e->op == PV_OP_STOP || seen[e->to]) continue;
      seen[e->to] = 1;
      pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
}

/* What happens to a variable or a stack slot in a code region. */
enum { ASSIGNED = 1, USED = 2 };

static void use(const struct pv_program *p, pv_expr e, uint8_t *var, uint8_t *slot) {
  if (!e) return;
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_VAR) var[n->lo] |= USED;
  if (n->op == PV_X_SLOT) slot[n->lo] |= USED;
  if (!pv_expr_ops[n->op].arity) return;
  use(p, n->a, var, slot);
  use(p, n->b, var, slot);
  use(p, n->c, var, slot);
}

static bool is_access(unsigned op) {
  return op == PV_OP_LOAD || op == PV_OP_STORE || op == PV_OP_RMW || op == PV_OP_CMPXCHG ||
         op == PV_OP_FILL || op == PV_OP_COPY || op == PV_OP_FREE || op == PV_OP_PRINT;
}

static void mark_edge(const struct pv_program *p, const struct pv_edge *e, uint8_t *var,
                      uint8_t *slot) {
  if (e->dst != PV_NO_VAR) var[e->dst] |= ASSIGNED;
  if (e->dst2 != PV_NO_VAR) var[e->dst2] |= ASSIGNED;
  for (uint32_t i = 0; i < e->dsts.n; i++)
    if (pv_arg(p, e->dsts, i) != PV_NO_VAR) var[pv_arg(p, e->dsts, i)] |= ASSIGNED;
  if (e->op == PV_OP_LIVE || e->op == PV_OP_DEAD) slot[e->aux] |= ASSIGNED;
  if (is_access(e->op) || e->op == PV_OP_CALL) use(p, e->e[0], var, slot);
  if (e->op == PV_OP_COPY) use(p, e->e[1], var, slot);
  if (e->op == PV_OP_COPY || e->op == PV_OP_FILL) use(p, e->e[2], var, slot);
  if (e->op == PV_OP_PRINT) use(p, e->e[1], var, slot);
  if (e->op != PV_OP_CALL && e->op != PV_OP_PRIM && e->op != PV_OP_QUERY) return;
  for (uint32_t i = 0; i < e->args.n; i++) use(p, pv_arg(p, e->args, i), var, slot);
}

struct code_region *pv_find_code_region(struct pv_future *f, uint32_t function, pv_loc loc) {
  uint32_t key[2] = {function, loc};
  bool is_new;
  uint32_t at = *pv_map_put(&f->code_region_of, key, sizeof key, f->code_regions.n, &is_new);
  if (!is_new) return f->code_regions.at[at];
  const struct pv_function *fn = &f->p->functions.at[function];
  struct code_region *s = pv_alloc(sizeof *s);
  s->function = function;
  s->loc = loc;
  uint8_t *seen = pv_alloc(fn->locs.n + 1), *var = pv_alloc(fn->vars.n + 1),
          *slot = pv_alloc(fn->slots.n + 1);
  collect_edges(fn, s, seen);
  for (uint32_t i = 0; i < s->edges.n; i++)
    mark_edge(f->p, &fn->edges.at[s->edges.at[i]], var, slot);
  for (uint32_t v = 0; v < fn->vars.n; v++)
    if (var[v] == USED && pv_type_bits(fn->vars.at[v].type) <= 64) pv_vec_push(&s->vars, v);
  for (uint32_t i = 0; i < fn->slots.n; i++)
    if (slot[i] == USED) pv_vec_push(&s->slots, i);
  free(seen);
  free(var);
  free(slot);
  pv_vec_push(&f->code_regions, s);
  return s;
}

/* ---- summaries
 * ------------------------------------------------------------------------------------
 */
static void add(struct summary *d, struct pv_touch t) {
  for (uint32_t i = 0; i < d->at.n; i++) {
    struct pv_touch *o = &d->at.at[i];
    if (o->low != t.low || o->high != t.high || o->own != t.own || o->effects != t.effects)
      continue;
    o->guards &= t.guards;
    return;
  }
  pv_vec_push(&d->at, t);
}

void pv_summary_add(struct summary *d, const struct summary *more, uint64_t guards) {
  for (uint32_t i = 0; i < more->at.n; i++) {
    struct pv_touch t = more->at.at[i];
    t.guards |= guards;
    add(d, t);
  }
}

/* The summary that allows every operation. */
void pv_summary_anything(struct summary *d) {
  d->at.n = 0;
  d->guards = 0;
  pv_vec_push(&d->at, pv_anywhere(PV_EFF_ALL));
  pv_vec_push(&d->at, pv_at_threads(PV_EFF_ALL));
  pv_vec_push(&d->at, pv_at_heap());
}

static struct pv_touch access_of(const struct scope *c, struct value v, uint64_t bytes,
                                 unsigned effects) {
  uint64_t base, size;
  struct pv_touch t = pv_anywhere(effects & PV_EFF_ADD ? PV_EFF_READ | PV_EFF_WRITE : effects);
  if (v.kind == KNOWN) return pv_piece(v.bits, bytes, effects);
  if (v.kind == WITHIN && pv_vm_object_span(c->f->space->vm, v.bits, &base, &size))
    return pv_piece(base, size, t.effects);
  if (v.kind == OWN) return (struct pv_touch){.own = 1, .effects = t.effects};
  return t;
}

/* The walk over one code region. */
struct walk {
  struct scope c;
  const struct pv_function *fn;
  struct summary *out;
  uint64_t *guards;            /* by location: the locks that every path to it acquires */
  const struct summary **call; /* by edge: the summary of its callee */
  uint64_t *gain;              /* by edge: the guards that it acquires */
  unsigned depth;
};

static const struct summary *called(const struct walk *w, uint32_t callee, const struct value *args,
                                    uint32_t n) {
  struct pv_future *f = w->c.f;
  const struct pv_function *fn = &f->p->functions.at[callee];
  if (!fn->defined || w->depth >= DEPTH_MAX) return f->summary.at[ANYTHING];
  struct value *var = pv_alloc((fn->vars.n + 1) * sizeof *var);
  struct value *slot = pv_alloc((fn->slots.n + 1) * sizeof *slot);
  for (uint32_t i = 0; i < fn->n_params && i < n; i++) {
    unsigned bits = pv_type_bits(fn->vars.at[i].type);
    var[i] = args[i];
    if (args[i].kind == KNOWN) var[i].bits &= mask(bits);
  }
  for (uint32_t i = 0; i < fn->slots.n; i++) slot[i].kind = OWN;
  const struct summary *d = pv_summary_at(f, callee, fn->entry, var, slot, w->depth + 1);
  free(var);
  free(slot);
  return d;
}

/* The targets of a call through a pointer. Returns their number: one function, none (an error), or
 * several. */
static uint32_t targets(const struct walk *w, uint32_t edge, uint32_t *callee) {
  struct pv_future *f = w->c.f;
  const struct pv_edge *e = &w->fn->edges.at[edge];
  struct value to = pv_evaluate(&w->c, e->e[0]);
  if (to.kind == KNOWN) {
    *callee = pv_vm_function_at(f->space->vm, to.bits);
    return *callee != PV_NO_FUNC;
  }
  if (!pv_points_to_complete(f->points_to)) return 2;
  uint32_t function = (uint32_t)(w->fn - f->p->functions.at);
  uint32_t n = pv_points_to_callees(f->points_to, function, edge, f->callees);
  *callee = f->callees[0];
  return n;
}

static const struct summary *call_summary(const struct walk *w, uint32_t edge) {
  struct pv_future *f = w->c.f;
  const struct pv_edge *e = &w->fn->edges.at[edge];
  uint32_t callee = e->callee, n = 1;
  struct value args[16];
  if (callee == PV_NO_FUNC) n = targets(w, edge, &callee);
  if (!n) return f->summary.at[NOTHING];
  if (n > 1 || e->args.n > 16) return f->summary.at[ANYTHING];
  for (uint32_t i = 0; i < e->args.n; i++) args[i] = pv_evaluate(&w->c, pv_arg(f->p, e->args, i));
  return called(w, callee, args, e->args.n);
}

static struct value prim_argument(const struct walk *w, const struct pv_edge *e, uint32_t i) {
  return i < e->args.n ? pv_evaluate(&w->c, pv_arg(w->c.f->p, e->args, i)) : (struct value){0};
}

static const struct pv_prim *prim_of(const struct walk *w, const struct pv_edge *e) {
  return w->c.f->p->prims.at[e->aux].prim;
}

static void add_guarded(const struct walk *w, struct pv_touch t, uint64_t guards) {
  t.guards = guards;
  add(w->out, t);
}

static void add_thread_summary(const struct walk *w, const struct pv_edge *e, unsigned effects,
                               uint64_t guards) {
  struct pv_future *f = w->c.f;
  add_guarded(w, pv_at_threads(effects), guards);
  if (effects & PV_EFF_SPAWN) {
    struct value args[2] = {prim_argument(w, e, 1), prim_argument(w, e, 2)};
    add_guarded(w, access_of(&w->c, prim_argument(w, e, 0), 8, PV_EFF_WRITE), guards);
    pv_summary_add(w->out,
                   f->thread_main == PV_NO_FUNC ? f->summary.at[ANYTHING]
                                                : called(w, f->thread_main, args, 2),
                   guards);
  }
  struct value result = prim_argument(w, e, 1);
  if ((effects & PV_EFF_JOIN) && (result.kind != KNOWN || result.bits))
    add_guarded(w, access_of(&w->c, result, 8, PV_EFF_WRITE), guards);
  if (effects & PV_EFF_EXIT) add_guarded(w, pv_own_end(), guards);
}

static void add_prim(const struct walk *w, const struct pv_edge *e, uint64_t guards) {
  const struct pv_prim *prim = prim_of(w, e);
  bool on_threads;
  unsigned effects = pv_prim_effects(prim->name, &on_threads);
  if (on_threads) {
    add_thread_summary(w, e, effects, guards);
    return;
  }
  for (unsigned i = 0; prim->class == PV_PRIM_OBJECT && i < (prim->two_objects ? 2u : 1u); i++) {
    struct value at = prim_argument(w, e, i);
    struct pv_touch t[2];
    if (at.kind == KNOWN)
      pv_sync_touches(at.bits, effects, t);
    else
      t[0] = t[1] = access_of(&w->c, at, 0,
                              effects | PV_EFF_READ | (effects & PV_EFF_SYNC ? PV_EFF_WRITE : 0));
    for (unsigned k = 0; k < 2; k++) add_guarded(w, t[k], guards);
  }
  if (prim->may_be_cancelled) add_guarded(w, pv_at_threads(PV_EFF_CANCELLED), guards);
}

static void add_block(const struct walk *w, pv_expr at, pv_expr length, unsigned effects,
                      uint64_t guards) {
  struct value v = pv_evaluate(&w->c, at), n = pv_evaluate(&w->c, length);
  if (v.kind == KNOWN && n.kind != KNOWN) v.kind = WITHIN;
  add_guarded(w, access_of(&w->c, v, n.bits, effects), guards);
}

static void add_access(const struct walk *w, const struct pv_edge *e, unsigned effects,
                       uint64_t guards) {
  struct value at = pv_evaluate(&w->c, e->e[0]);
  add_guarded(w, access_of(&w->c, at, pv_type_bytes(e->type), effects), guards);
}

static void add_edge(const struct walk *w, const struct code_region *s, uint32_t edge) {
  const struct pv_edge *e = &w->fn->edges.at[edge];
  uint64_t guards = w->guards[e->from];
  struct value v;
  if (guards == ALL_GUARDS) return; /* unreachable */
  switch (e->op) {
  case PV_OP_LOAD: add_access(w, e, PV_EFF_READ, guards); break;
  case PV_OP_STORE: add_access(w, e, PV_EFF_WRITE, guards); break;
  case PV_OP_RMW:
    add_access(w, e, pv_only_adds(e) ? PV_EFF_ADD : PV_EFF_READ | PV_EFF_WRITE, guards);
    break;
  case PV_OP_CMPXCHG: add_access(w, e, PV_EFF_READ | PV_EFF_WRITE, guards); break;
  case PV_OP_COPY: add_block(w, e->e[1], e->e[2], PV_EFF_READ, guards); /* fall through */
  case PV_OP_FILL: add_block(w, e->e[0], e->e[2], PV_EFF_WRITE, guards); break;
  case PV_OP_PRINT: add_block(w, e->e[0], e->e[1], PV_EFF_READ, guards); break;
  case PV_OP_QUERY:
    if (!e->args.n) break;
    v = prim_argument(w, e, 0);
    if (v.kind == KNOWN) v.kind = WITHIN;
    add_guarded(w, access_of(&w->c, v, 1, PV_EFF_READ), guards);
    break;
  case PV_OP_ALLOC: add_guarded(w, pv_at_heap(), guards); break;
  case PV_OP_FREE:
    v = pv_evaluate(&w->c, e->e[0]);
    if (v.kind == KNOWN) v.kind = WITHIN;
    add_guarded(w, pv_at_heap(), guards);
    add_guarded(w, access_of(&w->c, v, 1, PV_EFF_WRITE), guards);
    break;
  case PV_OP_LIVE:
  case PV_OP_DEAD: add_guarded(w, pv_own_end(), guards); break;
  case PV_OP_RETURN:
    if (s->ends_frame) add_guarded(w, pv_own_end(), guards);
    w->out->guards &= guards;
    break;
  case PV_OP_PRIM: add_prim(w, e, guards); break;
  case PV_OP_CALL: pv_summary_add(w->out, w->call[edge], guards); break;
  default: break;
  }
}

static void look_at_edge(const struct walk *w, uint32_t edge) {
  const struct pv_edge *e = &w->fn->edges.at[edge];
  if (e->op == PV_OP_CALL) {
    w->call[edge] = call_summary(w, edge);
    w->gain[edge] = w->call[edge]->guards;
  } else if (e->op == PV_OP_PRIM && pv_is_lock(prim_of(w, e))) {
    struct value at = prim_argument(w, e, 0);
    if (at.kind == KNOWN) w->gain[edge] = pv_lock_bit(w->c.f, prim_of(w, e), at.bits);
  }
}

static void find_guards(struct walk *w, const struct code_region *s) {
  for (uint32_t i = 0; i < w->fn->locs.n; i++) w->guards[i] = ALL_GUARDS;
  w->guards[s->loc] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < s->edges.n; i++) {
      const struct pv_edge *e = &w->fn->edges.at[s->edges.at[i]];
      uint64_t before = w->guards[e->from];
      if (before == ALL_GUARDS || e->op == PV_OP_RETURN || e->op == PV_OP_STOP) continue;
      uint64_t now = w->guards[e->to] & (before | w->gain[s->edges.at[i]]);
      changed |= now != w->guards[e->to];
      w->guards[e->to] = now;
    }
  }
}

static void summarise_region(struct pv_future *f, const struct code_region *s,
                             const struct value *var, const struct value *slot, unsigned depth,
                             struct summary *out) {
  const struct pv_function *fn = &f->p->functions.at[s->function];
  struct walk w = {.fn = fn, .out = out, .depth = depth};
  w.c = (struct scope){f, pv_alloc((fn->vars.n + 1) * sizeof *var),
                       pv_alloc((fn->slots.n + 1) * sizeof *slot)};
  for (uint32_t i = 0; i < s->vars.n; i++) w.c.var[s->vars.at[i]] = var[s->vars.at[i]];
  for (uint32_t i = 0; i < fn->slots.n; i++) w.c.slot[i].kind = OWN;
  for (uint32_t i = 0; i < s->slots.n; i++) w.c.slot[s->slots.at[i]] = slot[s->slots.at[i]];
  w.guards = pv_alloc((fn->locs.n + 1) * sizeof *w.guards);
  w.call = pv_alloc((fn->edges.n + 1) * sizeof *w.call);
  w.gain = pv_alloc((fn->edges.n + 1) * sizeof *w.gain);
  out->guards = ALL_GUARDS;
  for (uint32_t i = 0; i < s->edges.n; i++) look_at_edge(&w, s->edges.at[i]);
  find_guards(&w, s);
  for (uint32_t i = 0; i < s->edges.n && out->at.n <= TOUCHES_MAX; i++)
    add_edge(&w, s, s->edges.at[i]);
  if (out->at.n > TOUCHES_MAX) pv_summary_anything(out);
  free(w.c.var);
  free(w.c.slot);
  free(w.guards);
  free(w.call);
  free(w.gain);
}

const struct summary *pv_summary_at(struct pv_future *f, uint32_t function, pv_loc loc,
                                    const struct value *var, const struct value *slot,
                                    unsigned depth) {
  struct code_region *s = pv_find_code_region(f, function, loc);
  uint32_t n = 1 + s->vars.n + s->slots.n;
  struct value *key = pv_alloc(n * sizeof *key);
  bool is_new;
  key[0].bits = (uint64_t)function << 32 | loc;
  for (uint32_t i = 0; i < s->vars.n; i++) key[1 + i] = var[s->vars.at[i]];
  for (uint32_t i = 0; i < s->slots.n; i++) key[1 + s->vars.n + i] = slot[s->slots.at[i]];
  uint32_t at = f->summary.n;
  if (at < KNOWN_MAX && f->work < WORK_MAX)
    at = *pv_map_put(&f->summary_of, key, n * sizeof *key, at, &is_new);
  else
    is_new = false, at = 0;
  free(key);
  if (!is_new) return f->summary.at[at];
  f->work += s->edges.n;
  pv_vec_push(&f->summary,
              f->summary.at[ANYTHING]); /* while it is computed: used for recursive calls */
  struct summary *d = pv_alloc(sizeof *d);
  d->number = at;
  summarise_region(f, s, var, slot, depth, d);
  return f->summary.at[at] = d;
}
