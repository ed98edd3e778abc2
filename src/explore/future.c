#include "explore/future.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/points_to.h"

enum {
  LOCKS = 64,
  SYNC_BYTES = 64,     /* no synchronisation object is larger */
  DEPTH_MAX = 24,      /* calls that are followed */
  TOUCHES_MAX = 512,   /* of one frame; more are all of memory */
  KNOWN_MAX = 1 << 16, /* deeds and futures that are told apart, */
  WORK_MAX = 1 << 25,  /* and edges that are looked at for them; then it is anything */
  STEPS_MAX = 1 << 27, /* of the points-to analysis: less than a second */
  FRAMES = 1 << 14,
  PARKED = 1 << 12,
  ANSWERS = 1 << 14, /* slots of the caches; powers of two */
  CLOSED = 1 << 12,
  GUARD_SETS = 3 /* told apart in one answer */
};
#define ALL_GUARDS UINT64_MAX
enum { ANYTHING, NOTHING }; /* the first deeds */

/* ---- data -------------------------------------------------------------------------------------
 */
struct value {
  /* WITHIN: some address in the object that `bits` is in; OWN: in one that ends with the thread. */
  enum { UNKNOWN, KNOWN, WITHIN, OWN } kind;
  uint32_t zero; /* no hidden padding: compared as bytes */
  uint64_t bits;
};

/* The code that can be reached from a location without leaving the function. */
struct stretch {
  uint32_t function;
  pv_loc loc;
  PV_VEC(uint32_t) edges;
  PV_VEC(uint32_t) vars;  /* that matter and are not assigned in it, */
  PV_VEC(uint32_t) slots; /* and stack slots whose addresses matter */
  bool ends_frame;        /* it returns, from a function that has objects on the stack */
};

/* What a stretch does, given values. */
struct deeds {
  uint32_t number;
  PV_VEC(struct pv_touch) at;
  uint64_t guards; /* passed on every way to its return; ALL_GUARDS: it never returns */
};

struct opening { /* of this future (+ 1), given so many locks */
  uint32_t future, locks, thread;
  struct pv_openings is;
};

/* Of a future about what is touched: the least sets of guards; n 0: never. */
struct answer {
  uint32_t future, touched;
  uint8_t thread, n;
  uint64_t guards[GUARD_SETS];
};

/* Caches, each slot of what was asked for last there. */
struct seen_parked {
  const struct pv_pending *pending;
  struct pv_parked is;
};
struct seen_frame {
  uint64_t frame;
  const struct deeds *deeds;
};
struct seen_head {
  uint32_t head, locks;
  uint64_t closed;
};
struct seen_stack {
  PV_VEC(uint32_t) leaves;
  uint32_t future;
};

struct pv_future {
  struct pv_space *space;
  const struct pv_program *p;
  uint32_t thread_main;
  struct pv_points_to *points_to; /* where calls through pointers may lead */
  uint32_t *callees;              /* room for all functions */
  uint64_t work;                  /* edges looked at */

  struct pv_map stretch_of; /* function, location -> stretch */
  PV_VEC(struct stretch *) stretches;
  struct pv_map deeds_of; /* stretch, values -> deeds */
  PV_VEC(struct deeds *) deeds;
  struct pv_map stack_of;         /* deeds of the frames from the top -> future */
  PV_VEC(struct deeds *) futures; /* of a whole stack */
  struct pv_map touched_of;
  PV_VEC(struct pv_touched *) touched;

  unsigned locks;
  struct {
    uint64_t address;
    const struct pv_prim *prim;
  } lock[LOCKS];
  const struct pv_touched *release[LOCKS]; /* what opens it touches this */

  struct seen_parked *parked;
  struct seen_frame *frames;
  struct seen_stack last[PV_MAX_THREADS];
  struct answer *answers;
  struct opening *openings;
  struct seen_head *closed;
};

