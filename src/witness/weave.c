#include "witness/weave_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool pv_witness_failed(const struct weaver *x) {
  return pv_weave_failed(&x->w);
}

void pv_witness_wrong(struct weaver *x, const struct pv_witness_place *at, const char *fmt, ...) {
  va_list ap;
  if (pv_witness_failed(x)) return;
  pv_str_addf(x->w.err, "%s:%u: ", x->witness->path, at->at);
  va_start(ap, fmt);
  pv_str_vaddf(x->w.err, fmt, ap);
  va_end(ap);
}

/* ---- code -------------------------------------------------------------------------------------
 */

static pv_expr load(struct weaver *x, uint32_t global) {
  struct pv_weave *w = &x->w;
  w->loads.n = 0;
  pv_expr value = pv_weave_load(w, pv_weave_global(w, global), PV_INT(32));
  if (x->threads) pv_vec_last(&w->f.edges).order = PV_ORDER_SEQ_CST;
  pv_vec_last(&w->f.edges).align = 4;
  w->loads.n = 0;
  return value;
}

static void store(struct weaver *x, uint32_t global, uint32_t value) {
  struct pv_edge e = pv_edge_of(PV_OP_STORE, 0, 0);
  e.e[0] = pv_weave_global(&x->w, global);
  e.e[1] = pv_mk_const(x->p, PV_INT(32), value);
  e.type = PV_INT(32);
  e.align = 4;
  e.order = x->threads ? PV_ORDER_SEQ_CST : PV_ORDER_NONE;
  pv_weave_emit(&x->w, e);
}

static void section(struct weaver *x, enum pv_op op) {
  if (x->threads) pv_weave_emit(&x->w, pv_edge_of(op, 0, 0));
}

/* The execution is none that is looked for. */
static void prune(struct weaver *x) {
  struct pv_edge e = pv_edge_of(PV_OP_STOP, 0, 0);
  e.aux = PV_STOP_ASSUME;
  pv_weave_emit(&x->w, e);
}

static pv_expr equals(struct weaver *x, pv_expr a, uint32_t value) {
  return pv_mk_binary(x->p, PV_X_EQ, 0, PV_INT(1), a, pv_mk_const(x->p, PV_INT(32), value));
}

/* Continues where the condition holds; the other case goes to `otherwise`. */
static void when(struct weaver *x, pv_expr condition, uint32_t aux, pv_loc otherwise) {
  pv_loc other = pv_weave_branch(&x->w, condition, aux), on = x->w.at;
  x->w.at = other;
  pv_weave_goto(&x->w, otherwise);
  x->w.at = on;
}

/* Continues in the waypoint's segment, in its thread. */
static void when_here(struct weaver *x, uint32_t item, pv_loc otherwise) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[item];
  when(x, equals(x, load(x, x->position), x->witness->segment.at[item]), x->observer + 1,
       otherwise);
  if (x->numbers) when(x, equals(x, load(x, x->own), y->thread + 1), 0, otherwise);
  /* one thread after the other gets its number */
  if (x->birth[item]) when(x, equals(x, load(x, x->pending), 0), 0, otherwise);
}

/* The first segment in which the waypoint is the next one of its thread. */
static uint32_t turn_of(const struct weaver *x, uint32_t item) {
  const struct pv_witness *y = x->witness;
  uint32_t from = 0, here = y->segment.at[item];
  for (uint32_t i = 0; i < y->waypoints.n; i++) {
    const struct pv_waypoint *other = &y->waypoints.at[i];
    uint32_t segment = y->segment.at[i];
    if (!other->avoid && other->thread == y->waypoints.at[item].thread && segment < here &&
        segment + 1 > from)
      from = segment + 1;
  }
  return from;
}

/* Ends executions in which the thread comes to its next waypoint, this one, while other threads
 * have waypoints before it, or while the thread that was created before has no number yet. */
