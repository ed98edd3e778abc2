/* dependence_function.c -- creates the nodes and arcs of one function. */
#include "analysis/control_dependence.h"
#include "analysis/dependence_internal.h"
#include "analysis/reaching.h"

#include "sched/sched.h"

struct function {
  struct pv_dep_build *b;
  const struct pv_function *f;
  struct pv_dep_procedure *q; /* d->procedures does not grow any more */
  uint32_t index;
  struct pv_control_dependence *control;
  uint32_t *pass;        /* by location: its PASS node + 1 */
  PV_VEC(pv_loc) passes; /* ... whose arcs are not created yet */
  uint32_t branches;
  struct pv_graph lives; /* from a slot to the locations where its lifetime begins */
  pv_reaching_events events;
  uint32_t *first; /* by location: its events */
  /* Those that are things in this function; they have the numbers vars.n + i. */
  PV_VEC(uint32_t) groups;
  PV_VEC(uint32_t) results; /* nodes of RETURN edges, n_results each */
  PV_VEC(uint32_t) todo;    /* expressions */
};

static void add_arc(struct function *x, uint32_t from, uint32_t to) {
  struct pv_arc arc = {from - x->q->first, to};
  pv_vec_push(&x->b->arcs, arc);
}

static uint32_t statement(const struct function *x, pv_loc l) {
  return x->q->first + l;
}

static uint32_t new_node(struct function *x, enum pv_dep_kind kind, uint32_t number) {
  return pv_dep_node(x->b->d, kind, x->index, number);
}

/* ---- events ---------------------------------------------------------------------------------- */
static void event(struct function *x, enum pv_event_kind kind, uint32_t thing, uint32_t node) {
  struct pv_reaching_event e = {thing, node, kind};
  pv_vec_push(&x->events, e);
}

/* Adds uses of all variables in the expression. */
static void use(struct function *x, uint32_t node, pv_expr e) {
  struct pv_dep_build *b = x->b;
  if (!e) return;
  pv_vec_push(&x->todo, e);
  while (x->todo.n) {
    pv_expr at = pv_vec_pop(&x->todo);
    const struct pv_expr_node *n = pv_node(b->p, at);
    if (b->seen[at] == b->stamp) continue;
    b->seen[at] = b->stamp;
    if (n->op == PV_X_VAR) event(x, PV_EVENT_USE, (uint32_t)n->lo, node);
    if (!pv_expr_ops[n->op].arity) continue;
    if (n->a) pv_vec_push(&x->todo, n->a);
    if (n->b) pv_vec_push(&x->todo, n->b);
    if (n->c) pv_vec_push(&x->todo, n->c);
  }
}

/* Further uses belong to another node. */
static void begin_uses(struct function *x) {
  x->b->stamp++;
}

static void set(struct function *x, uint32_t var, uint32_t node) {
  if (var != PV_NO_VAR) event(x, PV_EVENT_SET, var, node);
}

