#include "analysis/input_classes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/input_values.h"

enum {
  STEPS = 8000,     /* a bound on evaluated edges */
  DEPTH = 48,       /* a bound on nested calls */
  STATES = 8,       /* states at one location before they are joined */
  JOINS = 24,       /* joins at one location before values that still change are given up */
  ROUNDS = 16,      /* repetitions of the analysis while further slots turn out to be shared */
  SLOT_BYTES = 4096 /* larger slots are treated as shared */
};

struct pv_input_classes {
  struct pv_input_domains domains;
};

/* ---- states: variables of the current function, and parts of slots of all frames ------------ */

/* A part of a slot. size 0: the variable `slot`; depth and offset are 0. */
struct place {
  uint32_t depth, slot, offset, size;
};
struct entry {
  struct place at;
  uint32_t value; /* in x->values */
};
struct state {
  PV_VEC(struct entry) entries; /* sorted by place; absent: no value of an input */
  bool reached;
};

struct walk {
  const struct pv_program *p;
  struct pv_input_domains *d;
  bool *contains;    /* by function: does it, or a callee, read an input? */
  bool *on_stack;    /* by function: it is being analysed */
  uint8_t **shared;  /* by function and slot */
  bool found_shared; /* in this round */
  bool given_up;
  bool order_matters;                 /* the answer to PV_QUERY_ORDER */
  PV_VEC(struct pv_sum) major, minor; /* the inputs for which it was asked */
  uint32_t steps;
  uint32_t depth;
  uint32_t function_at[DEPTH + 1]; /* by depth */
  PV_VEC(struct pv_origin) values;
  struct pv_map numbers; /* struct pv_origin -> its index in `values` */
};

static uint32_t number_of(struct walk *x, const struct pv_origin *v) {
  bool fresh;
  uint32_t number = *pv_map_put(&x->numbers, v, sizeof *v, x->values.n, &fresh);
  if (fresh) pv_vec_push(&x->values, *v);
  return number;
}

static int compare_places(const struct place *a, const struct place *b) {
  const uint32_t as[] = {a->depth, a->slot, a->offset, a->size};
  const uint32_t bs[] = {b->depth, b->slot, b->offset, b->size};
  bool var_a = !a->size, var_b = !b->size;
  if (var_a != var_b) return var_a ? -1 : 1;
  for (unsigned i = 0; i < 4; i++)
    if (as[i] != bs[i]) return as[i] < bs[i] ? -1 : 1;
  return 0;
}