static void end_early(struct weaver *x, uint32_t item) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[item];
  uint32_t here = x->witness->segment.at[item], from = turn_of(x, item);
  if (y->avoid || (from >= here && !x->birth[item])) return;
  pv_loc on = pv_loc_add(&x->w.f), early = pv_loc_add(&x->w.f);
  when(x, equals(x, load(x, x->own), y->thread + 1), 0, on);
  if (x->birth[item]) {
    pv_loc other = pv_loc_add(&x->w.f);
    when(x, equals(x, load(x, x->position), here), x->observer + 1, other);
    when(x, equals(x, load(x, x->pending), 0), 0, early);
    pv_weave_goto(&x->w, on);
    x->w.at = other;
  }
  pv_expr at = load(x, x->position);
  pv_expr first = pv_mk_const(x->p, PV_INT(32), from), end = pv_mk_const(x->p, PV_INT(32), here);
  when(x, pv_mk_binary(x->p, PV_X_ULT, 0, PV_INT(1), at, end), x->observer + 1, on);
  when(x, pv_mk_binary(x->p, PV_X_ULE, 0, PV_INT(1), first, at), x->observer + 1, on);
  pv_weave_goto(&x->w, early);
  x->w.at = early;
  prune(x);
  x->w.at = on;
}

static void pass(struct weaver *x, uint32_t item) {
  if (x->witness->waypoints.at[item].avoid) {
    prune(x);
    return;
  }
  store(x, x->position, x->witness->segment.at[item] + 1);
  if (x->birth[item] && x->numbers) store(x, x->pending, x->birth[item] + 1);
}

/* Where the waypoint is visited, but not passed. */
static void miss(struct weaver *x, uint32_t item, pv_loc join) {
  bool strict = (x->how & PV_WEAVE_STRICT) && !x->witness->waypoints.at[item].avoid;
  if (strict)
    prune(x);
  else
    pv_weave_goto(&x->w, join);
}

static pv_expr expression(struct weaver *x, const struct site *s,
                          const struct pv_witness_place *place, const char *value) {
  struct pv_automaton_transition t = {.assume = (char *)(uintptr_t)value,
                                      .assume_at = {place->at, 1}};
  struct pv_bindings none = {0};
  if (strchr(value, '$') || strchr(value, ';')) {
    pv_witness_wrong(x, place, "`%.60s` is no expression", value);
    return 0;
  }
  return pv_weave_guard(&x->w, &x->woven, &t, &s->at, &none);
}

static void weave_assumption(struct weaver *x, const struct site *s) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[s->item];
  pv_loc join = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  when_here(x, s->item, join);
  pv_expr holds = expression(x, s, &y->place, y->value);
  if (!holds) return;
  pv_loc other = pv_weave_branch(&x->w, holds, 0);
  pass(x, s->item);
  if (!y->avoid) pv_weave_goto(&x->w, join);
  x->w.at = other;
  miss(x, s->item, join);
  x->w.at = join;
  section(x, PV_OP_ATOMIC_END);
}

/* A call, or a branch that has the right value. */
static void weave_visit(struct weaver *x, const struct site *s) {
  pv_loc join = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  when_here(x, s->item, join);
  pass(x, s->item);
  if (!x->witness->waypoints.at[s->item].avoid) pv_weave_goto(&x->w, join);
  x->w.at = join;
  section(x, PV_OP_ATOMIC_END);
}

/* At the target: who comes early does not count, or ends. */
static void weave_target(struct weaver *x, const struct site *s) {
  bool cut = x->how & PV_WEAVE_CUT;
  if (!cut && !x->threads) return;
  pv_loc join = pv_loc_add(&x->w.f);
  pv_expr here = equals(x, load(x, x->position), x->witness->segment.at[s->item]);
  pv_loc other = pv_weave_branch(&x->w, here, x->observer + 1);
  pv_weave_goto(&x->w, join);
  x->w.at = other;
  if (cut)
    prune(x);
  else
    pv_weave_goto(&x->w, join);
  x->w.at = join;
}

