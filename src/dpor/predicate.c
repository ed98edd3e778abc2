#include "dpor/predicate.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

static pv_properties undefined(void) {
  return PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_VALID_FREE);
}

/* Notes statements that show errors, whether threads park there or not. */
static void note_showing(struct pv_predicate *p, const pv_statements *list) {
  for (uint32_t i = 0; i < list->n; i++)
    pv_map_put(&p->shows, &list->at[i], sizeof list->at[i], 0, NULL);
}

/* ---- operations that may be undefined -------------------------------------------------------- */
struct undefined {
  struct pv_predicate *p;
  uint64_t *freed, *set; /* freed, set: sets of objects */
  bool may_end;          /* under this order, may an object have ended when it is accessed? */
};

static bool has(const uint64_t *set, uint32_t object) {
  return set[object / 64] >> object % 64 & 1;
}

/* May the object end while another thread can still access it? */
static bool ends_early(const struct undefined *u, uint32_t object) {
  const struct pv_pt_object *o = pv_points_to_object(u->p->pt, object);
  switch (o->kind) {
  case PV_PT_FUNCTION: return false;
  case PV_PT_GLOBAL: /* thread-local objects end with their thread */
    return u->p->program->globals.at[o->index].is_thread_local &&
           pv_points_to_escapes(u->p->pt, object);
  case PV_PT_HEAP:
    if (!has(u->freed, object)) return false; /* fall through */
  case PV_PT_SLOT:
  case PV_PT_ALLOCA: return pv_points_to_escapes(u->p->pt, object);
  case PV_PT_ANYTHING: break;
  }
  return true;
}

static bool may_have_ended(struct undefined *u, uint32_t function, pv_expr address) {
  uint32_t words = pv_points_to_words(u->p->pt);
  if (!address) return false;
  memset(u->set, 0, words * sizeof *u->set);
  if (pv_points_to_address(u->p->pt, function, address, u->set)) return true;
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t rest = u->set[w]; rest; rest &= rest - 1)
      if (ends_early(u, 64 * w + (uint32_t)__builtin_ctzll(rest))) return true;
  return false;
}

/* Adds a statement whose definedness depends on control, and possibly on objects that other threads
 * end. */
static void add_undefined(struct undefined *u, struct pv_statement s) {
  const struct pv_program *p = u->p->program;
  const struct pv_edge *e = &p->functions.at[s.function].edges.at[s.edge];
  bool ended = false;
  for (int i = 0; i < 3; i++) ended = ended || may_have_ended(u, s.function, e->e[i]);
  for (uint32_t i = 0; i < e->args.n && e->op == PV_OP_PRIM; i++)
    ended = ended || may_have_ended(u, s.function, pv_arg(p, e->args, i));
  if (ended)
    pv_slice_add(u->p->slice, s.function, s.edge);
  else
    pv_slice_add_place(u->p->slice, s.function, s.edge);
  u->may_end |= ended;
}

static void find_freed(struct undefined *u) {
  const struct pv_program *p = u->p->program;
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op == PV_OP_FREE) pv_points_to_address(u->p->pt, f, e->e[0], u->freed);
    }
}

static bool begins_or_ends(const struct pv_program *p, const struct pv_edge *e) {
  if (e->op == PV_OP_PRIM) return p->prims.at[e->aux].prim->role == PV_ROLE_EXITS;
  return e->op == PV_OP_FREE || e->op == PV_OP_ALLOC || e->op == PV_OP_LIVE ||
         e->op == PV_OP_DEAD || e->op == PV_OP_RETURN;
}

static void add_all_undefined(struct pv_predicate *p) {
  size_t words = pv_points_to_words(p->pt) + 1;
  pv_statements all = {0};
  struct undefined u = {
      .p = p, .freed = pv_alloc(words * sizeof *u.freed), .set = pv_alloc(words * sizeof *u.set)};
  struct pv_call_graph *calls = pv_call_graph_new(p->program, p->pt);
  struct pv_intervals *intervals = pv_intervals_new(p->program, p->pt, calls);
  find_freed(&u);
  pv_essential(p->program, p->pt, intervals, undefined(), &all);
  pv_intervals_free(intervals);
  pv_call_graph_free(calls);
  for (uint32_t i = 0; i < all.n; i++) add_undefined(&u, all.at[i]);
  note_showing(p, &all);
  for (uint32_t i = 0; i < p->shared.n && u.may_end; i++) {
    struct pv_statement s = p->shared.at[i];
    if (begins_or_ends(p->program, &p->program->functions.at[s.function].edges.at[s.edge]))
      pv_slice_add(p->slice, s.function, s.edge);
  }
  pv_vec_free(&all);
  free(u.freed);
  free(u.set);
}