/* The first entry at the place or after it. */
static uint32_t find(const struct state *s, const struct place *at) {
  uint32_t low = 0, high = s->entries.n;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (compare_places(&s->entries.at[middle].at, at) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct pv_origin get(const struct walk *x, const struct state *s, const struct place *at) {
  uint32_t i = find(s, at);
  if (i < s->entries.n && compare_places(&s->entries.at[i].at, at) == 0)
    return x->values.at[s->entries.at[i].value];
  return pv_origin_other();
}

static void put(struct walk *x, struct state *s, const struct place *at,
                const struct pv_origin *v) {
  uint32_t i = find(s, at);
  bool there = i < s->entries.n && compare_places(&s->entries.at[i].at, at) == 0;
  if (pv_origin_is_other(v)) {
    if (!there) return;
    memmove(s->entries.at + i, s->entries.at + i + 1,
            (s->entries.n - i - 1) * sizeof *s->entries.at);
    s->entries.n--;
    return;
  }
  if (!there) {
    struct entry none = {0};
    pv_vec_push(&s->entries, none);
    memmove(s->entries.at + i + 1, s->entries.at + i,
            (s->entries.n - 1 - i) * sizeof *s->entries.at);
    s->entries.at[i].at = *at;
  }
  s->entries.at[i].value = number_of(x, v);
}

static void copy(struct state *to, const struct state *from) {
  to->reached = from->reached;
  to->entries.n = 0;
  for (uint32_t i = 0; i < from->entries.n; i++) pv_vec_push(&to->entries, from->entries.at[i]);
}

/* ---- giving up values ------------------------------------------------------------------------ */
/* The address may become known elsewhere: marks its slot as shared. */
static void share(struct walk *x, const struct pv_origin *v) {
  if (!v->is_address) return;
  uint8_t *shared = &x->shared[x->function_at[v->depth]][v->slot];
  if (!*shared) x->found_shared = true;
  *shared = 1;
}

/* The value flows to where it is not tracked: gives up its inputs. */
static void lose(struct walk *x, const struct pv_origin *v) {
  share(x, v);
  pv_origin_open(x->d, v);
}

static struct pv_origin join(struct walk *x, const struct pv_origin *a, const struct pv_origin *b) {
  if (memcmp(a, b, sizeof *a) == 0) return *a;
  if (!a->is_address && !b->is_address) return pv_origin_join(x->d, a, b);
  share(x, a);
  share(x, b);
  struct pv_origin other = pv_origin_other();
  return a->is_address && b->is_address ? other
         : a->is_address                ? pv_origin_join(x->d, b, &other)
                                        : pv_origin_join(x->d, a, &other);
}

/* Joins `from` into `to`. Returns true if `to` changed. `tired`: values that change are given
 * up. */
static bool join_states(struct walk *x, struct state *to, const struct state *from, bool tired) {
  if (!to->reached) {
    copy(to, from);
    return to->reached;
  }
  struct state result = {.reached = true};
  bool changed = false;
  for (uint32_t i = 0, k = 0; i < to->entries.n || k < from->entries.n;) {
    int c = i == to->entries.n     ? 1
            : k == from->entries.n ? -1
                                   : compare_places(&to->entries.at[i].at, &from->entries.at[k].at);
    struct place at = c <= 0 ? to->entries.at[i].at : from->entries.at[k].at;
    struct pv_origin a = pv_origin_other(), b = a;
    if (c <= 0) a = x->values.at[to->entries.at[i++].value];
    if (c >= 0) b = x->values.at[from->entries.at[k++].value];
    struct pv_origin v = join(x, &a, &b);
    bool differs = memcmp(&v, &a, sizeof v) != 0;
    changed |= differs;
    if (differs && tired) {
      lose(x, &v);
      v = pv_origin_other();
    }
    if (pv_origin_is_other(&v)) continue;
    struct entry e = {at, number_of(x, &v)};
    pv_vec_push(&result.entries, e);
  }
  pv_vec_free(&to->entries);
  to->entries.at = result.entries.at, to->entries.n = result.entries.n;
  to->entries.cap = result.entries.cap;
  return changed;
}

/* Bytes of a slot change to unknown values. size 0: the whole slot. */
static void forget(struct walk *x, struct state *s, uint32_t depth, uint32_t slot, int64_t from,
                   uint64_t size) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->entries.n; i++) {
    const struct entry *e = &s->entries.at[i];
    bool inside = e->at.size && e->at.depth == depth && e->at.slot == slot;
    bool touched = inside && (!size || ((int64_t)e->at.offset < from + (int64_t)size &&
                                        from < (int64_t)e->at.offset + e->at.size));
    bool whole = !size || ((int64_t)e->at.offset >= from &&
                           (int64_t)e->at.offset + e->at.size <= from + (int64_t)size);
    if (touched && !whole) lose(x, &x->values.at[e->value]);
    if (!touched) s->entries.at[kept++] = *e;
  }
  s->entries.n = kept;
}

/* ---- expressions ----------------------------------------------------------------------------- */
static struct place variable(uint32_t var) {
  return (struct place){0, var, 0, 0};
}

static struct pv_origin evaluate(struct walk *x, const struct state *s, pv_expr e);

static struct pv_origin constant(const struct pv_expr_node *n) {
  unsigned w = pv_type_bits(n->type);
  if (pv_type_kind(n->type) == PV_T_FLOAT || w > 64) return pv_origin_other();
  if (w == 1 || w == 64) return pv_origin_number((int64_t)n->lo);
  return pv_origin_number((int64_t)(n->lo << (64 - w)) >> (64 - w));
}

static struct pv_origin slot_address(struct walk *x, uint32_t slot) {
  uint32_t f = x->function_at[x->depth];
  if (x->shared[f][slot] || x->p->functions.at[f].slots.at[slot].size > SLOT_BYTES)
    return pv_origin_other();
  return pv_origin_address(x->depth, slot);
}