/* Behind the target: there was no error. */
static void weave_miss(struct weaver *x, const struct site *s) {
  pv_loc join = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  when_here(x, s->item, join);
  prune(x);
  x->w.at = join;
  section(x, PV_OP_ATOMIC_END);
}

/* ---- results of calls -------------------------------------------------------------------------
 */

struct result {
  enum pv_expr_op op; /* EQ, NE, SLT, SLE */
  bool turned;        /* constant op result */
  uint64_t number;    /* as the bits of a double, if `real` */
  bool negative, real;
};

/* "\result == -3" */
static bool read_result(const char *text, struct result *r) {
  static const struct {
    const char *sign;
    enum pv_expr_op op;
    bool turned;
  } ops[] = {{"==", PV_X_EQ, false}, {"!=", PV_X_NE, false}, {"<=", PV_X_SLE, false},
             {">=", PV_X_SLE, true}, {"<", PV_X_SLT, false}, {">", PV_X_SLT, true}};
  static const char blank[] = " \t";
  const char *result = "\\result";
  char *end;
  *r = (struct result){.op = PV_X_COUNT};
  text += strspn(text, blank);
  if (strncmp(text, result, strlen(result)) != 0) return false;
  text += strlen(result);
  text += strspn(text, blank);
  for (size_t i = 0; i < sizeof ops / sizeof *ops && r->op == PV_X_COUNT; i++) {
    if (strncmp(text, ops[i].sign, strlen(ops[i].sign)) != 0) continue;
    r->op = ops[i].op;
    r->turned = ops[i].turned;
    text += strlen(ops[i].sign);
  }
  if (r->op == PV_X_COUNT) return false;
  text += strspn(text, blank);
  r->negative = *text == '-';
  text += r->negative;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  r->real = strpbrk(text, hex ? ".pP" : ".eE") != NULL;
  if (r->real) {
    double value = strtod(text, &end);
    if (r->negative) value = -value;
    memcpy(&r->number, &value, sizeof value);
    end += strspn(end, "fF");
  } else {
    r->number = strtoull(text, &end, 0);
    end += strspn(end, "uUlL");
  }
  end += strspn(end, blank);
  return !*end && !errno;
}

/* As for the values that are shown (explore/replay.c). */
static bool is_unsigned(const struct weaver *x, const struct pv_edge *e, uint32_t var,
                        pv_type type) {
  static const char *const others[] = {"size_t", "bool", "_Bool", "U8", "U16", "U32", "U64"};
  const char *name = e->op == PV_OP_HAVOC && e->text ? strstr(e->text, "nondet_") : NULL;
  pv_srctype t = x->w.was->vars.at[var].srctype;
  if (pv_type_bits(type) == 1) return true;
  if (!name) {
    enum pv_srctype_kind kind = x->p->srctypes.at[t].kind;
    return kind == PV_S_UNSIGNED || kind == PV_S_BOOL;
  }
  name += strlen("nondet_");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(name, others[i])) return true;
  return *name == 'u';
}

/* The constant of the type, or 0 if the type does not have it. */
static pv_expr constant_of(struct weaver *x, const struct result *r, pv_type type, bool unsign) {
  unsigned bits = pv_type_bits(type);
  double real = 0;
  if (pv_type_kind(type) == PV_T_FLOAT) {
    if (r->real)
      memcpy(&real, &r->number, sizeof real);
    else
      real = r->negative ? -(double)r->number : (double)r->number;
    float small = (float)real;
    uint64_t image = 0;
    if (bits == 64) memcpy(&image, &real, sizeof real);
    if (bits == 32) memcpy(&image, &small, sizeof small);
    return bits <= 64 ? pv_mk_const(x->p, type, image) : 0;
  }
  if (r->real || pv_type_kind(type) != PV_T_INT || bits > 64) return 0;
  uint64_t half = UINT64_C(1) << (bits - 1), all = half - 1 + half;
  if (unsign ? (r->negative && r->number) || r->number > all
             : r->number > half || (r->number == half && !r->negative))
    return 0;
  return pv_mk_const(x->p, type, (r->negative ? -r->number : r->number) & all);
}