/* Can execution continue with an arbitrary effect after the edge, not only end or produce any
 * value? */
static bool leads_anywhere(const struct pv_edge *e, bool defined) {
  bool known = e->op == PV_OP_STOP && e->aux == PV_STOP_UNREACHABLE;
  known = known || (e->op == PV_OP_CHECK &&
                    (e->aux == PV_CHECK_UNREACHABLE || e->aux == PV_CHECK_VLA_BOUND));
  bool cut = e->op == PV_OP_STOP &&
             (e->aux == PV_STOP_UNSUPPORTED || e->aux == PV_STOP_BOUND || e->aux == PV_STOP_TRIED);
  return cut || (known && defined);
}

static void add_what_leads_anywhere(struct pv_predicate *p, bool defined) {
  for (uint32_t f = 0; f < p->program->functions.n; f++)
    for (uint32_t i = 0; i < p->program->functions.at[f].edges.n; i++)
      if (leads_anywhere(&p->program->functions.at[f].edges.at[i], defined))
        pv_slice_add(p->slice, f, i);
}

/* ---- the slice ------------------------------------------------------------------------------- */
struct pv_predicate *pv_predicate_new(const struct pv_task *task, bool defined) {
  const struct pv_dependence_options options = {.ends = true, .between_threads = true};
  pv_properties asked = task->properties & undefined();
  struct pv_predicate *p = pv_alloc(sizeof *p);
  p->program = task->program;
  p->pt = pv_points_to_new(task->program, NULL);
  p->graph = pv_dependence_new(task->program, p->pt, &options);
  p->slice = pv_slice_new(p->graph);
  if (pv_slice_add_essential(p->slice, p->pt, task->properties & ~undefined())) {
    pv_predicate_free(p);
    return NULL;
  }
  pv_statements showing = {0};
  pv_essential(task->program, p->pt, NULL, task->properties & ~undefined(), &showing);
  note_showing(p, &showing);
  pv_vec_free(&showing);
  pv_essential(task->program, p->pt, NULL, PV_PROP_BIT(PV_PROP_NO_DATA_RACE), &p->shared);
  add_what_leads_anywhere(p, defined);
  if (defined || asked) add_all_undefined(p);
  return p;
}

void pv_predicate_free(struct pv_predicate *p) {
  if (!p) return;
  pv_slice_free(p->slice);
  pv_dependence_free(p->graph);
  pv_points_to_free(p->pt);
  pv_vec_free(&p->shared);
  pv_vec_free(&p->needed);
  pv_vec_free(&p->places);
  pv_vec_free(&p->otherwise);
  pv_vec_free(&p->log);
  pv_map_free(&p->ahead);
  pv_map_free(&p->shows);
  pv_map_free(&p->decided);
  pv_map_free(&p->read);
  free(p->calls);
  free(p);
}

static bool is_outside(void *user, uint32_t function, uint32_t edge) {
  const struct pv_predicate *p = user;
  return !pv_slice_has(p->slice, function, edge);
}

static struct pv_statement statement(const struct pv_predicate *p, const struct pv_pending *what) {
  struct pv_statement s = {(uint32_t)(what->function - p->program->functions.at),
                           (uint32_t)(what->edge - what->function->edges.at)};
  return s;
}

bool pv_predicate_matters(const struct pv_predicate *p, const struct pv_pending *what) {
  if (!p || what->kind == PV_PEND_END || what->kind == PV_PEND_LOCAL) return true;
  struct pv_statement s = statement(p, what);
  return pv_slice_has(p->slice, s.function, s.edge);
}

static void need(struct pv_predicate *p, struct pv_statement s) {
  if (!pv_slice_has(p->slice, s.function, s.edge)) pv_vec_push(&p->needed, s);
}

void pv_predicate_need(struct pv_predicate *p, const struct pv_pending *what) {
  need(p, statement(p, what));
}

void pv_predicate_need_threads(struct pv_predicate *p) {
  const struct pv_program *q = p->program;
  p->has_threads = true;
  for (uint32_t f = 0; f < q->functions.n; f++)
    for (uint32_t i = 0; i < q->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &q->functions.at[f].edges.at[i];
      bool thread = e->op == PV_OP_PRIM && q->prims.at[e->aux].prim->class == PV_PRIM_THREAD;
      if (thread) need(p, (struct pv_statement){f, i});
    }
}