static struct pv_origin beyond(struct walk *x, const struct pv_origin *a,
                               const struct pv_origin *b) {
  int64_t by, offset;
  if (a->is_address && pv_origin_is_number(b, &by) &&
      !__builtin_add_overflow(a->offset, by, &offset) && offset >= 0 && offset <= SLOT_BYTES) {
    struct pv_origin v = *a;
    v.offset = offset;
    return v;
  }
  lose(x, a);
  lose(x, b);
  return pv_origin_other();
}

static struct pv_origin select_value(struct walk *x, const struct state *s,
                                     const struct pv_expr_node *n) {
  struct pv_origin c = evaluate(x, s, n->a);
  int64_t known;
  bool is_known = pv_origin_is_number(&c, &known);
  lose(x, &c);
  if (is_known) return evaluate(x, s, known ? n->b : n->c);
  struct pv_origin a = evaluate(x, s, n->b), b = evaluate(x, s, n->c);
  return join(x, &a, &b);
}

/* An operand that is an address. Comparisons do not pass it on. */
static struct pv_origin of_addresses(struct walk *x, const struct pv_expr_node *n,
                                     const struct pv_origin *a, const struct pv_origin *b) {
  int64_t null;
  const struct pv_origin *other = a->is_address ? b : a;
  bool with_null = pv_origin_is_number(other, &null) && !null;
  bool compares = n->op >= PV_X_EQ && n->op <= PV_X_SLE;
  if (with_null && (n->op == PV_X_EQ || n->op == PV_X_NE)) {
    return pv_origin_number(n->op == PV_X_NE);
  } else if (compares) {
    pv_origin_open(x->d, a);
    pv_origin_open(x->d, b);
  } else {
    lose(x, a);
    lose(x, b);
  }
  return pv_origin_other();
}

static struct pv_origin evaluate(struct walk *x, const struct state *s, pv_expr e) {
  const struct pv_expr_node *n = pv_node(x->p, e);
  switch (n->op) {
  case PV_X_CONST: return constant(n);
  case PV_X_VAR: {
    struct place at = variable((uint32_t)n->lo);
    return get(x, s, &at);
  }
  case PV_X_SLOT: return slot_address(x, (uint32_t)n->lo);
  case PV_X_SELECT: return select_value(x, s, n);
  default: break;
  }
  unsigned arity = pv_expr_ops[n->op].arity;
  if (!arity) return pv_origin_other();
  struct pv_origin a = evaluate(x, s, n->a), b = pv_origin_other();
  if (n->b) b = evaluate(x, s, n->b);
  if (n->op == PV_X_PTRADD) return beyond(x, &a, &b);
  if (a.is_address || b.is_address) return of_addresses(x, n, &a, &b);
  if (n->c) {
    struct pv_origin c = evaluate(x, s, n->c);
    lose(x, &c);
  }
  unsigned bits = pv_type_bits(pv_node(x->p, n->a)->type);
  bool ints = pv_type_kind(pv_node(x->p, n->a)->type) != PV_T_FLOAT &&
              (!n->b || pv_type_bits(pv_node(x->p, n->b)->type) == bits) && arity <= 2;
  if (ints) return pv_origin_compute(x->d, n, bits, &a, n->b ? &b : NULL);
  lose(x, &a);
  lose(x, &b);
  return pv_origin_other();
}

static void evaluate_lost(struct walk *x, const struct state *s, pv_expr e) {
  if (!e) return;
  struct pv_origin v = evaluate(x, s, e);
  lose(x, &v);
}

static void assign(struct walk *x, struct state *s, uint32_t var, const struct pv_origin *v) {
  struct place at = variable(var);
  if (var != PV_NO_VAR) put(x, s, &at, v);
}
static void assign_other(struct walk *x, struct state *s, uint32_t var) {
  struct pv_origin other = pv_origin_other();
  assign(x, s, var, &other);
}

/* ---- edges ----------------------------------------------------------------------------------- */
static struct place part(const struct pv_origin *address, uint64_t size) {
  return (struct place){address->depth, address->slot, (uint32_t)address->offset, (uint32_t)size};
}

