#include "analysis/offsets_internal.h"

#include <stdlib.h>

#include "sched/sched.h"

enum { MOST_STEPS = 20 * 1000 * 1000 }; /* targets and expressions that are visited */

bool pv_offsets_step(struct pv_offsets *o) {
  if (++o->steps > MOST_STEPS) o->over = true;
  return !o->over;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
static uint32_t new_nodes(struct pv_offsets *o, uint32_t n) {
  uint32_t first = o->nodes.n;
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&o->nodes, (pv_targets){0});
  return first;
}

/* Makes the node include the set. Returns whether it grew. */
static bool include(struct pv_offsets *o, const pv_targets *set, uint32_t node) {
  bool grew = false;
  for (uint32_t i = 0; i < set->n && pv_offsets_step(o); i++)
    grew |= pv_targets_add(&o->nodes.at[node], set->at[i]);
  return grew;
}

static void link_to(struct links *l, uint32_t key, uint32_t instance) {
  for (uint32_t i = l->first[key]; i; i = l->all.at[i - 1].next)
    if (l->all.at[i - 1].instance == instance) return;
  struct link link = {instance, l->first[key]};
  pv_vec_push(&l->all, link);
  l->first[key] = l->all.n;
}

static void mark_linked(struct pv_offsets *o, const struct links *l, uint32_t key) {
  for (uint32_t i = l->first[key]; i; i = l->all.at[i - 1].next)
    o->dirty[l->all.at[i - 1].instance] = true;
}

static void set_variable(struct pv_offsets *o, uint32_t instance, uint32_t var,
                         const pv_targets *value) {
  if (var != PV_NO_VAR && include(o, value, o->vars[instance] + var)) o->dirty[instance] = true;
}

/* ---- objects --------------------------------------------------------------------------------- */
/* Where the address of a freed object may be reused, the heap is one object. */
static struct pv_target canonical(const struct pv_offsets *o, struct pv_target t) {
  enum { HEAP = 0 }; /* object 0 is in no set */
  bool on_heap = pv_points_to_object(o->pt, t.object)->kind == PV_PT_HEAP;
  return on_heap && pv_points_to_reused(o->pt) ? pv_target_any(HEAP) : t;
}

/* The node of what the object holds at the target; made if it is new. */
static uint32_t content_at(struct pv_offsets *o, struct pv_target t) {
  for (uint32_t i = o->content[t.object]; i; i = o->contents.at[i - 1].next) {
    struct content c = o->contents.at[i - 1];
    if (c.at.offset == t.offset && c.at.stride == t.stride) return c.node;
  }
  struct content c = {t, new_nodes(o, 1), o->content[t.object]};
  pv_vec_push(&o->contents, c);
  o->content[t.object] = o->contents.n;
  return c.node;
}

/* ---- accesses -------------------------------------------------------------------------------- */
/* Adds all objects that the address may point into. Returns whether it may be unknown. */
static bool all_objects(const struct pv_offsets *o, pv_expr address, pv_targets *out) {
  uint64_t *set = pv_alloc((pv_points_to_words(o->pt) + 1) * sizeof *set);
  bool unknown = pv_points_to_address_in(o->pt, o->at, address, set);
  for (uint32_t i = 1; unknown && i < pv_points_to_objects(o->pt); i++)
    if (set[i / 64] >> i % 64 & 1) pv_targets_add(out, canonical(o, pv_target_any(i)));
  free(set);
  return unknown;
}

/* The targets of an operand that is an address. Whether it may be unknown is found out once. */
static pv_targets targets_of(struct pv_offsets *o, uint32_t edge, unsigned operand,
                             pv_expr address) {
  pv_targets t = pv_offsets_value(o, address);
  uint32_t function = pv_points_to_function_of(o->pt, o->at);
  if (!o->unknown[o->at])
    o->unknown[o->at] = pv_alloc(o->p->functions.at[function].edges.n + (size_t)1);
  uint8_t *flags = &o->unknown[o->at][edge], asked = (uint8_t)(1u << 2 * operand),
          yes = (uint8_t)(asked << 1);
  if (!(*flags & asked))
    *flags |= all_objects(o, address, &t) ? asked | yes : asked;
  else if (*flags & yes)
    all_objects(o, address, &t);
  return t;
}