/* Does the edge detach a thread, or create or join one when threads other than main may do so? */
static bool renumbers(const struct pv_program *p, const struct pv_call_graph *c, uint32_t function,
                      const struct pv_edge *e) {
  const struct pv_prim *prim = e->op == PV_OP_PRIM ? p->prims.at[e->aux].prim : NULL;
  if (!prim || prim->class != PV_PRIM_THREAD || prim->role == PV_ROLE_EXITS) return false;
  bool of_main = prim->role == PV_ROLE_CREATES || prim->role == PV_ROLE_JOINS;
  return !of_main || pv_call_graph_threads(c, function) > 1;
}

bool pv_predicate_may_renumber(const struct pv_predicate *p) {
  const struct pv_program *q = p->program;
  struct pv_call_graph *c = pv_call_graph_new(q, p->pt);
  bool may = false;
  for (uint32_t f = 0; f < q->functions.n && !may; f++) {
    const struct pv_function *function = &q->functions.at[f];
    if (!pv_call_graph_runs(c, f)) continue;
    may = !strcmp(function->name, "pthread_attr_setdetachstate");
    for (uint32_t i = 0; i < function->edges.n && !may; i++)
      may = renumbers(q, c, f, &function->edges.at[i]);
  }
  pv_call_graph_free(c);
  return may;
}

/* Does the edge move at least as many bits as a pointer has? Pointers that are moved in pieces are
 * not considered. */
static bool moves_pointers(const struct pv_program *p, const struct pv_edge *e) {
  switch ((enum pv_op)e->op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: return pv_type_bits(e->type) >= p->pointer_bits;
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_FREE: return true;
  default: return false;
  }
}

static bool lacks_pointer(const struct pv_predicate *p, struct pv_statement s) {
  const struct pv_edge *e = &p->program->functions.at[s.function].edges.at[s.edge];
  return moves_pointers(p->program, e) && !pv_slice_has(p->slice, s.function, s.edge);
}

bool pv_predicate_lacks_pointers(struct pv_predicate *p) {
  for (uint32_t i = 0; i < p->shared.n && !p->has_pointers; i++)
    if (lacks_pointer(p, p->shared.at[i])) return true;
  p->has_pointers = true;
  return false;
}

void pv_predicate_need_pointers(struct pv_predicate *p) {
  p->has_pointers = true;
  for (uint32_t i = 0; i < p->shared.n; i++)
    if (lacks_pointer(p, p->shared.at[i])) pv_vec_push(&p->needed, p->shared.at[i]);
}

/* ---- variables ------------------------------------------------------------------------------- */
static bool gives(const struct pv_program *p, const struct pv_edge *e, uint32_t var) {
  for (uint32_t i = 0; i < e->dsts.n; i++)
    if (pv_arg(p, e->dsts, i) == var) return true;
  return e->dst == var || e->dst2 == var;
}

static bool find_read(const struct pv_predicate *p, uint32_t function, uint32_t var) {
  const struct pv_function *f = &p->program->functions.at[function];
  if (var < f->n_params + f->variadic) return true;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    bool always = e->op == PV_OP_CALL || e->op == PV_OP_PRIM;
    if (gives(p->program, e, var) && (always || pv_slice_has(p->slice, function, i))) return true;
  }
  return false;
}

bool pv_predicate_reads(struct pv_predicate *p, uint32_t function, uint32_t var) {
  const uint32_t key[2] = {function, var};
  bool is_new;
  uint32_t *known = pv_map_put(&p->read, key, sizeof key, 0, &is_new);
  if (is_new) *known = find_read(p, function, var);
  return *known;
}

/* ---- future operations ----------------------------------------------------------------------- */
/* Would a thread park at this edge? */
static bool is_seen(const struct pv_predicate *p, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &p->program->functions.at[function].edges.at[edge];
  switch ((enum pv_op)e->op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_ALLOC:
  case PV_OP_FREE:
  case PV_OP_LIVE:
  case PV_OP_DEAD:
  case PV_OP_RETURN:
  case PV_OP_HAVOC:
  case PV_OP_INDET:
  case PV_OP_ATOMIC_BEGIN: return pv_slice_has(p->slice, function, edge);
  case PV_OP_PRIM:
    return p->program->prims.at[e->aux].prim->class != PV_PRIM_LOCAL &&
           pv_slice_has(p->slice, function, edge);
  default: return false;
  }
}

static bool calls_what_matters(const struct pv_predicate *p, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &p->program->functions.at[function].edges.at[edge];
  if (e->op != PV_OP_CALL) return false;
  uint32_t *callees = pv_alloc((p->program->functions.n + 1) * sizeof *callees);
  uint32_t n = pv_points_to_callees(p->pt, function, edge, callees);
  bool found = !pv_points_to_complete(p->pt);
  for (uint32_t i = 0; i < n; i++) found = found || p->calls[callees[i]];
  free(callees);
  return found;
}