static void load(struct walk *x, struct state *s, const struct pv_edge *e) {
  struct pv_origin address = evaluate(x, s, e->e[0]), v = pv_origin_other();
  pv_origin_open(x->d, &address);
  if (address.is_address) {
    struct place at = part(&address, pv_type_bytes(e->type));
    bool exact = !e->e[1] && pv_type_kind(e->type) != PV_T_FLOAT && at.size <= 8;
    if (exact) v = get(x, s, &at);
    for (uint32_t i = 0; i < s->entries.n; i++) { /* parts that differ from those stored */
      const struct place *o = &s->entries.at[i].at;
      bool overlaps = o->size && o->depth == at.depth && o->slot == at.slot &&
                      o->offset < at.offset + at.size && at.offset < o->offset + o->size;
      if (overlaps && !(exact && compare_places(o, &at) == 0))
        lose(x, &x->values.at[s->entries.at[i].value]);
    }
  }
  if (v.is_address && pv_type_kind(e->type) != PV_T_PTR) {
    lose(x, &v);
    v = pv_origin_other();
  }
  assign(x, s, e->dst, &v);
}

static void store(struct walk *x, struct state *s, const struct pv_edge *e) {
  struct pv_origin address = evaluate(x, s, e->e[0]), v = evaluate(x, s, e->e[1]);
  pv_origin_open(x->d, &address);
  unsigned bytes = pv_type_bytes(e->type);
  if (address.is_address) forget(x, s, address.depth, address.slot, address.offset, bytes);
  if (!address.is_address || e->e[2] || bytes > 8) {
    lose(x, &v);
    return;
  }
  struct place at = part(&address, bytes);
  put(x, s, &at, &v);
}

/* memcpy. Parts that are only partly in the range, or in a range of unknown length, are given
 * up. */
static void copy_memory(struct walk *x, struct state *s, const struct pv_edge *e) {
  struct pv_origin to = evaluate(x, s, e->e[0]), from = evaluate(x, s, e->e[1]);
  struct pv_origin length = evaluate(x, s, e->e[2]);
  int64_t n;
  bool known = pv_origin_is_number(&length, &n) && n >= 0 && n <= SLOT_BYTES;
  pv_origin_open(x->d, &to), pv_origin_open(x->d, &from), pv_origin_open(x->d, &length);
  PV_VEC(struct entry) moved = {0};
  for (uint32_t i = 0; from.is_address && i < s->entries.n; i++) {
    struct entry in = s->entries.at[i];
    if (!in.at.size || in.at.depth != from.depth || in.at.slot != from.slot) continue;
    int64_t first = (int64_t)in.at.offset - from.offset;
    if (known && (first >= n || first + in.at.size <= 0)) continue;
    bool follows = known && to.is_address && first >= 0 && first + in.at.size <= n;
    if (!follows) {
      lose(x, &x->values.at[in.value]);
      continue;
    }
    in.at.depth = to.depth, in.at.slot = to.slot;
    in.at.offset = (uint32_t)(to.offset + first);
    pv_vec_push(&moved, in);
  }
  if (to.is_address && !(known && n == 0))
    forget(x, s, to.depth, to.slot, to.offset, known ? (uint64_t)n : 0);
  for (uint32_t i = 0; i < moved.n; i++) {
    struct pv_origin v = x->values.at[moved.at[i].value];
    put(x, s, &moved.at[i].at, &v);
  }
  pv_vec_free(&moved);
}

/* A write of that many bytes through e[0]; 0: unknown number. */
static void overwrite(struct walk *x, struct state *s, const struct pv_edge *e, uint64_t size) {
  struct pv_origin to = evaluate(x, s, e->e[0]);
  pv_origin_open(x->d, &to);
  if (to.is_address) {
    for (uint32_t i = 0; i < s->entries.n; i++) /* it is also read, or partly overwritten */
      if (s->entries.at[i].at.size && s->entries.at[i].at.depth == to.depth &&
          s->entries.at[i].at.slot == to.slot)
        lose(x, &x->values.at[s->entries.at[i].value]);
    forget(x, s, to.depth, to.slot, to.offset, size);
  }
  evaluate_lost(x, s, e->e[1]);
  evaluate_lost(x, s, e->e[2]);
  assign_other(x, s, e->dst);
  assign_other(x, s, e->dst2);
}