static uint32_t thing_of(struct function *x, uint32_t group) {
  struct pv_dep_build *b = x->b;
  if (!b->thing[group] || b->thing_at[group] != x->index + 1) {
    b->thing_at[group] = x->index + 1;
    pv_vec_push(&x->groups, group);
    b->thing[group] = x->groups.n;
  }
  return x->f->vars.n + b->thing[group] - 1;
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* Calls `with` for the nodes of a wide group that this function accesses. */
static void for_wide(struct function *x, uint32_t group, uint32_t node,
                     void (*with)(struct function *x, uint32_t node, uint32_t wide)) {
  struct pv_dep_build *b = x->b;
  uint64_t kinds = pv_accesses_threads(b->accesses, group);
  uint64_t own = pv_call_graph_threads(b->calls, x->index);
  uint32_t wide = b->wide_node[group];
  if (b->d->options.between_threads && pv_accesses_between_threads(b->accesses, group)) {
    with(x, node, wide);
    return;
  }
  for (; kinds; kinds &= kinds - 1, wide++)
    if (own & kinds & -kinds) with(x, node, wide);
}

static void read_wide(struct function *x, uint32_t node, uint32_t wide) {
  add_arc(x, node, wide);
}

static void write_wide(struct function *x, uint32_t node, uint32_t wide) {
  struct pv_arc arc = {wide, node};
  pv_vec_push(&x->b->wide_arcs, arc);
}

static void read_memory(struct function *x, uint32_t node, uint32_t edge) {
  uint32_t n;
  const uint32_t *groups = pv_accesses_read(x->b->accesses, x->index, edge, &n);
  for (uint32_t i = 0; i < n; i++)
    if (x->b->is_wide[groups[i]])
      for_wide(x, groups[i], node, read_wide);
    else
      event(x, PV_EVENT_USE, thing_of(x, groups[i]), node);
}

static void write_memory(struct function *x, uint32_t node, uint32_t edge) {
  uint32_t n;
  bool all;
  const uint32_t *groups = pv_accesses_written(x->b->accesses, x->index, edge, &n, &all);
  for (uint32_t i = 0; i < n; i++) {
    if (x->b->is_wide[groups[i]]) {
      for_wide(x, groups[i], node, write_wide);
      continue;
    }
    if (all) {
      event(x, PV_EVENT_SET, thing_of(x, groups[i]), node);
      continue;
    }
    uint32_t version = new_node(x, PV_DEP_VERSION, groups[i]);
    add_arc(x, version, node);
    event(x, PV_EVENT_SET_PART, thing_of(x, groups[i]), version);
  }
}

/* A write to a whole slot does not depend on its former content, but on its being alive. */
static void need_life(struct function *x, uint32_t node, uint32_t edge) {
  uint32_t slot = pv_accesses_slot(x->b->accesses, x->index, edge);
  if (slot == PV_NO_SLOT || !x->f->slots.at[slot].scoped) return;
  for (uint32_t i = x->lives.first[slot]; i < x->lives.first[slot + 1]; i++)
    add_arc(x, node, statement(x, x->lives.to[i]));
}

static void find_lives(struct function *x) {
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < x->f->edges.n; i++) {
    const struct pv_edge *e = &x->f->edges.at[i];
    struct pv_arc arc = {e->aux, e->from};
    if (e->op == PV_OP_LIVE) pv_vec_push(&arcs, arc);
  }
  x->lives = pv_graph_new(x->f->slots.n, &arcs);
  pv_vec_free(&arcs);
}

/* ---- calls ----------------------------------------------------------------------------------- */
static uint32_t group_at(const struct function *x, struct pv_dep_list list, uint32_t i) {
  return x->b->d->groups.at[list.first + i];
}

static void send(struct function *x, struct pv_dep_site *s, pv_loc at) {
  const struct pv_edge *e = &x->f->edges.at[s->edge];
  const struct pv_dep_procedure *q = &x->b->d->procedures.at[s->procedure];
  struct pv_dependence *d = x->b->d;
  uint32_t site = (uint32_t)(s - d->sites.at), n = q->n_params + q->area, skip = s->spawns ? 1 : 0;
  s->sent = d->kind.n;
  for (uint32_t i = 0; i < n + s->in.n; i++) {
    uint32_t node = pv_dep_node(d, PV_DEP_SENT, site, i);
    begin_uses(x);
    add_arc(x, node, statement(x, at));
    if (i >= n)
      event(x, PV_EVENT_USE, thing_of(x, group_at(x, s->in, i - n)), node);
    else if (q->area && i == q->n_params)
      use(x, node, e->e[1]);
    else if (i + skip < e->args.n)
      use(x, node, pv_arg(x->b->p, e->args, i + skip));
  }
}

static void get(struct function *x, struct pv_dep_site *s, pv_loc at) {
  const struct pv_edge *e = &x->f->edges.at[s->edge];
  const struct pv_dep_procedure *q = &x->b->d->procedures.at[s->procedure];
  struct pv_dependence *d = x->b->d;
  uint32_t site = (uint32_t)(s - d->sites.at);
  s->got = d->kind.n;
  for (uint32_t i = 0; i <= q->n_results + s->out.n; i++)
    add_arc(x, pv_dep_node(d, PV_DEP_GOT, site, i), statement(x, at));
  for (uint32_t i = 0; i < e->dsts.n; i++)
    set(x, pv_arg(x->b->p, e->dsts, i), i < q->n_results ? s->got + i : statement(x, at));
  for (uint32_t i = 0; i < s->out.n; i++)
    event(x, PV_EVENT_SET, thing_of(x, group_at(x, s->out, i)), s->got + q->n_results + 1 + i);
}