static pv_expr test_of(struct weaver *x, const struct result *r, uint32_t var, pv_expr constant,
                       bool unsign) {
  pv_type type = x->w.was->vars.at[var].type;
  pv_expr value = pv_mk_var(x->p, type, var);
  pv_expr a = r->turned ? constant : value, b = r->turned ? value : constant;
  if (pv_type_kind(type) == PV_T_FLOAT) {
    struct pv_expr_node n = {.op = PV_X_FCMP, .type = PV_INT(1), .a = a, .b = b};
    n.aux = r->op == PV_X_EQ    ? PV_FCMP_OEQ
            : r->op == PV_X_NE  ? PV_FCMP_UNE
            : r->op == PV_X_SLT ? PV_FCMP_OLT
                                : PV_FCMP_OLE;
    return pv_mk(x->p, n);
  }
  enum pv_expr_op op = r->op;
  if (unsign && op == PV_X_SLT) op = PV_X_ULT;
  if (unsign && op == PV_X_SLE) op = PV_X_ULE;
  return pv_mk_binary(x->p, op, 0, PV_INT(1), a, b);
}

/* Is the constant one of the values that the input may have? */
static bool is_possible(const struct weaver *x, const struct pv_edge *e, pv_expr constant) {
  if (e->aux == PV_HAVOC_TEXT) return false;
  if (!e->e[0] || !e->e[1]) return true;
  const struct pv_expr_node *low = pv_node(x->p, e->e[0]), *high = pv_node(x->p, e->e[1]);
  const struct pv_expr_node *c = pv_node(x->p, constant);
  if (low->op != PV_X_CONST || high->op != PV_X_CONST) return false;
  unsigned shift = 64 - pv_type_bits(c->type);
  if (e->aux == PV_HAVOC_UNSIGNED) return c->lo >= low->lo && c->lo <= high->lo;
  int64_t v = (int64_t)(c->lo << shift), a = (int64_t)(low->lo << shift);
  return v >= a && v <= (int64_t)(high->lo << shift);
}

static uint32_t result_of(const struct weaver *x, const struct pv_edge *e) {
  return e->op == PV_OP_HAVOC ? e->dst : (uint32_t)x->p->arg_pool.at[e->dsts.at];
}

/* An input that has to be this constant is given it: before the edge `e`, which is left out then.
 */
static void give(struct weaver *x, const struct site *s, const struct pv_edge *e, pv_expr constant,
                 pv_loc behind) {
  pv_loc usual = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  when_here(x, s->item, usual);
  struct pv_edge choice = pv_edge_of(PV_OP_HAVOC, 0, 0);
  if (!(x->how & PV_WEAVE_STRICT)) {
    struct pv_variable v = {
        .name = pv_program_string(x->p, "follows"), .type = PV_INT(1), .is_temp = true};
    pv_vec_push(&x->w.f.vars, v);
    choice.type = PV_INT(1);
    choice.dst = x->w.f.vars.n - 1;
    choice.site = x->p->n_sites++;
    choice.text = pv_program_string(x->p, "choice of the witness");
    pv_weave_emit(&x->w, choice);
    when(x, pv_mk_var(x->p, PV_INT(1), choice.dst), 0, usual);
  }
  struct pv_edge assign = pv_edge_of(PV_OP_ASSIGN, 0, 0);
  assign.dst = e->dst;
  assign.e[0] = constant;
  pv_weave_emit(&x->w, assign);
  pass(x, s->item);
  section(x, PV_OP_ATOMIC_END);
  pv_weave_goto(&x->w, behind);
  x->w.at = usual;
  section(x, PV_OP_ATOMIC_END);
}

/* Reads the constraint; 0: it cannot hold here, or *r is none. */
static pv_expr wanted(struct weaver *x, const struct site *s, const struct pv_edge *e,
                      struct result *r) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[s->item];
  uint32_t var = result_of(x, e);
  if (!read_result(y->value, r)) {
    pv_witness_wrong(x, &y->place,
                     "`%.60s` cannot be followed: it has to compare \\result with a number",
                     y->value);
    return 0;
  }
  if (var == PV_NO_VAR) return 0;
  pv_type type = x->w.was->vars.at[var].type;
  return constant_of(x, r, type, is_unsigned(x, e, var, type));
}