/* The bounds of an input if they are constants. Returns false if it is not tracked. */
static bool bounds_of(const struct pv_program *p, const struct pv_edge *e, int64_t *low,
                      int64_t *high) {
  unsigned w = pv_type_bits(e->type);
  if (pv_type_kind(e->type) != PV_T_INT || w > 64 || w < 2 || e->aux == PV_HAVOC_TEXT) return false;
  *low = w == 64 ? INT64_MIN : -(INT64_C(1) << (w - 1));
  *high = -(*low + 1);
  if (!e->e[0]) return true;
  const struct pv_expr_node *a = pv_node(p, e->e[0]), *b = pv_node(p, e->e[1]);
  if (a->op != PV_X_CONST || b->op != PV_X_CONST || e->aux != PV_HAVOC_SIGNED) return false;
  struct pv_origin from = constant(a), to = constant(b);
  return pv_origin_is_number(&from, low) && pv_origin_is_number(&to, high) && *low <= *high;
}

static void input(struct walk *x, struct state *s, const struct pv_edge *e) {
  int64_t low, high;
  struct pv_origin v = pv_origin_other();
  if (bounds_of(x->p, e, &low, &high)) {
    struct pv_input_domain *in = &x->d->at[e->site];
    in->known = true, in->low = low, in->high = high;
    if (!in->open) v = pv_origin_input(e->site);
  } else {
    evaluate_lost(x, s, e->e[0]);
    evaluate_lost(x, s, e->e[1]);
  }
  assign(x, s, e->dst, &v);
}

static bool is_order_query(const struct pv_edge *e) {
  return e->op == PV_OP_QUERY && e->aux == PV_QUERY_ORDER;
}

/* Records the inputs for which the order is assumed to be irrelevant. */
static void ask_order(struct walk *x, struct state *s, const struct pv_edge *e) {
  struct pv_origin major = evaluate(x, s, e->e[0]), minor = evaluate(x, s, e->e[1]);
  bool plain = major.n == 1 && minor.n == 1 && !major.other && !minor.other;
  if (plain && !x->order_matters) {
    pv_vec_push(&x->major, major.sum[0]);
    pv_vec_push(&x->minor, minor.sum[0]);
  } else {
    x->order_matters = true;
  }
  struct pv_origin v = pv_origin_number(x->order_matters);
  assign(x, s, e->dst, &v);
}

/* Is the assumption about the order correct? */
static bool order_is_right(const struct walk *x) {
  for (uint32_t i = 0; i < x->major.n && !x->order_matters; i++) {
    const struct pv_sum *a = &x->major.at[i], *b = &x->minor.at[i];
    if (!a->input || !b->input || x->d->at[a->input - 1].open || x->d->at[b->input - 1].open ||
        x->d->at[a->input - 1].splits.n)
      return false;
  }
  return true;
}

static bool run(struct walk *x, uint32_t function, const struct state *in, struct state *out,
                struct pv_origin *results);

static void arguments_lost(struct walk *x, const struct state *s, const struct pv_edge *e) {
  for (int i = 0; i < 3; i++) evaluate_lost(x, s, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) evaluate_lost(x, s, pv_arg(x->p, e->args, i));
}

/* The state at the entry of a function: its parameters, and the slots of all frames. */
static void entry_state(struct walk *x, const struct state *s, const struct pv_edge *e,
                        struct state *in) {
  in->reached = true;
  for (uint32_t i = 0; i < e->args.n && i < x->p->functions.at[e->callee].n_params; i++) {
    struct pv_origin v = evaluate(x, s, pv_arg(x->p, e->args, i));
    assign(x, in, i, &v);
  }
  for (uint32_t i = 0; i < s->entries.n; i++)
    if (s->entries.at[i].at.size) pv_vec_push(&in->entries, s->entries.at[i]);
}

/* Is the function independent of everything that is tracked? */
static bool is_apart(struct walk *x, const struct state *s, const struct pv_edge *e) {
  if (x->contains[e->callee]) return false;
  if (e->e[1]) {
    struct pv_origin area = evaluate(x, s, e->e[1]);
    if (area.is_address) return false;
  }
  for (uint32_t i = 0; i < e->args.n; i++) {
    struct pv_origin v = evaluate(x, s, pv_arg(x->p, e->args, i));
    if (v.is_address || pv_origin_has_input(&v)) return false;
  }
  return true;
}