/* How do what is stored at `c`, an address, and `bytes` bytes at `t` lie? */
enum overlap { APART, PARTLY, EQUAL };
static enum overlap overlap(const struct pv_offsets *o, struct pv_target c, struct pv_target t,
                            int64_t bytes) {
  int64_t width = o->pointer_bytes, by;
  uint32_t stride = (uint32_t)pv_gcd(c.stride, t.stride);
  if (__builtin_sub_overflow(t.offset, c.offset, &by)) return PARTLY;
  if (!stride) return by >= width || by <= -bytes ? APART : by ? PARTLY : EQUAL;
  by = pv_target_modulo(by, stride);
  if (by >= width && stride - by >= bytes) return APART;
  return !by || stride < width ? EQUAL : PARTLY; /* below a word, alignment decides */
}

/* What is read at the target: `whole` addresses, or parts of them. */
static void read_at(struct pv_offsets *o, struct pv_target from, unsigned bytes, bool whole,
                    pv_targets *out) {
  link_to(&o->readers, from.object, o->at);
  for (uint32_t i = o->content[from.object]; i && pv_offsets_step(o);
       i = o->contents.at[i - 1].next) {
    struct content c = o->contents.at[i - 1];
    enum overlap how = overlap(o, c.at, from, bytes);
    if (how == APART) continue;
    pv_offsets_put_all(o, &o->nodes.at[c.node], whole && how == EQUAL ? pv_no_shift : pv_any_shift,
                       out);
  }
}

static void write_at(struct pv_offsets *o, struct pv_target to, const pv_targets *value) {
  if (!value->n || pv_points_to_object(o->pt, to.object)->kind == PV_PT_FUNCTION) return;
  if (include(o, value, content_at(o, to))) mark_linked(o, &o->readers, to.object);
}

static void write_all(struct pv_offsets *o, const pv_targets *to, const pv_targets *value) {
  for (uint32_t i = 0; i < to->n && pv_offsets_step(o); i++) write_at(o, to->at[i], value);
}

static bool is_whole(const struct pv_offsets *o, const struct pv_edge *e) {
  return pv_type_bytes(e->type) == o->pointer_bytes && e->align >= o->pointer_bytes;
}

static pv_targets read_all(struct pv_offsets *o, const pv_targets *from, const struct pv_edge *e) {
  pv_targets value = {0};
  for (uint32_t i = 0; i < from->n; i++)
    read_at(o, from->at[i], pv_type_bytes(e->type), is_whole(o, e), &value);
  return value;
}

static void load(struct pv_offsets *o, uint32_t edge, const struct pv_edge *e) {
  pv_targets from = targets_of(o, edge, 0, e->e[0]), value = read_all(o, &from, e);
  set_variable(o, o->at, e->dst, &value);
  pv_vec_free(&from);
  pv_vec_free(&value);
}

static void store(struct pv_offsets *o, uint32_t edge, pv_expr address, pv_expr value,
                  struct pv_offset_shift shift) {
  pv_targets v = {0};
  pv_offsets_collect(o, value, shift, &v);
  if (v.n) {
    pv_targets to = targets_of(o, edge, 0, address);
    write_all(o, &to, &v);
    pv_vec_free(&to);
  }
  pv_vec_free(&v);
}

/* Bytes that are parts of the value, from the address on. */
static void fill(struct pv_offsets *o, uint32_t edge, const struct pv_edge *e) {
  pv_targets v = {0};
  pv_offsets_collect(o, e->e[1], pv_any_shift, &v);
  if (v.n) {
    pv_targets to = targets_of(o, edge, 0, e->e[0]);
    for (uint32_t i = 0; i < to.n; i++) write_at(o, pv_target_any(to.at[i].object), &v);
    pv_vec_free(&to);
  }
  pv_vec_free(&v);
}

/* An exchange stores the operand as it is. Arithmetic gives any offset in what is there, and in
 * what the operand was computed from. */
static void modify(struct pv_offsets *o, uint32_t edge, const struct pv_edge *e) {
  bool exchanges = e->aux == PV_RMW_XCHG;
  load(o, edge, e);
  store(o, edge, e->e[0], e->e[1], exchanges ? pv_no_shift : pv_any_shift);
  if (exchanges) return;
  pv_targets at = targets_of(o, edge, 0, e->e[0]), old = read_all(o, &at, e), any = {0};
  pv_offsets_put_all(o, &old, pv_any_shift, &any);
  write_all(o, &at, &any);
  pv_vec_free(&at);
  pv_vec_free(&old);
  pv_vec_free(&any);
}