static struct pv_dep_site *site_at(const struct function *x, uint32_t edge) {
  return (struct pv_dep_site *)(uintptr_t)pv_dep_site_at(x->b->d, x->index, edge);
}

static void look_at_call(struct function *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  struct pv_dep_site *s = site_at(x, edge);
  uint32_t node = statement(x, e->from);
  begin_uses(x);
  use(x, node, e->e[0]);
  if (s) {
    send(x, s, e->from);
    get(x, s, e->from);
    return;
  }
  use(x, node, e->e[1]); /* it has no callees: nothing to distinguish */
  for (uint32_t i = 0; i < e->args.n; i++) use(x, node, pv_arg(x->b->p, e->args, i));
  for (uint32_t i = 0; i < e->dsts.n; i++) set(x, pv_arg(x->b->p, e->dsts, i), node);
}

/* The start function and its argument are uses of the new thread. */
static void look_at_creation(struct function *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  struct pv_dep_site *s = site_at(x, edge);
  uint32_t node = statement(x, e->from);
  begin_uses(x);
  for (uint32_t i = 0; i < e->args.n; i++)
    if (!s || i == 0 || i > 2) use(x, node, pv_arg(x->b->p, e->args, i));
  if (s) send(x, s, e->from);
}

static void look_at_return(struct function *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  struct pv_dep_return r = {edge, x->b->d->kind.n};
  pv_vec_push(&x->b->d->returns, r);
  for (uint32_t i = 0; i < x->q->n_results; i++) {
    uint32_t node = new_node(x, PV_DEP_RESULT, i);
    begin_uses(x);
    add_arc(x, node, statement(x, e->from));
    if (i < e->args.n) use(x, node, pv_arg(x->b->p, e->args, i));
    pv_vec_push(&x->results, node);
  }
}

/* ---- statements ------------------------------------------------------------------------------ */
/* The operands that determine where an operation takes place; the others determine its value. */
static unsigned place_operands(const struct pv_edge *e) {
  switch ((enum pv_op)e->op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_FREE: return 1;
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_PRINT:
  case PV_OP_CHECK:
  case PV_OP_PRIM: return 7;
  default: return 0;
  }
}

static void add_place(struct function *x, pv_loc l) {
  const struct pv_location *at = &x->f->locs.at[l];
  const struct pv_edge *e = &x->f->edges.at[at->first_out];
  if (at->n_out != 1 || !place_operands(e) || pv_creates_thread(x->b->p, e)) return;
  pv_vec_push(&x->b->d->places, new_node(x, PV_DEP_PLACE, l));
}

static uint32_t place(const struct function *x, pv_loc l) {
  return pv_dep_place(x->b->d, x->index, l);
}

static void look_at_place(struct function *x, uint32_t node, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  unsigned operands = place_operands(e);
  begin_uses(x);
  for (int i = 0; i < 3; i++)
    if (operands >> i & 1) use(x, node, e->e[i]);
  for (uint32_t i = 0; i < e->args.n && e->op == PV_OP_PRIM; i++)
    use(x, node, pv_arg(x->b->p, e->args, i));
  need_life(x, node, edge);
  add_arc(x, statement(x, e->from), node);
}

static void look_at_edge(struct function *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  uint32_t node = statement(x, e->from);
  if (e->op == PV_OP_CALL) {
    look_at_call(x, edge);
    return;
  }
  if (e->op == PV_OP_RETURN) {
    look_at_return(x, edge);
    return;
  }
  uint32_t at = place(x, e->from);
  if (at != PV_NO_GRAPH_NODE) look_at_place(x, at, edge);
  begin_uses(x);
  for (int i = 0; i < 3; i++) use(x, node, e->e[i]);
  if (pv_creates_thread(x->b->p, e))
    look_at_creation(x, edge);
  else
    for (uint32_t i = 0; i < e->args.n; i++) use(x, node, pv_arg(x->b->p, e->args, i));
  read_memory(x, node, edge);
  set(x, e->dst, node);
  set(x, e->dst2, node);
  write_memory(x, node, edge);
}