/* Analyses a call. Returns false if it does not return. */
static bool call(struct walk *x, struct state *s, const struct pv_edge *e) {
  bool direct = e->callee != PV_NO_FUNC && x->p->functions.at[e->callee].defined;
  bool returns = true;
  struct pv_origin results[4] = {pv_origin_other(), pv_origin_other(), pv_origin_other(),
                                 pv_origin_other()};
  if (!direct) {
    arguments_lost(x, s, e);
  } else if (!is_apart(x, s, e)) {
    evaluate_lost(x, s, e->e[1]);
    for (uint32_t i = x->p->functions.at[e->callee].n_params; i < e->args.n; i++)
      evaluate_lost(x, s, pv_arg(x->p, e->args, i));
    struct state in = {0}, out = {0};
    entry_state(x, s, e, &in);
    returns = run(x, e->callee, &in, &out, results);
    uint32_t kept = 0; /* number of variables; slots are as the function leaves them */
    while (kept < s->entries.n && !s->entries.at[kept].at.size) kept++;
    s->entries.n = kept;
    for (uint32_t i = 0; i < out.entries.n; i++) {
      const struct place *at = &out.entries.at[i].at;
      if (at->size && at->depth <= x->depth) pv_vec_push(&s->entries, out.entries.at[i]);
    }
    pv_vec_free(&in.entries);
    pv_vec_free(&out.entries);
  }
  for (uint32_t i = 0; i < e->dsts.n && i < 4; i++)
    assign(x, s, pv_arg(x->p, e->dsts, i), &results[i]);
  return returns;
}

/* Evaluates an edge. Returns false if control does not continue. */
static bool step(struct walk *x, struct state *s, const struct pv_edge *e) {
  struct pv_origin v;
  int64_t known;
  switch ((enum pv_op)e->op) {
  case PV_OP_ASSUME:
    v = evaluate(x, s, e->e[0]);
    lose(x, &v);
    return !pv_origin_is_number(&v, &known) || known;
  case PV_OP_ASSIGN:
    v = evaluate(x, s, e->e[0]);
    assign(x, s, e->dst, &v);
    return true;
  case PV_OP_HAVOC: input(x, s, e); return true;
  case PV_OP_LOAD: load(x, s, e); return true;
  case PV_OP_STORE: store(x, s, e); return true;
  case PV_OP_COPY: copy_memory(x, s, e); return true;
  case PV_OP_FILL:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: overwrite(x, s, e, 0); return true;
  case PV_OP_LIVE:
  case PV_OP_DEAD:
    if (e->op == PV_OP_LIVE || !(e->flags & PV_EF_HELD)) forget(x, s, x->depth, e->aux, 0, 0);
    return true;
  case PV_OP_CALL: return call(x, s, e);
  case PV_OP_STOP: arguments_lost(x, s, e); return false;
  default:
    if (is_order_query(e)) {
      ask_order(x, s, e);
      return true;
    }
    arguments_lost(x, s, e);
    assign_other(x, s, e->dst);
    assign_other(x, s, e->dst2);
    return true;
  }
}

/* ---- functions ------------------------------------------------------------------------------- */
struct visit {
  struct point {
    struct state at[STATES]; /* they differ in the values that come from inputs */
    uint32_t n, joins;
    uint32_t waits;    /* bits by state: it changed and was not processed since */
  } * at;              /* by location */
  PV_VEC(pv_loc) todo; /* locations with unprocessed states */
  bool returns;
};

static uint32_t input_at(const struct walk *x, const struct state *s, uint32_t i) {
  uint32_t value = s->entries.at[i].value;
  return pv_origin_has_input(&x->values.at[value]) ? value + 1 : 0;
}

/* Do both states agree about the values that come from inputs? */
static bool agree(const struct walk *x, const struct state *a, const struct state *b) {
  uint32_t i = 0, k = 0;
  for (;;) {
    while (i < a->entries.n && !input_at(x, a, i)) i++;
    while (k < b->entries.n && !input_at(x, b, k)) k++;
    if (i == a->entries.n || k == b->entries.n) return i == a->entries.n && k == b->entries.n;
    const struct entry *e = &a->entries.at[i++], *g = &b->entries.at[k++];
    if (compare_places(&e->at, &g->at) != 0 || e->value != g->value) return false;
  }
}