/* Copies what is in [from, from + bytes), each at its place. */
static void copy_block(struct pv_offsets *o, struct pv_target from, struct pv_target to,
                       int64_t bytes) {
  link_to(&o->readers, from.object, o->at);
  for (uint32_t i = o->content[from.object]; i && pv_offsets_step(o);
       i = o->contents.at[i - 1].next) {
    struct content c = o->contents.at[i - 1];
    int64_t width = o->pointer_bytes, by;
    enum overlap how = overlap(o, c.at, from, bytes);
    if (how == APART) continue;
    if (__builtin_sub_overflow(c.at.offset, from.offset, &by)) by = 0;
    uint32_t stride = (uint32_t)pv_gcd(c.at.stride, from.stride);
    bool cut = !stride && (by < 0 || by > bytes - width);
    pv_targets value = {0};
    pv_offsets_put_all(o, &o->nodes.at[c.node], cut ? pv_any_shift : pv_no_shift, &value);
    write_at(o, pv_target_moved(to, by, stride), &value);
    pv_vec_free(&value);
  }
}

static void copy(struct pv_offsets *o, uint32_t edge, const struct pv_edge *e) {
  pv_targets to = targets_of(o, edge, 0, e->e[0]), from = targets_of(o, edge, 1, e->e[1]);
  int64_t bytes;
  if (!pv_offsets_constant(o, e->e[2], &bytes) || bytes < 0) bytes = INT64_MAX;
  for (uint32_t i = 0; i < to.n; i++)
    for (uint32_t k = 0; k < from.n && pv_offsets_step(o); k++)
      copy_block(o, from.at[k], to.at[i], bytes);
  pv_vec_free(&to);
  pv_vec_free(&from);
}

/* ---- calls ----------------------------------------------------------------------------------- */
static void pass(struct pv_offsets *o, pv_expr arg, uint32_t callee, uint32_t param) {
  pv_targets v = pv_offsets_value(o, arg);
  set_variable(o, callee, param, &v);
  pv_vec_free(&v);
}

/* The variable to which only constants are added; PV_NO_VAR: it is something else. */
static uint32_t base_of(const struct pv_offsets *o, pv_expr e, int64_t *by) {
  const struct pv_expr_node *n = pv_node(o->p, e);
  int64_t more;
  for (*by = 0; n->op == PV_X_PTRADD && pv_offsets_constant(o, n->b, &more);
       n = pv_node(o->p, n->a))
    if (__builtin_add_overflow(*by, more, by)) return PV_NO_VAR;
  return n->op == PV_X_VAR ? (uint32_t)n->lo : PV_NO_VAR;
}

/* Is it a call of a virtual function: is the function loaded from a table that the object of the
 * first argument points to? Then finds that object's variable, and where both loads are. The
 * variables have one definition each, and these dominate each other and the call. So if the first
 * one is executed again, so are the others before the call: it passes the object whose table was
 * read. */
struct dispatch {
  uint32_t base;
  int64_t table, entry; /* of the table's address in the object, of the function's in the table */
};
static bool is_virtual(struct pv_offsets *o, const struct pv_edge *e, struct dispatch *d) {
  uint32_t function = pv_points_to_function_of(o->pt, o->at);
  int64_t by;
  const struct pv_edge *entry = e->args.n ? pv_offsets_load_of(o, e->e[0]) : NULL, *table;
  if (!entry) return false;
  const struct pv_expr_node *at = pv_node(o->p, entry->e[0]);
  d->entry = 0;
  if (at->op == PV_X_PTRADD && !pv_offsets_constant(o, at->b, &d->entry)) return false;
  table = pv_offsets_load_of(o, at->op == PV_X_PTRADD ? at->a : entry->e[0]);
  if (!table) return false;
  d->base = base_of(o, table->e[0], &d->table);
  if (d->base == PV_NO_VAR || !pv_offsets_is_fixed(o, function, d->base)) return false;
  return base_of(o, pv_arg(o->p, e->args, 0), &by) == d->base;
}