static void give_memory(struct function *x) {
  for (uint32_t i = 0; i < x->q->out.n; i++)
    event(x, PV_EVENT_USE, thing_of(x, group_at(x, x->q->out, i)),
          x->q->out_at + x->q->n_results + 1 + i);
}

static void look_at_all(struct function *x) {
  for (pv_loc l = 0; l < x->f->locs.n; l++) {
    const struct pv_location *at = &x->f->locs.at[l];
    x->first[l] = x->events.n;
    for (uint32_t i = 0; i < at->n_out; i++) look_at_edge(x, at->first_out + i);
    if (l == x->f->exit) give_memory(x);
  }
  x->first[x->f->locs.n] = x->events.n;
  for (uint32_t i = 0; i < x->results.n; i++)
    add_arc(x, x->q->out_at + i % x->q->n_results, x->results.at[i]);
}

/* ---- control --------------------------------------------------------------------------------- */
/* The node on which everything depends that is control dependent on the location. */
static uint32_t source(struct function *x, pv_loc l) {
  if (l == PV_AT_ENTRY) return x->q->entry;
  const struct pv_location *at = &x->f->locs.at[l];
  const struct pv_edge *e = &x->f->edges.at[at->first_out];
  unsigned alternatives = x->b->d->options.ends ? PV_MAY_STOP : PV_MAY_STOP | PV_MAY_STAY;
  if (at->n_out != 1) return statement(x, l);
  if (pv_may_not_go_on(x->b->termination, x->index, at->first_out) & alternatives) {
    const struct pv_dep_site *s = e->op == PV_OP_CALL ? site_at(x, at->first_out) : NULL;
    return s ? s->got + x->b->d->procedures.at[s->procedure].n_results : statement(x, l);
  }
  if (!x->pass[l]) { /* part of an endless loop */
    x->pass[l] = new_node(x, PV_DEP_PASS, l) + 1;
    pv_vec_push(&x->passes, l);
  }
  return x->pass[l] - 1;
}

static void depend_on_control(struct function *x, uint32_t node, pv_loc at) {
  uint32_t n;
  const pv_loc *controlling = pv_controlling(x->control, at, &n);
  if (pv_control_is_coarse(x->control)) {
    add_arc(x, node, x->branches);
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t to = source(x, controlling[i]);
    if (to != node) add_arc(x, node, to);
  }
}

static void add_branches(struct function *x) {
  uint32_t n;
  if (!pv_control_is_coarse(x->control)) return;
  const pv_loc *all = pv_controlling(x->control, x->f->entry, &n);
  x->branches = new_node(x, PV_DEP_BRANCHES, 0);
  for (uint32_t i = 0; i < n; i++) add_arc(x, x->branches, source(x, all[i]));
  x->b->d->stats.coarse++;
}

static void look_at_control(struct function *x) {
  unsigned alternatives = x->b->d->options.ends ? PV_MAY_STOP : PV_MAY_STOP | PV_MAY_STAY;
  uint8_t *may_stay = pv_alloc(x->f->locs.n + 1);
  pv_may_stay(x->b->termination, x->index, alternatives, may_stay);
  x->control = pv_control_dependence_new(x->f, may_stay);
  add_branches(x);
  for (pv_loc l = 0; l < x->f->locs.n; l++) {
    uint32_t at = place(x, l);
    if (l != x->f->exit) depend_on_control(x, at != PV_NO_GRAPH_NODE ? at : statement(x, l), l);
  }
  depend_on_control(x, x->q->out_at + x->q->n_results, x->f->exit); /* whether it returns */
  while (x->passes.n) {
    pv_loc l = pv_vec_pop(&x->passes);
    depend_on_control(x, x->pass[l] - 1, l);
  }
  pv_control_dependence_free(x->control);
  free(may_stay);
}

/* ---- definitions ----------------------------------------------------------------------------- */
static uint32_t new_merge(void *user) {
  return new_node(user, PV_DEP_MERGE, 0);
}