/* Joins states that agree about inputs; others only if there are too many. */
static void arrive(struct walk *x, struct visit *v, pv_loc at, const struct state *s) {
  struct point *p = &v->at[at];
  uint32_t to = 0;
  while (to < p->n && !agree(x, &p->at[to], s)) to++;
  if (to == STATES) to--;
  if (to == p->n) p->n++;
  if (!join_states(x, &p->at[to], s, p->joins > JOINS)) return;
  p->joins++;
  if (!p->waits) pv_vec_push(&v->todo, at);
  p->waits |= 1u << to;
}

static void leave(struct walk *x, struct visit *v, const struct pv_edge *e, const struct state *s,
                  struct state *out, struct pv_origin *results) {
  for (uint32_t i = 0; i < e->args.n && i < 4; i++) {
    struct pv_origin r = evaluate(x, s, pv_arg(x->p, e->args, i));
    results[i] = v->returns ? join(x, &results[i], &r) : r;
  }
  v->returns = true;
  join_states(x, out, s, false);
}

/* Takes the lowest location first, so that predecessors are usually processed before. */
static pv_loc next_location(struct visit *v) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < v->todo.n; i++)
    if (v->todo.at[i] < v->todo.at[best]) best = i;
  pv_loc at = v->todo.at[best];
  v->todo.at[best] = pv_vec_last(&v->todo);
  v->todo.n--;
  return at;
}

static void walk_function(struct walk *x, const struct pv_function *f, struct visit *v,
                          struct state *out, struct pv_origin *results) {
  struct state from = {0}, s = {0};
  while (v->todo.n && !x->given_up) {
    pv_loc at = next_location(v);
    const struct pv_location *l = &f->locs.at[at];
    while (v->at[at].waits && !x->given_up) {
      unsigned which = (unsigned)__builtin_ctz(v->at[at].waits);
      v->at[at].waits &= v->at[at].waits - 1;
      copy(&from, &v->at[at].at[which]); /* a copy, because an edge may lead back here */
      for (uint32_t i = 0; i < l->n_out && !x->given_up; i++) {
        const struct pv_edge *e = &f->edges.at[l->first_out + i];
        if (++x->steps > STEPS) x->given_up = true;
        copy(&s, &from);
        if (e->op == PV_OP_RETURN)
          leave(x, v, e, &s, out, results);
        else if (step(x, &s, e))
          arrive(x, v, e->to, &s);
      }
    }
  }
  pv_vec_free(&from.entries);
  pv_vec_free(&s.entries);
}

static bool run(struct walk *x, uint32_t function, const struct state *in, struct state *out,
                struct pv_origin *results) {
  const struct pv_function *f = &x->p->functions.at[function];
  if (x->depth == DEPTH || x->on_stack[function]) x->given_up = true;
  if (x->given_up) return false;
  struct visit v = {.at = pv_alloc((f->locs.n + 1) * sizeof *v.at)};
  x->function_at[++x->depth] = function;
  x->on_stack[function] = true;
  arrive(x, &v, f->entry, in);
  walk_function(x, f, &v, out, results);
  for (uint32_t i = 0; v.returns && i < 4; i++) /* its own slots do not exist any more */
    if (results[i].is_address && results[i].depth == x->depth) results[i] = pv_origin_other();
  x->on_stack[function] = false;
  x->depth--;
  for (uint32_t i = 0; i < f->locs.n; i++)
    for (uint32_t k = 0; k < v.at[i].n; k++) pv_vec_free(&v.at[i].at[k].entries);
  free(v.at);
  pv_vec_free(&v.todo);
  return v.returns;
}

/* ---- the program ----------------------------------------------------------------------------- */
static void find_inputs(struct walk *x) {
  const struct pv_program *p = x->p;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->functions.n; i++) {
      const struct pv_function *f = &p->functions.at[i];
      for (uint32_t k = 0; k < f->edges.n && !x->contains[i]; k++) {
        const struct pv_edge *e = &f->edges.at[k];
        bool calls = e->op == PV_OP_CALL && e->callee != PV_NO_FUNC && x->contains[e->callee];
        if (e->op == PV_OP_HAVOC || calls) x->contains[i] = changed = true;
      }
    }
  }
}