static bool has_function(const struct pv_offsets *o, const pv_targets *to, uint32_t callee) {
  uint32_t function = 1 + o->p->globals.n + pv_points_to_function_of(o->pt, callee);
  uint32_t at = pv_targets_find(to, function);
  return at < to->n && to->at[at].object == function;
}

/* Passes the objects whose table has the function there. */
static void pass_object(struct pv_offsets *o, const struct pv_edge *e, const struct dispatch *d,
                        uint32_t callee) {
  pv_targets *objects = &o->nodes.at[o->vars[o->at] + d->base], own = {0};
  int64_t by;
  base_of(o, pv_arg(o->p, e->args, 0), &by);
  for (uint32_t i = 0; i < objects->n && pv_offsets_step(o); i++) {
    pv_targets tables = {0}, functions = {0};
    read_at(o, pv_target_moved(objects->at[i], d->table, 0), o->pointer_bytes, true, &tables);
    for (uint32_t k = 0; k < tables.n; k++)
      read_at(o, pv_target_moved(tables.at[k], d->entry, 0), o->pointer_bytes, true, &functions);
    if (has_function(o, &functions, callee))
      pv_targets_add(&own, pv_target_moved(objects->at[i], by, 0));
    pv_vec_free(&tables);
    pv_vec_free(&functions);
  }
  set_variable(o, callee, 0, &own);
  pv_vec_free(&own);
}

static void call(struct pv_offsets *o, const struct pv_edge *e, const struct dispatch *d,
                 uint32_t callee) {
  const struct pv_function *f = &o->p->functions.at[pv_points_to_function_of(o->pt, callee)];
  link_to(&o->callers, callee, o->at);
  for (uint32_t i = d ? 1 : 0; i < e->args.n && i < f->n_params; i++)
    pass(o, pv_arg(o->p, e->args, i), callee, i);
  if (d && f->n_params) pass_object(o, e, d, callee);
  if (f->variadic && e->e[1]) pass(o, e->e[1], callee, f->n_params);
  for (uint32_t i = 0; i < e->dsts.n && i < f->n_results; i++)
    set_variable(o, o->at, pv_arg(o->p, e->dsts, i), &o->nodes.at[o->vars[callee] + f->vars.n + i]);
}

static void call_all(struct pv_offsets *o, uint32_t edge, const struct pv_edge *e) {
  uint32_t n;
  const uint32_t *callees = pv_points_to_calls(o->pt, o->at, edge, &n);
  pv_targets to = {0};
  struct dispatch d;
  bool through = e->callee == PV_NO_FUNC, virtual = through && is_virtual(o, e, &d);
  if (through) to = targets_of(o, edge, 0, e->e[0]);
  for (uint32_t i = 0; i < n; i++)
    if (!through || has_function(o, &to, callees[i])) call(o, e, virtual ? &d : NULL, callees[i]);
  pv_vec_free(&to);
}

static void finish(struct pv_offsets *o, const struct pv_edge *e, const struct pv_function *f) {
  for (uint32_t i = 0; i < e->args.n && i < f->n_results; i++) {
    pv_targets v = pv_offsets_value(o, pv_arg(o->p, e->args, i));
    if (include(o, &v, o->vars[o->at] + f->vars.n + i)) mark_linked(o, &o->callers, o->at);
    pv_vec_free(&v);
  }
}

/* Creates, ends or joins a thread: what points_to_build.c follows. */
static void primitive(struct pv_offsets *o, uint32_t edge, const struct pv_edge *e) {
  const struct pv_prim *prim = o->p->prims.at[e->aux].prim;
  uint32_t n = 0;
  const uint32_t *threads = pv_points_to_calls(o->pt, o->at, edge, &n);
  for (uint32_t i = 0; prim->role == PV_ROLE_CREATES && i < n; i++)
    for (uint32_t k = 1; k < 3 && k < e->args.n; k++) {
      pv_targets v = pv_offsets_value(o, pv_arg(o->p, e->args, k));
      set_variable(o, threads[i], k - 1, &v);
      include(o, &v, o->thread_values);
      pv_vec_free(&v);
    }
  if (prim->role == PV_ROLE_EXITS && e->args.n > 0) {
    pv_targets v = pv_offsets_value(o, pv_arg(o->p, e->args, 0));
    if (include(o, &v, o->thread_values))
      for (uint32_t i = 0; i < o->n_instances; i++) o->dirty[i] = true;
    pv_vec_free(&v);
  }
  if (prim->role == PV_ROLE_JOINS && e->args.n > 1 && o->nodes.at[o->thread_values].n) {
    pv_targets to = targets_of(o, edge, 1, pv_arg(o->p, e->args, 1)), v = {0};
    pv_offsets_put_all(o, &o->nodes.at[o->thread_values], pv_no_shift, &v);
    write_all(o, &to, &v);
    pv_vec_free(&to);
    pv_vec_free(&v);
  }
}