static bool gives(const struct weaver *x, const struct site *s, const struct pv_edge *e,
                  const struct result *r) {
  return e->op == PV_OP_HAVOC && r->op == PV_X_EQ && !x->witness->waypoints.at[s->item].avoid;
}

/* After the call. */
static void weave_return(struct weaver *x, const struct site *s, const struct pv_edge *e) {
  struct result r;
  pv_expr constant = wanted(x, s, e, &r);
  if (pv_witness_failed(x) || gives(x, s, e, &r)) return;
  pv_loc join = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  when_here(x, s->item, join);
  if (!constant) {
    miss(x, s->item, join);
  } else {
    uint32_t var = result_of(x, e);
    bool unsign = is_unsigned(x, e, var, x->w.was->vars.at[var].type);
    pv_loc other = pv_weave_branch(&x->w, test_of(x, &r, var, constant, unsign), 0);
    pass(x, s->item);
    if (!x->witness->waypoints.at[s->item].avoid) pv_weave_goto(&x->w, join);
    x->w.at = other;
    miss(x, s->item, join);
  }
  x->w.at = join;
  section(x, PV_OP_ATOMIC_END);
}

/* ---- functions --------------------------------------------------------------------------------
 */

static void weave_invariant(struct weaver *x, const struct site *s) {
  const struct pv_witness_invariant *v = &x->witness->invariants.at[s->item];
  struct pv_edge e = pv_edge_of(PV_OP_ERROR, 0, 0);
  pv_loc join = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  pv_expr holds = expression(x, s, &v->place, v->value);
  if (!holds) return;
  pv_loc other = pv_weave_branch(&x->w, holds, 0);
  pv_weave_goto(&x->w, join);
  x->w.at = other;
  char *text = pv_format("the invariant `%.200s` of the witness does not hold", v->value);
  e.aux = PV_ERROR_OBSERVER;
  e.text = pv_program_string(x->p, text);
  free(text);
  pv_weave_emit(&x->w, e);
  pv_weave_goto(&x->w, join);
  x->w.at = join;
  section(x, PV_OP_ATOMIC_END);
}

static void weave_site(struct weaver *x, const struct site *s) {
  x->w.span = s->at.span;
  x->w.loads.n = 0;
  if (!x->witness->violation) {
    weave_invariant(x, s);
    return;
  }
  switch (x->witness->waypoints.at[s->item].kind) {
  case PV_WAYPOINT_ASSUMPTION: weave_assumption(x, s); break;
  case PV_WAYPOINT_BRANCHING:
  case PV_WAYPOINT_ENTER: weave_visit(x, s); break;
  case PV_WAYPOINT_RETURN: break;
  case PV_WAYPOINT_TARGET:
    if (s->after)
      weave_miss(x, s);
    else
      weave_target(x, s);
    break;
  }
}

/* An error call elsewhere, or too early, ends the path. */
static void guard_error(struct weaver *x, uint32_t edge) {
  const struct pv_edge *e = &x->w.was->edges.at[edge];
  if (!(x->how & PV_WEAVE_CUT) || e->op != PV_OP_ERROR || !x->witness->violation) return;
  pv_loc join = pv_loc_add(&x->w.f);
  if (!x->is_target[edge]) {
    prune(x);
    x->w.at = join;
    return;
  }
  pv_expr here = equals(x, load(x, x->position), x->witness->segments - 1);
  pv_loc other = pv_weave_branch(&x->w, here, x->observer + 1);
  pv_weave_goto(&x->w, join);
  x->w.at = other;
  prune(x);
  x->w.at = join;
}

/* Before any waypoint of the place is passed, because a visit that passes one does not count as an
 * early one of the next. */