static bool may_matter(const struct pv_predicate *p, uint32_t function, uint32_t edge) {
  const struct pv_statement s = {function, edge};
  return is_seen(p, function, edge) || pv_map_get(&p->shows, &s, sizeof s) ||
         calls_what_matters(p, function, edge);
}

static void find_calls(struct pv_predicate *p) {
  const struct pv_program *q = p->program;
  bool changed = true;
  p->calls = pv_alloc(q->functions.n + 1);
  while (changed) {
    changed = false;
    for (uint32_t f = 0; f < q->functions.n; f++)
      for (uint32_t i = 0; i < q->functions.at[f].edges.n && !p->calls[f]; i++)
        changed |= p->calls[f] = may_matter(p, f, i);
  }
}

/* May something that matters follow the location within the function? */
static bool find_ahead(const struct pv_predicate *p, uint32_t function, pv_loc from) {
  const struct pv_function *f = &p->program->functions.at[function];
  uint8_t *seen = pv_alloc(f->locs.n + 1);
  PV_VEC(pv_loc) todo = {0};
  bool found = false;
  seen[from] = 1;
  pv_vec_push(&todo, from);
  while (todo.n && !found) {
    const struct pv_location *l = &f->locs.at[pv_vec_pop(&todo)];
    for (uint32_t i = l->first_out; i < l->first_out + l->n_out && !found; i++) {
      pv_loc to = f->edges.at[i].to;
      found = may_matter(p, function, i);
      if (seen[to]) continue;
      seen[to] = 1;
      pv_vec_push(&todo, to);
    }
  }
  pv_vec_free(&todo);
  free(seen);
  return found;
}

bool pv_predicate_is_ahead(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread) {
  if (!p->calls) find_calls(p);
  for (uint32_t depth = pv_vm_depth(vm, thread); depth--;) {
    uint32_t key[2];
    bool is_new;
    pv_vm_frame(vm, thread, depth, &key[0], &key[1]);
    uint32_t *known = pv_map_put(&p->ahead, key, sizeof key, 0, &is_new);
    if (is_new) *known = find_ahead(p, key[0], key[1]);
    if (*known) return true;
  }
  return false;
}

/* ---- loops ----------------------------------------------------------------------------------- */
/* May the result of the operation depend on other threads? */
static bool finds_out(const struct pv_predicate *p, const struct pv_edge *e) {
  return e->op == PV_OP_LOAD || e->op == PV_OP_RMW || e->op == PV_OP_CMPXCHG ||
         e->op == PV_OP_COPY ||
         (e->op == PV_OP_PRIM && p->program->prims.at[e->aux].prim->class != PV_PRIM_LOCAL);
}

/* The functions of the thread's frames, and all functions that they may call. */
static uint8_t *functions_under_way(const struct pv_predicate *p, const struct pv_vm *vm,
                                    unsigned thread) {
  uint32_t n_functions = p->program->functions.n;
  uint8_t *seen = pv_alloc(n_functions + 1);
  uint32_t *callees = pv_alloc((n_functions + 1) * sizeof *callees);
  PV_VEC(uint32_t) todo = {0};
  for (uint32_t depth = pv_vm_depth(vm, thread); depth--;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(vm, thread, depth, &function, &loc);
    pv_vec_push(&todo, function);
  }
  while (todo.n) {
    uint32_t function = pv_vec_pop(&todo);
    const struct pv_function *f = &p->program->functions.at[function];
    if (seen[function]) continue;
    seen[function] = 1;
    for (uint32_t i = 0; i < f->edges.n; i++) {
      if (f->edges.at[i].op != PV_OP_CALL) continue;
      uint32_t n = pv_points_to_callees(p->pt, function, i, callees);
      for (uint32_t k = 0; k < n; k++) pv_vec_push(&todo, callees[k]);
    }
  }
  free(callees);
  pv_vec_free(&todo);
  return seen;
}

/* Can execution return to the location within the function? */
static bool is_in_loop(const struct pv_function *f, pv_loc loc) {
  uint8_t *seen = pv_alloc(f->locs.n + 1);
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, loc);
  while (todo.n && !seen[loc]) {
    const struct pv_location *l = &f->locs.at[pv_vec_pop(&todo)];
    for (uint32_t i = l->first_out; i < l->first_out + l->n_out; i++) {
      pv_loc to = f->edges.at[i].to;
      if (seen[to]) continue;
      seen[to] = 1;
      pv_vec_push(&todo, to);
    }
  }
  bool found = seen[loc];
  pv_vec_free(&todo);
  free(seen);
  return found;
}