/* ---- edges ----------------------------------------------------------------------------------- */
static void process_edge(struct pv_offsets *o, uint32_t i, const struct pv_edge *e,
                         const struct pv_function *f) {
  pv_targets v = {0};
  switch ((enum pv_op)e->op) {
  case PV_OP_ASSIGN:
    v = pv_offsets_value(o, e->e[0]);
    set_variable(o, o->at, e->dst, &v);
    break;
  case PV_OP_LOAD: load(o, i, e); break;
  case PV_OP_STORE: store(o, i, e->e[0], e->e[1], pv_no_shift); break;
  case PV_OP_FILL: fill(o, i, e); break;
  case PV_OP_RMW: modify(o, i, e); break;
  case PV_OP_CMPXCHG:
    load(o, i, e);
    store(o, i, e->e[0], e->e[2], pv_no_shift);
    break;
  case PV_OP_COPY: copy(o, i, e); break;
  case PV_OP_ALLOC:
    pv_targets_add(&v, canonical(o, pv_target_at(pv_points_to_allocated(o->pt, o->at, i), 0, 0)));
    set_variable(o, o->at, e->dst, &v);
    break;
  case PV_OP_CALL: call_all(o, i, e); break;
  case PV_OP_RETURN: finish(o, e, f); break;
  case PV_OP_PRIM: primitive(o, i, e); break;
  default: break; /* no address goes anywhere */
  }
  pv_vec_free(&v);
}

static void fill_globals(struct pv_offsets *o) {
  for (uint32_t g = 0; g < o->p->globals.n; g++) {
    const struct pv_global *global = &o->p->globals.at[g];
    for (uint32_t i = 0; i < global->relocs.n; i++) {
      pv_targets v = pv_offsets_value(o, global->relocs.at[i].value); /* without variables */
      write_at(o, pv_target_at(1 + g, (int64_t)global->relocs.at[i].offset, 0), &v);
      pv_vec_free(&v);
    }
  }
}

static void solve(struct pv_offsets *o) {
  bool more = true;
  fill_globals(o);
  while (more && !o->over) {
    more = false;
    for (o->at = 0; o->at < o->n_instances && !o->over; o->at++) {
      if (!o->dirty[o->at]) continue;
      const struct pv_function *f = &o->p->functions.at[pv_points_to_function_of(o->pt, o->at)];
      more = true;
      o->dirty[o->at] = false;
      for (uint32_t i = 0; i < f->edges.n && pv_offsets_step(o); i++)
        process_edge(o, i, &f->edges.at[i], f);
    }
  }
}

/* ---- the analysis as a whole ----------------------------------------------------------------- */
struct pv_offsets *pv_offsets_new(const struct pv_program *p, const struct pv_points_to *pt) {
  struct pv_offsets *o = pv_alloc(sizeof *o);
  uint32_t objects = pv_points_to_objects(pt);
  o->p = p;
  o->pt = pt;
  o->over = !pv_points_to_complete(pt);
  o->n_instances = pv_points_to_stats(pt).instances;
  o->pointer_bytes = p->pointer_bits / 8;
  o->vars = pv_alloc((o->n_instances + (size_t)1) * sizeof *o->vars);
  o->dirty = pv_alloc(o->n_instances + (size_t)1);
  o->unknown = pv_alloc((o->n_instances + (size_t)1) * sizeof *o->unknown);
  o->content = pv_alloc((objects + (size_t)1) * sizeof *o->content);
  o->readers.first = pv_alloc((objects + (size_t)1) * sizeof *o->readers.first);
  o->callers.first = pv_alloc((o->n_instances + (size_t)1) * sizeof *o->callers.first);
  o->thread_values = new_nodes(o, 1);
  o->definitions = pv_alloc((p->functions.n + (size_t)1) * sizeof *o->definitions);
  for (uint32_t i = 0; i < o->n_instances && !o->over; i++) {
    const struct pv_function *f = &p->functions.at[pv_points_to_function_of(pt, i)];
    o->vars[i] = new_nodes(o, f->vars.n + f->n_results);
    o->dirty[i] = true;
  }
  if (!o->over) solve(o);
  return o;
}