static void end_early_ones(struct weaver *x, uint32_t first, uint32_t n, bool after) {
  bool any = false;
  if (!(x->how & PV_WEAVE_TURNS) || !x->numbers) return;
  for (uint32_t i = 0; i < x->sites.n; i++) {
    const struct site *s = &x->sites.at[i];
    bool target = x->witness->waypoints.at[s->item].kind == PV_WAYPOINT_TARGET;
    if (s->edge < first || s->edge >= first + n || s->after != after || (target && after)) continue;
    x->w.span = s->at.span;
    if (!any) section(x, PV_OP_ATOMIC_BEGIN);
    any = true;
    end_early(x, s->item);
  }
  if (any) section(x, PV_OP_ATOMIC_END);
}

/* The edges at a location are woven together, because branches share what comes before them. */
static void weave_location(struct weaver *x, uint32_t first, uint32_t n) {
  struct pv_weave *w = &x->w;
  w->at = w->was->edges.at[first].from;
  end_early_ones(x, first, n, false);
  for (uint32_t i = 0; i < x->sites.n && !pv_witness_failed(x); i++)
    if (x->sites.at[i].edge >= first && x->sites.at[i].edge < first + n && !x->sites.at[i].after)
      weave_site(x, &x->sites.at[i]);
  guard_error(x, first);
  pv_loc from = w->at;
  for (uint32_t k = first; k < first + n && !pv_witness_failed(x); k++) {
    struct pv_edge e = w->was->edges.at[k];
    pv_loc to = e.to;
    bool any = false;
    w->at = from;
    if (e.op == PV_OP_SKIP) e.text = NULL;
    for (uint32_t i = 0; i < x->sites.n; i++)
      any |= x->sites.at[i].edge == k && x->sites.at[i].after;
    for (uint32_t i = 0; i < x->sites.n && any && !pv_witness_failed(x); i++) {
      const struct site *s = &x->sites.at[i];
      struct result r;
      if (s->edge != k || !s->after || !x->witness->violation) continue;
      if (x->witness->waypoints.at[s->item].kind != PV_WAYPOINT_RETURN) continue;
      w->span = s->at.span;
      pv_expr constant = wanted(x, s, &e, &r);
      if (constant && gives(x, s, &e, &r) && is_possible(x, &e, constant))
        give(x, s, &e, constant, to);
    }
    e.from = w->at;
    if (any) e.to = w->at = pv_loc_add(&w->f);
    pv_vec_push(&w->f.edges, e);
    end_early_ones(x, k, 1, true);
    for (uint32_t i = 0; i < x->sites.n && any && !pv_witness_failed(x); i++) {
      const struct site *s = &x->sites.at[i];
      if (s->edge != k || !s->after) continue;
      w->span = s->at.span;
      if (x->witness->violation && x->witness->waypoints.at[s->item].kind == PV_WAYPOINT_RETURN)
        weave_return(x, s, &e);
      else
        weave_site(x, s);
    }
    if (any) pv_weave_goto(w, to);
  }
}

static bool is_named(const struct weaver *x, uint32_t thread) {
  for (uint32_t i = 0; i < x->witness->waypoints.n; i++) {
    const struct pv_waypoint *y = &x->witness->waypoints.at[i];
    if (!y->avoid && y->thread == thread) return true;
  }
  return false;
}

/* Threads that no waypoint names do nothing but to take their numbers. */
static void end_unnamed(struct weaver *x) {
  section(x, PV_OP_ATOMIC_BEGIN);
  for (uint32_t i = 0; i < x->witness->waypoints.n; i++) {
    if (!x->birth[i] || is_named(x, x->birth[i])) continue;
    pv_loc other = pv_weave_branch(&x->w, equals(x, load(x, x->own), x->birth[i] + 1), 0);
    prune(x);
    x->w.at = other;
  }
  section(x, PV_OP_ATOMIC_END);
}