/* Makes the branches relevant that decide whether the thread reaches its current location. They
 * also decide whether it stays in its loops: a location in a loop that can be left depends on a
 * branch of the loop. */
static void need_places(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread) {
  for (uint32_t depth = pv_vm_depth(vm, thread); depth--;) {
    struct pv_statement s;
    pv_loc loc;
    pv_vm_frame(vm, thread, depth, &s.function, &loc);
    const struct pv_function *f = &p->program->functions.at[s.function];
    s.edge = f->locs.at[loc].first_out;
    bool known = pv_map_get(&p->decided, &s, sizeof s);
    if (!known && is_in_loop(f, loc)) pv_vec_push(&p->places, s);
  }
}

void pv_predicate_need_loop(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread) {
  uint8_t *under_way = functions_under_way(p, vm, thread);
  for (uint32_t i = 0; i < p->shared.n; i++) {
    struct pv_statement s = p->shared.at[i];
    if (under_way[s.function] && !pv_slice_has(p->slice, s.function, s.edge) &&
        finds_out(p, &p->program->functions.at[s.function].edges.at[s.edge]))
      pv_vec_push(&p->otherwise, s);
  }
  need_places(p, vm, thread);
  free(under_way);
}

/* ---- ends ------------------------------------------------------------------------------------ */
void pv_predicate_need_end(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread) {
  struct pv_statement s;
  const struct pv_edge *e = pv_vm_at(vm, thread, &s.function);
  s.edge = (uint32_t)(e - p->program->functions.at[s.function].edges.at);
  if (!pv_slice_has(p->slice, s.function, s.edge) && pv_predicate_is_ahead(p, vm, thread))
    need(p, s);
}

/* ---- enlarging ------------------------------------------------------------------------------- */
static void add(struct pv_predicate *p, const struct pv_enlargement *e) {
  struct pv_statement s = e->statement;
  pv_vec_push(&p->log, *e);
  if (!e->place) {
    pv_slice_add(p->slice, s.function, s.edge);
    return;
  }
  pv_map_put(&p->decided, &s, sizeof s, 0, NULL);
  pv_slice_add_place(p->slice, s.function, s.edge);
}

static void add_all(struct pv_predicate *p, pv_statements *from) {
  while (from->n) {
    struct pv_enlargement e = {.statement = pv_vec_pop(from)};
    add(p, &e);
  }
}

/* The slice has changed. */
static void use_slice(struct pv_predicate *p, struct pv_vm *vm) {
  free(p->calls);
  p->calls = NULL;
  pv_map_free(&p->ahead);
  pv_map_free(&p->read);
  p->ahead = p->read = (struct pv_map){0};
  pv_vm_hide(vm, is_outside, p);
}

void pv_predicate_enlarge(struct pv_predicate *p, struct pv_vm *vm) {
  uint32_t before = p->slice->n;
  add_all(p, &p->needed);
  while (p->places.n) {
    struct pv_enlargement e = {.statement = pv_vec_pop(&p->places), .place = true};
    add(p, &e);
  }
  if (p->slice->n == before) add_all(p, &p->otherwise);
  p->otherwise.n = 0;
  use_slice(p, vm);
}

/* ---- as bytes -------------------------------------------------------------------------------- */
void pv_predicate_write(const struct pv_predicate *p, struct pv_str *out) {
  pv_put_number(out, p->has_threads);
  pv_put_number(out, p->has_pointers);
  pv_put_number(out, p->log.n);
  for (uint32_t i = 0; i < p->log.n; i++) {
    const struct pv_enlargement *e = &p->log.at[i];
    pv_put_number(out, (uint64_t)e->statement.function << 1 | e->place);
    pv_put_number(out, e->statement.edge);
  }
}

bool pv_predicate_read(struct pv_predicate *p, struct pv_vm *vm, struct pv_bytes *in) {
  p->has_threads = pv_take_up_to(in, 1);
  p->has_pointers = pv_take_up_to(in, 1);
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    uint64_t word = pv_take_number(in);
    struct pv_enlargement e = {.place = word & 1};
    e.statement.function = (uint32_t)(word >> 1);
    e.statement.edge = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    if (word >> 1 >= p->program->functions.n ||
        e.statement.edge >= p->program->functions.at[word >> 1].edges.n)
      in->wrong = true;
    if (!in->wrong) add(p, &e);
  }
  use_slice(p, vm);
  return !in->wrong;
}