static uint32_t hash(uint64_t a, uint64_t b) {
  uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));
  return (uint32_t)((h ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* ---- what an operation touches ----------------------------------------------------------------
 */
static struct pv_touch piece(uint64_t low, uint64_t bytes, unsigned effects) {
  uint64_t high = low + bytes < low || low + bytes > PV_MEMORY_END ? PV_MEMORY_END : low + bytes;
  return (struct pv_touch){.low = low, .high = high, .effects = (uint16_t)effects};
}

static struct pv_touch anywhere(unsigned effects) {
  return (struct pv_touch){.low = 0, .high = PV_MEMORY_END, .effects = (uint16_t)effects};
}

static struct pv_touch at_threads(unsigned effects) {
  return (struct pv_touch){
      .low = PV_AT_THREADS, .high = PV_AT_THREADS + 1, .effects = (uint16_t)effects};
}

static struct pv_touch at_heap(void) {
  return (struct pv_touch){.low = PV_AT_HEAP, .high = PV_AT_HEAP + 1, .effects = PV_EFF_WRITE};
}

static struct pv_touch own_end(void) {
  return (struct pv_touch){.effects = PV_EFF_WRITE, .own = true};
}

/* A synchronisation object: its record goes by its address, and some of its bytes may be read, or
 * written when it is initialised. */
static unsigned sync_touches(uint64_t address, unsigned effects, struct pv_touch *out) {
  out[0] = piece(address, 1, effects);
  out[1] =
      piece(address, SYNC_BYTES, effects & PV_EFF_SYNC ? PV_EFF_READ | PV_EFF_WRITE : PV_EFF_READ);
  return 2;
}

static void own(struct pv_touched *t, unsigned thread) {
  t->at[t->n++] = own_end();
  t->thread = thread;
}

static void prim_touched(const struct pv_prim_call *c, struct pv_touched *t) {
  bool on_threads;
  unsigned effects = pv_prim_effects(c->prim->name, &on_threads);
  if (on_threads) {
    t->at[t->n++] = at_threads(effects);
    if (effects & PV_EFF_SPAWN) t->at[t->n++] = piece(c->args[0], 8, PV_EFF_WRITE);
    if ((effects & PV_EFF_JOIN) && c->args[1]) t->at[t->n++] = piece(c->args[1], 8, PV_EFF_WRITE);
    if (effects & PV_EFF_EXIT) own(t, c->thread);
    return;
  }
  if (c->prim->class == PV_PRIM_LOCAL) return;
  t->unknown = c->prim->class != PV_PRIM_OBJECT;
  if (t->unknown) return;
  for (unsigned i = 0; i < (c->prim->two_objects ? 2u : 1u); i++)
    t->n += sync_touches(c->args[i], effects, t->at + t->n);
}

static unsigned access_effects(const struct pv_pending *p) {
  if (pv_only_adds(p->edge)) return PV_EFF_ADD;
  return (p->write ? PV_EFF_WRITE : 0u) | (!p->write || p->atomic ? PV_EFF_READ : 0u);
}

static void find_touched(const struct pv_pending *p, struct pv_touched *t) {
  switch (p->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT: return;
  case PV_PEND_ACCESS: t->at[t->n++] = piece(p->address, p->bytes, access_effects(p)); return;
  case PV_PEND_FREE:
    t->at[t->n++] = at_heap();
    t->at[t->n++] = piece(p->address, p->bytes, PV_EFF_WRITE);
    return;
  case PV_PEND_SCOPE:
    if (p->bytes)
      t->at[t->n++] = piece(p->address, p->bytes, PV_EFF_WRITE);
    else
      own(t, p->thread);
    return;
  case PV_PEND_PRIM: prim_touched(&p->call, t); return;
  case PV_PEND_ALLOC: /* which addresses come back depends on all pointers that there are */
  case PV_PEND_END:
  case PV_PEND_ATOMIC:
  case PV_PEND_NONE: t->unknown = true; return;
  }
}

static const struct pv_touched *number(struct pv_future *f, const struct pv_touched *t) {
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
/* Its number; LOCKS: no room for one more. */
static unsigned lock_number(struct pv_future *f, const struct pv_prim *prim, uint64_t address) {
  for (unsigned i = 0; i < f->locks; i++)
    if (f->lock[i].address == address && f->lock[i].prim == prim) return i;
  if (f->locks == LOCKS) return LOCKS;
  struct pv_touched release = {.n = 2};
  release.at[0] = piece(address, 1, PV_EFF_LOCK); /* opened by what enables that */
  release.at[1] = piece(address, SYNC_BYTES, PV_EFF_READ);
  f->lock[f->locks].address = address;
  f->lock[f->locks].prim = prim;
  f->release[f->locks] = number(f, &release);
  return f->locks++;
}

static uint64_t lock_bit(struct pv_future *f, const struct pv_prim *prim, uint64_t address) {
  unsigned n = lock_number(f, prim, address);
  return n == LOCKS ? 0 : UINT64_C(1) << n;
}

static bool is_lock(const struct pv_prim *prim) {
  bool on_threads;
  return pv_prim_effects(prim->name, &on_threads) & PV_EFF_LOCK;
}

static struct pv_parked look_at(struct pv_future *f, const struct pv_pending *p) {
  struct pv_touched t = {0};
  find_touched(p, &t);
  struct pv_parked parked = {.touched = number(f, &t)};
  if (p->kind != PV_PEND_PRIM) return parked;
  bool on_threads;
  unsigned effects = pv_prim_effects(p->call.prim->name, &on_threads);
  if (effects & PV_EFF_LOCK) parked.lock = lock_bit(f, p->call.prim, p->call.args[0]);
  parked.joins = effects & PV_EFF_JOIN;
  parked.ends = effects & PV_EFF_EXIT;
  parked.gives = effects & (PV_EFF_UNLOCK | PV_EFF_EXIT);
  return parked;
}

struct pv_parked pv_future_parked(struct pv_future *f, const struct pv_pending *p) {
  uint32_t slot = hash((uintptr_t)p, 0) % PARKED;
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
  uint64_t closed = 0;
  for (unsigned i = 0; i < f->locks; i++) {
    struct pv_prim_call call = {.prim = f->lock[i].prim, .args = {f->lock[i].address}};
    if (pv_vm_closed(f->space->vm, &call)) closed |= UINT64_C(1) << i;
  }
  f->closed[slot].head = head;
  f->closed[slot].locks = f->locks;
  return f->closed[slot].closed = closed;
}

/* ---- stretches: the code from a location on ----------------------------------------------------
 */
static bool has_stack_objects(const struct pv_function *fn) {
  for (uint32_t i = 0; i < fn->edges.n; i++)
    if (fn->edges.at[i].op == PV_OP_ALLOC && fn->edges.at[i].aux != PV_STORAGE_HEAP) return true;
  return fn->slots.n;
}

static void collect_edges(const struct pv_function *fn, struct stretch *s, uint8_t *seen) {
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

/* What happens to a variable or a stack slot in a stretch. */
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

static struct stretch *find_stretch(struct pv_future *f, uint32_t function, pv_loc loc) {
  uint32_t key[2] = {function, loc};
  bool is_new;
  uint32_t at = *pv_map_put(&f->stretch_of, key, sizeof key, f->stretches.n, &is_new);
  if (!is_new) return f->stretches.at[at];
  const struct pv_function *fn = &f->p->functions.at[function];
  struct stretch *s = pv_alloc(sizeof *s);
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
  pv_vec_push(&f->stretches, s);
  return s;
}

/* ---- values -----------------------------------------------------------------------------------
 */
struct scope { /* what is known in a stretch, by variable and slot of the function */
  struct pv_future *f;
  struct value *var, *slot;
};

static struct value evaluate(const struct scope *c, pv_expr e);

static uint64_t mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t extend(uint64_t v, unsigned bits) {
  return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static struct value known(uint64_t bits) {
  return (struct value){.kind = KNOWN, .bits = bits};
}

/* Of two known operands; false if it is not computed here. */
static bool compute(const struct pv_expr_node *n, uint64_t a, uint64_t b, unsigned from,
                    uint64_t *out) {
  switch (n->op) {
  case PV_X_ADD: *out = a + b; return true;
  case PV_X_SUB: *out = a - b; return true;
  case PV_X_MUL: *out = a * b; return true;
  case PV_X_UDIV: *out = b ? a / b : 0; return b;
  case PV_X_UREM: *out = b ? a % b : 0; return b;
  case PV_X_SHL: *out = b < 64 ? a << b : 0; return b < from;
  case PV_X_LSHR: *out = b < 64 ? a >> b : 0; return b < from;
  case PV_X_AND: *out = a & b; return true;
  case PV_X_OR: *out = a | b; return true;
  case PV_X_XOR: *out = a ^ b; return true;
  case PV_X_EQ: *out = a == b; return true;
  case PV_X_NE: *out = a != b; return true;
  case PV_X_ULT: *out = a < b; return true;
  case PV_X_ULE: *out = a <= b; return true;
  case PV_X_SLT: *out = extend(a, from) < extend(b, from); return true;
  case PV_X_SLE: *out = extend(a, from) <= extend(b, from); return true;
  case PV_X_ZEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: *out = a; return true;
  case PV_X_SEXT: *out = (uint64_t)extend(a, from); return true;
  default: return false;
  }
}

static struct value add_offset(const struct scope *c, const struct pv_expr_node *n) {
  struct value a = evaluate(c, n->a), b = evaluate(c, n->b);
  if (a.kind == KNOWN && b.kind == KNOWN)
    return known((a.bits + b.bits) & mask(c->f->p->pointer_bits));
  if (a.kind == UNKNOWN || !(n->flags & PV_XF_INBOUNDS)) return (struct value){0};
  if (a.kind == KNOWN) a.kind = WITHIN;
  return a;
}

static struct value choose(const struct scope *c, const struct pv_expr_node *n) {
  struct value condition = evaluate(c, n->a);
  if (condition.kind == KNOWN) return evaluate(c, condition.bits & 1 ? n->b : n->c);
  struct value x = evaluate(c, n->b), y = evaluate(c, n->c);
  return x.kind == y.kind && x.bits == y.bits ? x : (struct value){0};
}

static struct value evaluate(const struct scope *c, pv_expr e) {
  const struct pv_expr_node *n = pv_node(c->f->p, e);
  unsigned bits = pv_type_bits(n->type);
  struct value none = {0}, a, b;
  if (bits > 64 || pv_type_kind(n->type) == PV_T_FLOAT) return none;
  switch (n->op) {
  case PV_X_CONST: return known(n->lo);
  case PV_X_VAR: return c->var[n->lo];
  case PV_X_SLOT: return c->slot[n->lo];
  case PV_X_GLOBAL:
    if (c->f->p->globals.at[n->lo].is_thread_local) return (struct value){.kind = OWN};
    return known(pv_vm_global_address(c->f->space->vm, (uint32_t)n->lo));
  case PV_X_FUNC: return known(pv_vm_function_address(c->f->space->vm, (uint32_t)n->lo));
  case PV_X_PTRADD: return add_offset(c, n);
  case PV_X_SELECT: return choose(c, n);
  default: break;
  }
  if (!pv_expr_ops[n->op].arity || pv_expr_ops[n->op].arity > 2) return none;
  a = evaluate(c, n->a);
  if (n->op == PV_X_BITCAST && a.kind != KNOWN) return a;
  b = n->b ? evaluate(c, n->b) : known(0);
  uint64_t out;
  unsigned from = pv_type_bits(pv_node(c->f->p, n->a)->type);
  if (a.kind != KNOWN || b.kind != KNOWN || from > 64) return none;
  return compute(n, a.bits, b.bits, from, &out) ? known(out & mask(bits)) : none;
}

/* ---- deeds ------------------------------------------------------------------------------------
 */
static void add(struct deeds *d, struct pv_touch t) {
  for (uint32_t i = 0; i < d->at.n; i++) {
    struct pv_touch *o = &d->at.at[i];
    if (o->low != t.low || o->high != t.high || o->own != t.own || o->effects != t.effects)
      continue;
    o->guards &= t.guards;
    return;
  }
  pv_vec_push(&d->at, t);
}

static void add_all(struct deeds *d, const struct deeds *more, uint64_t guards) {
  for (uint32_t i = 0; i < more->at.n; i++) {
    struct pv_touch t = more->at.at[i];
    t.guards |= guards;
    add(d, t);
  }
}

/* Whatever can be done. */
static void anything(struct deeds *d) {
  d->at.n = 0;
  d->guards = 0;
  pv_vec_push(&d->at, anywhere(PV_EFF_ALL));
  pv_vec_push(&d->at, at_threads(PV_EFF_ALL));
  pv_vec_push(&d->at, at_heap());
}

static struct pv_touch access_of(const struct scope *c, struct value v, uint64_t bytes,
                                 unsigned effects) {
  uint64_t base, size;
  struct pv_touch t = anywhere(effects & PV_EFF_ADD ? PV_EFF_READ | PV_EFF_WRITE : effects);
  if (v.kind == KNOWN) return piece(v.bits, bytes, effects);
  if (v.kind == WITHIN && pv_vm_object_span(c->f->space->vm, v.bits, &base, &size))
    return piece(base, size, t.effects);
  if (v.kind == OWN) return (struct pv_touch){.own = 1, .effects = t.effects};
  return t;
}

/* The walk over one stretch. */
struct walk {
  struct scope c;
  const struct pv_function *fn;
  struct deeds *out;
  uint64_t *guards;          /* by location: passed on every way to it */
  const struct deeds **call; /* by edge: of what it calls */
  uint64_t *gain;            /* by edge: the guards that it adds */
  unsigned depth;
};

static const struct deeds *deeds_at(struct pv_future *f, uint32_t function, pv_loc loc,
                                    const struct value *var, const struct value *slot,
                                    unsigned depth);

static const struct deeds *called(const struct walk *w, uint32_t callee, const struct value *args,
                                  uint32_t n) {
  struct pv_future *f = w->c.f;
  const struct pv_function *fn = &f->p->functions.at[callee];
  if (!fn->defined || w->depth >= DEPTH_MAX) return f->deeds.at[ANYTHING];
  struct value *var = pv_alloc((fn->vars.n + 1) * sizeof *var);
  struct value *slot = pv_alloc((fn->slots.n + 1) * sizeof *slot);
  for (uint32_t i = 0; i < fn->n_params && i < n; i++) {
    unsigned bits = pv_type_bits(fn->vars.at[i].type);
    var[i] = args[i];
    if (args[i].kind == KNOWN) var[i].bits &= mask(bits);
  }
  for (uint32_t i = 0; i < fn->slots.n; i++) slot[i].kind = OWN;
  const struct deeds *d = deeds_at(f, callee, fn->entry, var, slot, w->depth + 1);
  free(var);
  free(slot);
  return d;
}

/* Where a call leads if its address is not known: to one function, to none (an error), or to
 * several, whose number is returned. */
static uint32_t targets(const struct walk *w, uint32_t edge, uint32_t *callee) {
  struct pv_future *f = w->c.f;
  const struct pv_edge *e = &w->fn->edges.at[edge];
  struct value to = evaluate(&w->c, e->e[0]);
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

static const struct deeds *call_deeds(const struct walk *w, uint32_t edge) {
  struct pv_future *f = w->c.f;
  const struct pv_edge *e = &w->fn->edges.at[edge];
  uint32_t callee = e->callee, n = 1;
  struct value args[16];
  if (callee == PV_NO_FUNC) n = targets(w, edge, &callee);
  if (!n) return f->deeds.at[NOTHING];
  if (n > 1 || e->args.n > 16) return f->deeds.at[ANYTHING];
  for (uint32_t i = 0; i < e->args.n; i++) args[i] = evaluate(&w->c, pv_arg(f->p, e->args, i));
  return called(w, callee, args, e->args.n);
}

static struct value prim_argument(const struct walk *w, const struct pv_edge *e, uint32_t i) {
  return i < e->args.n ? evaluate(&w->c, pv_arg(w->c.f->p, e->args, i)) : (struct value){0};
}

static const struct pv_prim *prim_of(const struct walk *w, const struct pv_edge *e) {
  return w->c.f->p->prims.at[e->aux].prim;
}

static void add_guarded(const struct walk *w, struct pv_touch t, uint64_t guards) {
  t.guards = guards;
  add(w->out, t);
}

static void add_thread_deeds(const struct walk *w, const struct pv_edge *e, unsigned effects,
                             uint64_t guards) {
  struct pv_future *f = w->c.f;
  add_guarded(w, at_threads(effects), guards);
  if (effects & PV_EFF_SPAWN) {
    struct value args[2] = {prim_argument(w, e, 1), prim_argument(w, e, 2)};
    add_guarded(w, access_of(&w->c, prim_argument(w, e, 0), 8, PV_EFF_WRITE), guards);
    add_all(w->out,
            f->thread_main == PV_NO_FUNC ? f->deeds.at[ANYTHING]
                                         : called(w, f->thread_main, args, 2),
            guards);
  }
  struct value result = prim_argument(w, e, 1);
  if ((effects & PV_EFF_JOIN) && (result.kind != KNOWN || result.bits))
    add_guarded(w, access_of(&w->c, result, 8, PV_EFF_WRITE), guards);
  if (effects & PV_EFF_EXIT) add_guarded(w, own_end(), guards);
}

static void add_prim(const struct walk *w, const struct pv_edge *e, uint64_t guards) {
  const struct pv_prim *prim = prim_of(w, e);
  bool on_threads;
  unsigned effects = pv_prim_effects(prim->name, &on_threads);
  if (on_threads) {
    add_thread_deeds(w, e, effects, guards);
    return;
  }
  for (unsigned i = 0; prim->class == PV_PRIM_OBJECT && i < (prim->two_objects ? 2u : 1u); i++) {
    struct value at = prim_argument(w, e, i);
    struct pv_touch t[2];
    if (at.kind == KNOWN)
      sync_touches(at.bits, effects, t);
    else
      t[0] = t[1] = access_of(&w->c, at, 0,
                              effects | PV_EFF_READ | (effects & PV_EFF_SYNC ? PV_EFF_WRITE : 0));
    for (unsigned k = 0; k < 2; k++) add_guarded(w, t[k], guards);
  }
}

static void add_block(const struct walk *w, pv_expr at, pv_expr length, unsigned effects,
                      uint64_t guards) {
  struct value v = evaluate(&w->c, at), n = evaluate(&w->c, length);
  if (v.kind == KNOWN && n.kind != KNOWN) v.kind = WITHIN;
  add_guarded(w, access_of(&w->c, v, n.bits, effects), guards);
}

static void add_access(const struct walk *w, const struct pv_edge *e, unsigned effects,
                       uint64_t guards) {
  struct value at = evaluate(&w->c, e->e[0]);
  add_guarded(w, access_of(&w->c, at, pv_type_bytes(e->type), effects), guards);
}

static void add_edge(const struct walk *w, const struct stretch *s, uint32_t edge) {
  const struct pv_edge *e = &w->fn->edges.at[edge];
  uint64_t guards = w->guards[e->from];
  struct value v;
  if (guards == ALL_GUARDS) return; /* nothing comes here */
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
  case PV_OP_ALLOC: add_guarded(w, at_heap(), guards); break;
  case PV_OP_FREE:
    v = evaluate(&w->c, e->e[0]);
    if (v.kind == KNOWN) v.kind = WITHIN;
    add_guarded(w, at_heap(), guards);
    add_guarded(w, access_of(&w->c, v, 1, PV_EFF_WRITE), guards);
    break;
  case PV_OP_LIVE:
  case PV_OP_DEAD: add_guarded(w, own_end(), guards); break;
  case PV_OP_RETURN:
    if (s->ends_frame) add_guarded(w, own_end(), guards);
    w->out->guards &= guards;
    break;
  case PV_OP_PRIM: add_prim(w, e, guards); break;
  case PV_OP_CALL: add_all(w->out, w->call[edge], guards); break;
  default: break;
  }
}

static void look_at_edge(const struct walk *w, uint32_t edge) {
  const struct pv_edge *e = &w->fn->edges.at[edge];
  if (e->op == PV_OP_CALL) {
    w->call[edge] = call_deeds(w, edge);
    w->gain[edge] = w->call[edge]->guards;
  } else if (e->op == PV_OP_PRIM && is_lock(prim_of(w, e))) {
    struct value at = prim_argument(w, e, 0);
    if (at.kind == KNOWN) w->gain[edge] = lock_bit(w->c.f, prim_of(w, e), at.bits);
  }
}

static void find_guards(struct walk *w, const struct stretch *s) {
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

static void do_stretch(struct pv_future *f, const struct stretch *s, const struct value *var,
                       const struct value *slot, unsigned depth, struct deeds *out) {
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
  if (out->at.n > TOUCHES_MAX) anything(out);
  free(w.c.var);
  free(w.c.slot);
  free(w.guards);
  free(w.call);
  free(w.gain);
}

static const struct deeds *deeds_at(struct pv_future *f, uint32_t function, pv_loc loc,
                                    const struct value *var, const struct value *slot,
                                    unsigned depth) {
  struct stretch *s = find_stretch(f, function, loc);
  uint32_t n = 1 + s->vars.n + s->slots.n;
  struct value *key = pv_alloc(n * sizeof *key);
  bool is_new;
  key[0].bits = (uint64_t)function << 32 | loc;
  for (uint32_t i = 0; i < s->vars.n; i++) key[1 + i] = var[s->vars.at[i]];
  for (uint32_t i = 0; i < s->slots.n; i++) key[1 + s->vars.n + i] = slot[s->slots.at[i]];
  uint32_t at = f->deeds.n;
  if (at < KNOWN_MAX && f->work < WORK_MAX)
    at = *pv_map_put(&f->deeds_of, key, n * sizeof *key, at, &is_new);
  else
    is_new = false, at = 0;
  free(key);
  if (!is_new) return f->deeds.at[at];
  f->work += s->edges.n;
  pv_vec_push(&f->deeds, f->deeds.at[ANYTHING]); /* while it is looked at: for calls of itself */
  struct deeds *d = pv_alloc(sizeof *d);
  d->number = at;
  do_stretch(f, s, var, slot, depth, d);
  return f->deeds.at[at] = d;
}

/* ---- frames and stacks ------------------------------------------------------------------------
 */
static const struct deeds *frame_deeds(struct pv_future *f, unsigned thread, uint32_t depth) {
  struct pv_vm *vm = f->space->vm;
  uint32_t function;
  pv_loc loc;
  pv_space_load(f->space);
  pv_vm_frame(vm, thread, depth, &function, &loc);
  const struct pv_function *fn = &f->p->functions.at[function];
  const struct stretch *s = find_stretch(f, function, loc);
  struct value *var = pv_alloc((fn->vars.n + 1) * sizeof *var);
  struct value *slot = pv_alloc((fn->slots.n + 1) * sizeof *slot);
  for (uint32_t i = 0; i < s->vars.n; i++)
    var[s->vars.at[i]] = known(pv_vm_frame_variable(vm, thread, depth, s->vars.at[i]));
  for (uint32_t i = 0; i < s->slots.n; i++) {
    uint64_t at = pv_vm_frame_slot(vm, thread, depth, s->slots.at[i]);
    slot[s->slots.at[i]] = at ? known(at) : (struct value){.kind = OWN};
  }
  const struct pv_edge *call = pv_vm_frame_call(vm, thread, depth); /* its results are to come */
  for (uint32_t i = 0; call && i < call->dsts.n; i++)
    if (pv_arg(f->p, call->dsts, i) != PV_NO_VAR)
      var[pv_arg(f->p, call->dsts, i)] = (struct value){0};
  const struct deeds *d = deeds_at(f, function, loc, var, slot, 0);
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
  struct deeds *d = pv_alloc(sizeof *d);
  for (uint32_t i = 0; i < n && d->guards != ALL_GUARDS && d->at.n <= TOUCHES_MAX; i++) {
    const struct deeds *more = f->deeds.at[numbers[i]];
    add_all(d, more, d->guards);
    d->guards |= more->guards;
  }
  if (d->at.n > TOUCHES_MAX) anything(d);
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
    uint32_t slot = hash(key, 1) % FRAMES;
    if (f->frames[slot].frame != key) {
      f->frames[slot].deeds = frame_deeds(f, thread, i);
      f->frames[slot].frame = key;
    }
    pv_vec_push(&numbers, f->frames[slot].deeds->number);
    if (f->frames[slot].deeds->guards == ALL_GUARDS) break; /* nothing below is come to */
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

/* Do what is touched by one thread and the doing of another one have a place in common? */
static bool meet(const struct pv_future *f, const struct pv_touch *t, unsigned mine,
                 const struct pv_touch *o, unsigned other) {
  if (t->own && o->own) return false;
  if (t->own) return o->high - o->low == PV_MEMORY_END || ends_with(f, o->low, mine);
  if (o->own) return ends_with(f, t->low, other);
  return t->low < o->high && o->low < t->high;
}

/* Additions commute, but not to parts of each other. */
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
  struct answer *a = &f->answers[hash((uint64_t)future << 32 | key, thread + 2) % ANSWERS];
  if (a->touched == key && a->future == future + 1 && a->thread == thread) return a;
  *a = (struct answer){.future = future + 1, .touched = key, .thread = (uint8_t)thread};
  const struct deeds *d = f->futures.at[future];
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
struct pv_future *pv_future_new(struct pv_space *space, const struct pv_program *p) {
  struct pv_future *f = pv_alloc(sizeof *f);
  f->space = space;
  f->p = p;
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
  struct deeds *all = pv_alloc(sizeof *all), *none = pv_alloc(sizeof *none);
  anything(all);
  none->number = NOTHING;
  none->guards = ALL_GUARDS; /* the path ends there */
  pv_vec_push(&f->deeds, all);
  pv_vec_push(&f->deeds, none);
  stack_future(f, &all->number, 1); /* ANYTHING, too */
  return f;
}

static void free_deeds(struct deeds *d) {
  pv_vec_free(&d->at);
  free(d);
}

void pv_future_free(struct pv_future *f) {
  if (!f) return;
  for (uint32_t i = 0; i < f->stretches.n; i++) {
    pv_vec_free(&f->stretches.at[i]->edges);
    pv_vec_free(&f->stretches.at[i]->vars);
    pv_vec_free(&f->stretches.at[i]->slots);
    free(f->stretches.at[i]);
  }
  for (uint32_t i = 0; i < f->deeds.n; i++) free_deeds(f->deeds.at[i]);
  for (uint32_t i = 0; i < f->futures.n; i++) free_deeds(f->futures.at[i]);
  for (uint32_t i = 0; i < f->touched.n; i++) free(f->touched.at[i]);
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) pv_vec_free(&f->last[t].leaves);
  pv_points_to_free(f->points_to);
  free(f->callees);
  pv_vec_free(&f->stretches);
  pv_vec_free(&f->deeds);
  pv_vec_free(&f->futures);
  pv_vec_free(&f->touched);
  pv_map_free(&f->stretch_of);
  pv_map_free(&f->deeds_of);
  pv_map_free(&f->stack_of);
  pv_map_free(&f->touched_of);
  free(f->parked);
  free(f->frames);
  free(f->answers);
  free(f->openings);
  free(f->closed);
  free(f);
}