/* A thread takes its number in its first step. */
static void weave_birth(struct weaver *x) {
  pv_loc join = pv_loc_add(&x->w.f);
  section(x, PV_OP_ATOMIC_BEGIN);
  when(x, equals(x, load(x, x->own), 0), 0, join);
  for (uint32_t i = 0; i < x->witness->waypoints.n; i++) {
    if (!x->birth[i]) continue;
    pv_expr mine = equals(x, load(x, x->pending), x->birth[i] + 1);
    pv_loc other = pv_weave_branch(&x->w, mine, 0);
    store(x, x->own, x->birth[i] + 1);
    store(x, x->pending, 0);
    pv_weave_goto(&x->w, join);
    x->w.at = other;
  }
  pv_weave_goto(&x->w, join);
  x->w.at = join;
  section(x, PV_OP_ATOMIC_END);
  if (x->how & PV_WEAVE_TURNS) end_unnamed(x);
}

static void begin_function(struct weaver *x, uint32_t function, const struct pv_function *was) {
  x->w.function = function;
  x->w.was = was;
  x->w.f = *was;
  x->w.f.edges = (__typeof__(was->edges)){0};
  x->w.f.locs = (__typeof__(was->locs)){0};
  x->w.f.vars = (__typeof__(was->vars)){0};
  for (uint32_t i = 0; i < was->locs.n; i++) pv_loc_add(&x->w.f);
  for (uint32_t i = 0; i < was->vars.n; i++) pv_vec_push(&x->w.f.vars, was->vars.at[i]);
  x->sites.n = 0;
  x->is_target = pv_alloc((was->edges.n + 1) * sizeof *x->is_target);
}

static void weave_function(struct weaver *x, uint32_t function, bool find, bool born) {
  struct pv_function was = x->p->functions.at[function];
  if (!was.defined || !was.edges.n) return;
  bool start = function == x->p->start && x->numbers;
  begin_function(x, function, &was);
  if (!was.is_model) pv_witness_find_sites(x);
  if (!find) {
    for (uint32_t i = 0; i < was.edges.n && !pv_witness_failed(x);) {
      uint32_t n = 1;
      while (i + n < was.edges.n && was.edges.at[i + n].from == was.edges.at[i].from) n++;
      weave_location(x, i, n);
      i += n;
    }
    if ((born || start) && !pv_witness_failed(x)) {
      pv_loc old = x->w.f.entry;
      x->w.span = was.span;
      x->w.f.entry = x->w.at = pv_loc_add(&x->w.f);
      if (start) store(x, x->own, 1);
      if (born) weave_birth(x);
      pv_weave_goto(&x->w, old);
    }
    pv_function_shorten(&x->w.f);
    pv_function_finish(x->p, &x->w.f);
    x->p->functions.at[function] = x->w.f;
    pv_vec_free(&was.edges);
    pv_vec_free(&was.locs);
    pv_vec_free(&was.vars);
  } else {
    pv_vec_free(&x->w.f.locs);
    pv_vec_free(&x->w.f.vars);
  }
  free(x->is_target);
}

/* ---- the program ------------------------------------------------------------------------------
 */

static uint32_t add_global(struct weaver *x, const char *name, bool thread_local) {
  struct pv_global g = {.name = pv_program_string(x->p, name), .size = 4, .align = 4};
  g.is_model = true;
  g.is_thread_local = thread_local;
  g.init = pv_alloc(4);
  pv_vec_push(&x->p->globals, g);
  return x->p->globals.n - 1;
}

static bool has_threads(const struct pv_program *p) {
  static const char create[] = "thread_create";
  for (uint32_t i = 0; i < p->prims.n; i++) {
    size_t n = strlen(p->prims.at[i].name);
    if (n >= sizeof create - 1 && !strcmp(p->prims.at[i].name + n - (sizeof create - 1), create))
      return true;
  }
  return false;
}

/* Functions whose addresses are taken may be the first of a thread. */
static bool *find_started(const struct pv_program *p) {
  bool *taken = pv_alloc((p->functions.n + 1) * sizeof *taken);
  for (uint32_t i = 1; i < p->exprs.n; i++)
    if (p->exprs.at[i].op == PV_X_FUNC) taken[p->exprs.at[i].lo] = true;
  return taken;
}