/* By function: may control enter it by other ways than direct calls? */
static bool *find_roots(const struct pv_program *p) {
  bool *root = pv_alloc(p->functions.n + 1);
  root[p->start] = true;
  for (uint32_t i = 1; i < p->exprs.n; i++)
    if (p->exprs.at[i].op == PV_X_FUNC) root[p->exprs.at[i].lo] = true;
  for (uint32_t i = 0; i < p->invariants.n; i++) root[p->invariants.at[i]] = true;
  return root;
}

static void analyse(struct walk *x) {
  bool *root = find_roots(x->p);
  x->found_shared = false;
  for (uint32_t i = 0; i < x->p->functions.n && !x->given_up; i++) {
    if (!root[i] || !x->contains[i] || !x->p->functions.at[i].defined) continue;
    struct state in = {.reached = true}, out = {0};
    struct pv_origin results[4] = {pv_origin_other(), pv_origin_other(), pv_origin_other(),
                                   pv_origin_other()};
    run(x, i, &in, &out, results);
    for (unsigned k = 0; k < 4; k++) pv_origin_open(x->d, &results[k]);
    pv_vec_free(&in.entries);
    pv_vec_free(&out.entries);
  }
  free(root);
}

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static struct pv_input_classes *find_classes(const struct pv_program *p, bool *order_matters) {
  struct pv_input_classes *c = pv_alloc(sizeof *c);
  c->domains.n = p->n_sites;
  c->domains.at = pv_alloc((p->n_sites + 1) * sizeof *c->domains.at);
  uint32_t n = p->functions.n + 1;
  struct walk x = {.p = p,
                   .d = &c->domains,
                   .contains = pv_alloc(n),
                   .on_stack = pv_alloc(n),
                   .shared = pv_alloc(n * sizeof *x.shared),
                   .given_up = p->has_jumps};
  for (uint32_t i = 0; i < p->functions.n; i++)
    x.shared[i] = pv_alloc(p->functions.at[i].slots.n + 1);
  find_inputs(&x);
  unsigned rounds = 0;
  do {
    analyse(&x);
    if (!order_is_right(&x)) x.order_matters = x.found_shared = true; /* repeat */
  } while (x.found_shared && !x.given_up && ++rounds < ROUNDS);
  bool open = x.given_up || x.found_shared;
  *order_matters = x.order_matters || open;
  for (uint32_t i = 0; i < c->domains.n; i++) {
    struct pv_input_domain *in = &c->domains.at[i];
    in->open |= open || !in->known;
    if (in->open) continue;
    pv_vec_push(&in->splits, in->low);
    qsort(in->splits.at, in->splits.n, sizeof *in->splits.at, by_size);
  }
  for (uint32_t i = 0; i < p->functions.n; i++) free(x.shared[i]);
  free(x.shared);
  free(x.contains);
  free(x.on_stack);
  pv_vec_free(&x.values);
  pv_map_free(&x.numbers);
  pv_vec_free(&x.major);
  pv_vec_free(&x.minor);
  return c;
}

struct pv_input_classes *pv_input_classes_new(const struct pv_program *p) {
  bool order_matters;
  return find_classes(p, &order_matters);
}

static bool asks_for_order(const struct pv_program *p) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++)
      if (is_order_query(&p->functions.at[i].edges.at[k])) return true;
  return false;
}

void pv_input_order_decide(struct pv_program *p) {
  bool matters;
  if (!asks_for_order(p)) return;
  pv_input_classes_free(find_classes(p, &matters));
  pv_expr answer = pv_mk_const(p, PV_INT(1), matters);
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      struct pv_edge *e = &p->functions.at[i].edges.at[k];
      if (!is_order_query(e)) continue;
      e->op = PV_OP_ASSIGN;
      e->aux = 0;
      e->e[0] = answer;
      e->e[1] = 0;
    }
}

void pv_input_classes_free(struct pv_input_classes *c) {
  if (!c) return;
  for (uint32_t i = 0; i < c->domains.n; i++) pv_vec_free(&c->domains.at[i].splits);
  free(c->domains.at);
  free(c);
}

const int64_t *pv_input_classes_get(const struct pv_input_classes *c, uint32_t site, uint32_t *n) {
  *n = 0;
  if (site >= c->domains.n || c->domains.at[site].open) return NULL;
  *n = c->domains.at[site].splits.n;
  return c->domains.at[site].splits.at;
}