static void arc_between(void *user, uint32_t from, uint32_t to) {
  add_arc(user, from, to);
}

static void look_at_settings(struct function *x) {
  uint32_t n = x->f->vars.n + x->groups.n, fixed = x->q->n_params + x->q->area;
  uint32_t *at_entry = pv_alloc((n + 1) * sizeof *at_entry);
  memset(at_entry, 0xff, n * sizeof *at_entry);
  for (uint32_t i = 0; i < fixed && i < x->f->vars.n; i++) at_entry[i] = x->q->in_at + i;
  for (uint32_t i = 0; i < x->q->in.n; i++) {
    uint32_t group = group_at(x, x->q->in, i);
    if (x->b->thing_at[group] == x->index + 1)
      at_entry[thing_of(x, group)] = x->q->in_at + fixed + i;
  }
  struct pv_reaching r = {.f = x->f,
                          .n_things = n,
                          .events = &x->events,
                          .first = x->first,
                          .at_entry = at_entry,
                          .new_node = new_merge,
                          .arc = arc_between,
                          .user = x};
  pv_reach(&r);
  free(at_entry);
}

/* ---- all ------------------------------------------------------------------------------------- */
static void add_nodes(struct function *x) {
  struct pv_dep_procedure *q = x->q;
  struct pv_dependence *d = x->b->d;
  q->first = d->kind.n;
  for (pv_loc l = 0; l < x->f->locs.n; l++) new_node(x, PV_DEP_STATEMENT, l);
  q->places = d->places.n;
  for (pv_loc l = 0; l < x->f->locs.n; l++) add_place(x, l);
  q->n_places = d->places.n - q->places;
  q->entry = new_node(x, PV_DEP_ENTRY, 0);
  q->in_at = d->kind.n;
  for (uint32_t i = 0; i < pv_dep_n_in(q); i++) new_node(x, PV_DEP_IN, i);
  q->out_at = d->kind.n;
  for (uint32_t i = 0; i < pv_dep_n_out(q); i++) new_node(x, PV_DEP_OUT, i);
}

/* Stores the arcs of the function's nodes, in the order of the nodes, after those of earlier
 * functions. */
static void keep_arcs(struct function *x) {
  struct pv_dependence *d = x->b->d;
  struct pv_graph g;
  pv_arcs *arcs = &x->b->arcs;
  uint32_t n = x->q->end - x->q->first, before = d->to.n;
  g.n = n;
  g.first = pv_alloc(((size_t)n + 2) * sizeof *g.first);
  for (uint32_t i = 0; i < arcs->n; i++) g.first[arcs->at[i].from + 1]++;
  for (uint32_t v = 0; v < n; v++) g.first[v + 1] += g.first[v];
  for (uint32_t v = 0; v < n; v++) pv_vec_push(&d->first, before + g.first[v]);
  pv_vec_reserve(&d->to, before + arcs->n);
  d->to.n = before + arcs->n;
  for (uint32_t i = 0; i < arcs->n; i++)
    d->to.at[before + g.first[arcs->at[i].from]++] = arcs->at[i].to;
  free(g.first);
  arcs->n = 0;
}

void pv_dep_build_function(struct pv_dep_build *b, uint32_t function) {
  struct function x = {.b = b,
                       .f = &b->p->functions.at[function],
                       .q = &b->d->procedures.at[function],
                       .index = function};
  if (!x.q->runs) return;
  x.pass = pv_alloc((x.f->locs.n + 1) * sizeof *x.pass);
  x.first = pv_alloc((x.f->locs.n + 2) * sizeof *x.first);
  add_nodes(&x);
  x.q->returns = b->d->returns.n;
  find_lives(&x);
  look_at_all(&x);
  look_at_control(&x);
  look_at_settings(&x);
  x.q->end = b->d->kind.n;
  x.q->n_returns = b->d->returns.n - x.q->returns;
  keep_arcs(&x);
  free(x.pass);
  free(x.first);
  pv_graph_free(&x.lives);
  pv_vec_free(&x.passes);
  pv_vec_free(&x.events);
  pv_vec_free(&x.groups);
  pv_vec_free(&x.results);
  pv_vec_free(&x.todo);
}