/* A witness that names a place that does not exist describes no execution. */
static void check_used(struct weaver *x) {
  const struct pv_witness *y = x->witness;
  for (uint32_t i = 0; i < y->waypoints.n; i++) {
    const struct pv_waypoint *w = &y->waypoints.at[i];
    if (!x->used[i] && !w->avoid)
      pv_witness_wrong(x, &w->place, "the program has nothing of this kind at %s:%u", w->place.file,
                       w->place.line);
  }
  for (uint32_t i = 0; i < y->invariants.n; i++)
    if (!x->used[i])
      pv_witness_wrong(x, &y->invariants.at[i].place, "the program has no such place: %s:%u",
                       y->invariants.at[i].place.file, y->invariants.at[i].place.line);
}

static void set_goal(struct weaver *x) {
  struct pv_goal *g = &x->p->goal;
  if (!x->witness->violation) return;
  g->set = true;
  g->global = x->position;
  g->value = x->witness->segments - 1;
  g->own = x->own;
  for (uint32_t i = 0; i < x->witness->waypoints.n; i++) {
    const struct pv_waypoint *y = &x->witness->waypoints.at[i];
    if (y->kind != PV_WAYPOINT_TARGET) continue;
    g->at[g->n++].thread = x->numbers ? y->thread + 1 : 0;
  }
}

enum pv_status pv_witness_weave(struct pv_program *p, const struct pv_witness *witness,
                                unsigned how, struct pv_str *err) {
  struct pv_str why = {0};
  uint32_t n_files = p->files.n, n_functions = p->functions.n, n = witness->waypoints.n;
  struct weaver x = {.p = p, .witness = witness, .how = how};
  if (witness->invariants.n > n) n = witness->invariants.n;
  x.w.p = p;
  x.w.err = &why;
  x.w.sources = pv_alloc((n_files + 1) * sizeof *x.w.sources);
  x.w.is_read = pv_alloc((n_files + 1) * sizeof *x.w.is_read);
  x.automaton.path = witness->path;
  x.woven.a = &x.automaton;
  x.used = pv_alloc((n + 1) * sizeof *x.used);
  x.birth = pv_alloc((n + 1) * sizeof *x.birth);
  x.threads = has_threads(p);
  x.numbers = x.threads && witness->violation && witness->version >= PV_WITNESS_2_2;
  x.position = add_global(&x, "__witness_position", false);
  x.pending = add_global(&x, "__witness_pending", false);
  x.own = add_global(&x, "__witness_thread", true);
  x.observer = p->observers.n;
  pv_vec_push(&p->observers, x.position);
  bool *started = find_started(p);
  /* First all places are found, because births are numbered in the order of the witness. */
  for (uint32_t i = 0; i < n_functions && !why.n; i++) weave_function(&x, i, true, false);
  for (uint32_t i = 0, born = 0; i < witness->waypoints.n; i++)
    if (x.birth[i]) x.birth[i] = ++born;
  check_used(&x);
  for (uint32_t i = 0; i < n_functions && !why.n; i++)
    weave_function(&x, i, false, x.numbers && started[i] && !p->functions.at[i].is_model);
  set_goal(&x);
  for (uint32_t i = 0; i < n_files; i++)
    if (x.w.is_read[i]) pv_source_free(&x.w.sources[i]);
  free(x.w.sources);
  free(x.w.is_read);
  free(x.used);
  free(x.birth);
  free(started);
  pv_vec_free(&x.sites);
  pv_vec_free(&x.w.loads);
  char *broken = why.n ? NULL : pv_program_verify(p);
  if (broken) pv_str_addf(err, "internal error: the witness was woven wrongly: %s", broken);
  if (why.n) pv_str_add(err, why.at);
  enum pv_status status = broken ? PV_E_INTERNAL : why.n ? PV_E_INPUT : PV_OK;
  free(broken);
  pv_str_free(&why);
  return status;
}