void pv_offsets_free(struct pv_offsets *o) {
  if (!o) return;
  for (uint32_t i = 0; i < o->nodes.n; i++) pv_vec_free(&o->nodes.at[i]);
  for (uint32_t i = 0; i < o->n_instances; i++) free(o->unknown[i]);
  pv_vec_free(&o->nodes);
  pv_vec_free(&o->contents);
  pv_vec_free(&o->readers.all);
  pv_vec_free(&o->callers.all);
  for (uint32_t i = 0; i < o->p->functions.n; i++) free(o->definitions[i]);
  free(o->definitions);
  free(o->escapes);
  free(o->readers.first);
  free(o->callers.first);
  free(o->content);
  free(o->unknown);
  free(o->dirty);
  free(o->vars);
  free(o);
}

void pv_offsets_held(struct pv_offsets *o, uint32_t function, pv_expr value, pv_targets *out) {
  const uint32_t *instances;
  uint32_t n = pv_points_to_instances(o->pt, function, &instances);
  o->steps = 0;
  for (uint32_t i = 0; i < n; i++) {
    o->at = instances[i];
    pv_offsets_collect(o, value, pv_no_shift, out);
  }
}

bool pv_offsets_of(struct pv_offsets *o, uint32_t function, pv_expr address, pv_targets *out) {
  const uint32_t *instances;
  uint32_t n = pv_points_to_instances(o->pt, function, &instances);
  bool known = !o->over;
  for (uint32_t i = 0; i < n && known; i++) {
    o->at = instances[i];
    known = !all_objects(o, address, out);
    o->steps = 0;
    pv_offsets_collect(o, address, pv_no_shift, out);
  }
  for (uint32_t i = 0; i < out->n; i++) known &= out->at[i].object != 0;
  return known && !o->over;
}

bool pv_offsets_complete(const struct pv_offsets *o) {
  return !o->over && !pv_points_to_stats(o->pt).unknown_used && !pv_points_to_reused(o->pt);
}

void pv_offsets_contents(const struct pv_offsets *o, uint32_t object, pv_targets *out) {
  for (uint32_t i = o->content[object]; i; i = o->contents.at[i - 1].next) {
    const pv_targets *held = &o->nodes.at[o->contents.at[i - 1].node];
    for (uint32_t k = 0; k < held->n; k++) pv_targets_add(out, held->at[k]);
  }
}

/* Marks what is reachable from globals, and from arguments and results of threads. */
static void find_escaping(struct pv_offsets *o) {
  uint32_t n = pv_points_to_objects(o->pt);
  pv_targets found = {0};
  PV_VEC(uint32_t) todo = {0};
  o->escapes = pv_alloc(n + (size_t)1);
  const pv_targets *given = &o->nodes.at[o->thread_values];
  for (uint32_t i = 0; i < given->n; i++) pv_targets_add(&found, given->at[i]);
  for (uint32_t i = 1; i < n; i++) {
    const struct pv_pt_object *is = pv_points_to_object(o->pt, i);
    bool global = is->kind == PV_PT_GLOBAL && !o->p->globals.at[is->index].is_thread_local;
    if (global || is->kind == PV_PT_FUNCTION) pv_targets_add(&found, pv_target_any(i));
  }
  for (bool more = true; more;) {
    for (uint32_t i = 0; i < found.n; i++) {
      if (!o->escapes[found.at[i].object]) pv_vec_push(&todo, found.at[i].object);
      o->escapes[found.at[i].object] = true;
    }
    found.n = 0;
    more = todo.n > 0;
    if (more) pv_offsets_contents(o, pv_vec_pop(&todo), &found);
  }
  pv_vec_free(&found);
  pv_vec_free(&todo);
}

bool pv_offsets_escapes(struct pv_offsets *o, uint32_t object) {
  if (!o->escapes) find_escaping(o);
  return o->escapes[object];
}
