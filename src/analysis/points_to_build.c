/* points_to_build.c -- translates the ir to inclusions: contexts, instances, objects, edges. */
#include "analysis/points_to_internal.h"

#include "sched/sched.h"

/* ---- contexts and instances ------------------------------------------------------------------ */
static const struct pv_function *function_at(const struct pv_points_to *pt, uint32_t f) {
  return &pt->p->functions.at[f];
}

/* The cost of a calling context for a call of f: the number of edges of model functions that direct
 * calls reach from f, up to the limit. */
static uint32_t weight_of(struct pv_points_to *pt, uint32_t f) {
  if (pt->weights[f]) return pt->weights[f];
  uint8_t *seen = pv_alloc(pt->p->functions.n);
  PV_VEC(uint32_t) todo = {0};
  uint64_t weight = 1;
  pv_vec_push(&todo, f);
  seen[f] = 1;
  while (todo.n) {
    const struct pv_function *g = function_at(pt, pv_vec_pop(&todo));
    weight += g->edges.n;
    for (uint32_t i = 0; i < g->edges.n; i++) {
      uint32_t callee = g->edges.at[i].op == PV_OP_CALL ? g->edges.at[i].callee : PV_NO_FUNC;
      if (callee == PV_NO_FUNC || seen[callee] || !function_at(pt, callee)->is_model) continue;
      seen[callee] = 1;
      pv_vec_push(&todo, callee);
    }
    pt->steps += g->edges.n;
  }
  free(seen);
  pv_vec_free(&todo);
  return pt->weights[f] = weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
}

static uint32_t context_of(struct pv_points_to *pt, enum pv_pts_context_kind kind,
                           uint32_t function, uint32_t edge, uint32_t callee) {
  uint32_t key[3] = {kind, function, edge};
  const uint32_t *known = pv_map_get(&pt->context_keys, key, sizeof key);
  if (known) return *known;
  /* A copy may take an eighth of the remaining budget, so small calls always get their own
   * context. */
  uint32_t left =
      pt->limits.edges - (pt->copied < pt->limits.edges ? pt->copied : pt->limits.edges);
  bool own = weight_of(pt, callee) <= left / 8;
  uint32_t context = own ? pt->contexts.n : PTS_SHARED;
  if (own) {
    struct pv_pts_context c = {kind, function, edge};
    pv_vec_push(&pt->contexts, c);
  }
  pv_map_put(&pt->context_keys, key, sizeof key, context, NULL);
  return context;
}

/* The context of the callee of `edge` in an instance. */
static uint32_t callee_context(struct pv_points_to *pt, uint32_t instance, uint32_t edge,
                               uint32_t callee) {
  struct pv_pts_instance from = pt->instances.at[instance];
  if (!function_at(pt, callee)->is_model) return PTS_USER;
  if (from.context != PTS_USER) return from.context;
  return context_of(pt, PTS_FROM_CALL, from.function, edge, callee);
}

static uint32_t instance_of(struct pv_points_to *pt, uint32_t function, uint32_t context) {
  uint32_t key[2] = {function, context};
  bool is_new;
  uint32_t at = *pv_map_put(&pt->instance_keys, key, sizeof key, pt->instances.n, &is_new);
  if (!is_new) return at;
  const struct pv_function *f = function_at(pt, function);
  struct pv_pts_instance instance = {.function = function, .context = context};
  instance.vars = pv_pts_node_new(pt, PTS_PARTS * (f->vars.n + f->n_results));
  pv_vec_push(&pt->instances, instance);
  if (context > PTS_SHARED) pt->copied += f->edges.n;
  return at;
}

static struct pv_pts_value variable(const struct pv_points_to *pt, uint32_t instance,
                                    uint32_t var) {
  uint32_t first = pt->instances.at[instance].vars + PTS_PARTS * var;
  return (struct pv_pts_value){{first, first + 1, first + 2}};
}

static struct pv_pts_value result(const struct pv_points_to *pt, uint32_t instance, uint32_t i) {
  const struct pv_function *f = function_at(pt, pt->instances.at[instance].function);
  return variable(pt, instance, f->vars.n + i);
}

/* ---- objects --------------------------------------------------------------------------------- */
static struct pv_pts_value content(const struct pv_points_to *pt, uint32_t object) {
  uint32_t first = pt->objects.at[object].content;
  if (!first) return (struct pv_pts_value){{0, 0, 0}};
  return (struct pv_pts_value){{first, first + 1, first + 2}};
}

static void include_parts(struct pv_points_to *pt, struct pv_pts_value from,
                          struct pv_pts_value to) {
  for (unsigned part = 0; part < PTS_PARTS; part++) pv_pts_include(pt, from.at[part], to.at[part]);
}

static void share_content(struct pv_points_to *pt, uint32_t object) {
  include_parts(pt, content(pt, object), pt->heap);
  include_parts(pt, pt->heap, content(pt, object));
}

/* A freed address may be reused: a dangling pointer may refer to objects allocated later, and the
 * other way round. */
static void release(struct pv_points_to *pt, uint32_t object) {
  struct pv_pts_object *o = &pt->objects.at[object];
  if (o->is.kind != PV_PT_HEAP || !pt->limits.reuse) return;
  o->freed = true;
  if (pt->reused) return;
  pt->reused = true;
  for (uint32_t i = 0; i < pt->objects.n; i++)
    if (pt->objects.at[i].is.kind == PV_PT_HEAP) share_content(pt, i);
}

static uint32_t object_of(struct pv_points_to *pt, struct pv_pt_object is) {
  uint32_t key[4] = {is.kind, is.function, is.index, is.instance};
  bool is_new;
  uint32_t at = *pv_map_put(&pt->object_keys, key, sizeof key, pt->objects.n, &is_new);
  if (!is_new) return at;
  struct pv_pts_object o = {.is = is};
  if (is.kind != PV_PT_FUNCTION) o.content = pv_pts_node_new(pt, PTS_PARTS);
  if (is.kind == PV_PT_GLOBAL) {
    const struct pv_global *g = &pt->p->globals.at[is.index];
    o.constant = g->is_const && !g->is_thread_local; /* a store to it is an error */
  }
  pv_vec_push(&pt->objects, o);
  if (pt->reused && is.kind == PV_PT_HEAP) share_content(pt, at);
  return at;
}

uint32_t pv_pts_slot_object(struct pv_points_to *pt, uint32_t instance, uint32_t slot) {
  struct pv_pt_object is = {.kind = PV_PT_SLOT,
                            .function = pt->instances.at[instance].function,
                            .index = slot,
                            .instance = instance};
  return object_of(pt, is);
}

/* The object that an ALLOC edge creates, named as in the VM. */
static struct pv_pt_object identity_of_allocated(const struct pv_points_to *pt, uint32_t instance,
                                                 uint32_t edge) {
  struct pv_pts_instance in = pt->instances.at[instance];
  const struct pv_pts_context *context = &pt->contexts.at[in.context];
  struct pv_pt_object is = {.kind = PV_PT_ALLOCA, .function = in.function, .index = edge};
  is.instance = instance;
  unsigned storage = function_at(pt, in.function)->edges.at[edge].aux;
  if (!pv_storage_on_heap(storage)) return is;
  is.kind = PV_PT_HEAP;
  if (storage == PV_STORAGE_GIVEN) { /* the same in every context */
    is.instance = 0;
    return is;
  }
  /* Distinguished from objects of the same edge in other contexts. */
  is.instance = in.context == PTS_SHARED;
  if (context->kind == PTS_FROM_CALL) {
    is.function = context->function;
    is.index = context->edge;
  }
  return is;
}

static uint32_t allocated(struct pv_points_to *pt, uint32_t instance, uint32_t edge) {
  return object_of(pt, identity_of_allocated(pt, instance, edge));
}

uint32_t pv_points_to_allocated(const struct pv_points_to *pt, uint32_t instance, uint32_t edge) {
  if (!pt->complete) return 0;
  struct pv_pt_object is = identity_of_allocated(pt, instance, edge);
  uint32_t key[4] = {is.kind, is.function, is.index, is.instance};
  const uint32_t *at = pv_map_get(&pt->object_keys, key, sizeof key);
  return at ? *at : 0;
}

/* Unknown pointers may refer to the object: unites its content with that of object 0. */
static void join_unknown(struct pv_points_to *pt, uint32_t object) {
  if (!pt->objects.at[object].content) return;
  if (pt->unknown_loads) include_parts(pt, content(pt, object), content(pt, 0));
  if (pt->unknown_stores && !pt->objects.at[object].constant)
    include_parts(pt, pt->unknown_stored, content(pt, object));
}

static void connect(struct pv_points_to *pt, struct pv_pts_site site, uint32_t callee);

/* The object's address is used as a value. */
static void take(struct pv_points_to *pt, uint32_t object) {
  struct pv_pts_object *o = &pt->objects.at[object];
  if (!object || o->taken) return;
  o->taken = true;
  pv_vec_push(&pt->taken, object);
  join_unknown(pt, object);
  if (pt->unknown_frees) release(pt, object);
  if (o->is.kind != PV_PT_FUNCTION) return;
  uint32_t function = o->is.index;
  for (uint32_t i = 0; i < pt->unknown_calls.n; i++)
    connect(pt, pt->sites.at[pt->unknown_calls.at[i]], function);
}

/* ---- values ---------------------------------------------------------------------------------- */
struct source {
  uint32_t at;
  bool is_object;
};
struct sources {
  PV_VEC(struct source) list;
};

static void keep_source(void *user, uint32_t at, bool is_object) {
  struct sources *s = user;
  struct source source = {at, is_object};
  pv_vec_push(&s->list, source);
}

/* The initial values of the object are needed. They may refer to further globals, so they are
 * processed later. */
static void mention(struct pv_points_to *pt, uint32_t object) {
  struct pv_pts_object *o = &pt->objects.at[object];
  if (o->is.kind != PV_PT_GLOBAL || o->filled) return;
  o->filled = true;
  pv_vec_push(&pt->unfilled, object);
}

static void sources_of(struct pv_points_to *pt, uint32_t instance, pv_expr e, enum pv_pts_part part,
                       struct sources *out) {
  struct pv_pts_instance in = pt->instances.at[instance];
  struct pv_pts_collector c = {
      .pt = pt, .instance = &in, .at = instance, .visit = keep_source, .user = out};
  out->list.n = 0;
  pv_pts_collect(&c, e, part);
  for (uint32_t i = 0; i < out->list.n; i++)
    if (out->list.at[i].is_object) mention(pt, out->list.at[i].at);
}

/* A node that contains just the object. */
static uint32_t node_of_object(struct pv_points_to *pt, uint32_t object) {
  take(pt, object);
  if (pt->objects.at[object].self) return pt->objects.at[object].self;
  uint32_t node = pv_pts_node_new(pt, 1);
  pt->objects.at[object].self = node;
  pv_pts_add(pt, node, object);
  return node;
}

static uint32_t node_of_source(struct pv_points_to *pt, struct source s) {
  return s.is_object ? node_of_object(pt, s.at) : s.at;
}

/* A node for a part of the expression's value; 0 if it is always empty. */
static uint32_t part_of(struct pv_points_to *pt, uint32_t instance, pv_expr e,
                        enum pv_pts_part part) {
  struct sources s = {0};
  sources_of(pt, instance, e, part, &s);
  uint32_t node = s.list.n ? node_of_source(pt, s.list.at[0]) : 0;
  if (s.list.n > 1) {
    uint32_t all = pv_pts_node_new(pt, 1);
    for (uint32_t i = 0; i < s.list.n; i++)
      pv_pts_include(pt, node_of_source(pt, s.list.at[i]), all);
    node = all;
  }
  pv_vec_free(&s.list);
  return node;
}

static struct pv_pts_value value_of(struct pv_points_to *pt, uint32_t instance, pv_expr e) {
  struct pv_pts_value v;
  for (unsigned part = 0; part < PTS_PARTS; part++)
    v.at[part] = part_of(pt, instance, e, (enum pv_pts_part)part);
  return v;
}

/* Copies a value, possibly to one of another type. */
static void move(struct pv_points_to *pt, struct pv_pts_value from, pv_type from_type,
                 struct pv_pts_value to, pv_type to_type) {
  bool was = pv_type_kind(from_type) == PV_T_PTR, becomes = pv_type_kind(to_type) == PV_T_PTR;
  if (was && !becomes) {
    pv_pts_include(pt, from.at[PTS_TARGETS], to.at[PTS_DERIVED]);
    return;
  }
  for (unsigned part = 0; part < PTS_PARTS; part++)
    pv_pts_include(pt, from.at[part], to.at[becomes ? PTS_TARGETS : part]);
}

static void assign(struct pv_points_to *pt, uint32_t instance, pv_expr e, struct pv_pts_value to,
                   pv_type to_type) {
  move(pt, value_of(pt, instance, e), pv_node(pt->p, e)->type, to, to_type);
}

/* ---- accesses -------------------------------------------------------------------------------- */
/* Adds the initial values of a global that is reachable. */
static void fill_global(struct pv_points_to *pt, uint32_t object) {
  const struct pv_global *g = &pt->p->globals.at[pt->objects.at[object].is.index];
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    pv_expr e = g->relocs.at[i].value; /* without variables: the same in every instance */
    for (unsigned part = 0; part < PTS_PARTS; part++)
      pv_pts_include(pt, part_of(pt, 0, e, (enum pv_pts_part)part), content(pt, object).at[part]);
  }
}

static void load(struct pv_points_to *pt, enum pv_pts_use use, struct pv_pts_value from,
                 struct pv_pts_value to) {
  if (use == PTS_LOAD_POINTER) {
    pv_pts_include(pt, from.at[PTS_TARGETS], to.at[PTS_TARGETS]);
    pv_pts_include(pt, from.at[PTS_DERIVED], to.at[PTS_TARGETS]);
    return;
  }
  include_parts(pt, from, to);
  if (use == PTS_LOAD_WHOLE) pv_pts_include(pt, from.at[PTS_TARGETS], to.at[PTS_DERIVED]);
}

static void call_unknown(struct pv_points_to *pt, uint32_t site) {
  for (uint32_t i = 0; i < pt->unknown_calls.n; i++)
    if (pt->unknown_calls.at[i] == site) return;
  pv_vec_push(&pt->unknown_calls, site);
  for (uint32_t i = 0; i < pt->taken.n; i++) {
    const struct pv_pt_object *o = &pt->objects.at[pt->taken.at[i]].is;
    if (o->kind == PV_PT_FUNCTION) connect(pt, pt->sites.at[site], o->index);
  }
}

static void free_unknown(struct pv_points_to *pt) {
  pt->unknown_frees = true;
  for (uint32_t i = 0; i < pt->taken.n; i++) release(pt, pt->taken.at[i]);
}

static void apply_to_unknown(struct pv_points_to *pt, struct pv_pts_access a) {
  bool *used = a.use == PTS_STORE ? &pt->unknown_stores : &pt->unknown_loads;
  pt->unknown_used = true;
  if (a.use == PTS_TOUCH) return;
  if (a.use == PTS_FREE) {
    free_unknown(pt);
    return;
  }
  if (a.use == PTS_CALL) {
    call_unknown(pt, a.value.at[0]);
    return;
  }
  if (!*used) {
    *used = true;
    for (uint32_t i = 0; i < pt->taken.n; i++) join_unknown(pt, pt->taken.at[i]);
    if (pt->unknown_stores) include_parts(pt, pt->unknown_stored, content(pt, 0));
  }
  if (a.use == PTS_STORE)
    include_parts(pt, a.value, pt->unknown_stored);
  else
    load(pt, (enum pv_pts_use)a.use, content(pt, 0), a.value);
}

void pv_pts_apply(struct pv_points_to *pt, struct pv_pts_access a, uint32_t object) {
  pt->steps++;
  if (!object) {
    apply_to_unknown(pt, a);
    return;
  }
  const struct pv_pts_object *o = &pt->objects.at[object];
  if (a.use == PTS_CALL) {
    if (o->is.kind == PV_PT_FUNCTION) connect(pt, pt->sites.at[a.value.at[0]], o->is.index);
    return;
  }
  if (!o->content || a.use == PTS_TOUCH) return;
  if (a.use == PTS_FREE) {
    release(pt, object);
    return;
  }
  if (a.use != PTS_STORE)
    load(pt, (enum pv_pts_use)a.use, content(pt, object), a.value);
  else if (!o->constant)
    include_parts(pt, a.value, content(pt, object));
}

/* An access through an address. Objects that the address names directly need no node. */
static void access_at(struct pv_points_to *pt, uint32_t instance, pv_expr address,
                      enum pv_pts_use use, struct pv_pts_value value) {
  struct sources s = {0};
  /* An address that is an integer has all parts. */
  for (unsigned part = 0; part < PTS_PARTS; part++) {
    sources_of(pt, instance, address, (enum pv_pts_part)part, &s);
    for (uint32_t i = 0; i < s.list.n; i++) {
      struct pv_pts_access a = {.use = (uint8_t)use, .value = value};
      if (s.list.at[i].is_object)
        pv_pts_apply(pt, a, s.list.at[i].at);
      else
        pv_pts_attach(pt, s.list.at[i].at, use, value);
    }
  }
  pv_vec_free(&s.list);
}

static void touch(struct pv_points_to *pt, uint32_t instance, pv_expr address) {
  access_at(pt, instance, address, PTS_TOUCH, (struct pv_pts_value){{0, 0, 0}});
}

static struct pv_pts_value fresh_value(struct pv_points_to *pt) {
  uint32_t first = pv_pts_node_new(pt, PTS_PARTS);
  return (struct pv_pts_value){{first, first + 1, first + 2}};
}

/* ---- calls ----------------------------------------------------------------------------------- */
static bool note_call(struct pv_points_to *pt, struct pv_pts_site site, uint32_t callee) {
  struct pv_pts_call call = {site.instance, site.edge, callee};
  bool is_new;
  pv_map_put(&pt->call_keys, &call, sizeof call, 0, &is_new);
  if (is_new) pv_vec_push(&pt->calls, call);
  return is_new;
}

/* Are arguments missing, or of types that do not fit? Such a call is an error, and the function is
 * not entered. */
static bool lacks_arguments(const struct pv_program *p, const struct pv_edge *e,
                            const struct pv_function *f) {
  if (e->callee != PV_NO_FUNC) return false;
  if (e->args.n < f->n_params) return true;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!pv_type_stays(pv_node(p, pv_arg(p, e->args, i))->type, f->vars.at[i].type)) return true;
  return false;
}

static void connect(struct pv_points_to *pt, struct pv_pts_site site, uint32_t callee) {
  const struct pv_program *p = pt->p;
  const struct pv_function *caller = function_at(pt, pt->instances.at[site.instance].function);
  const struct pv_function *f = function_at(pt, callee);
  const struct pv_edge *e = &caller->edges.at[site.edge];
  if (!f->defined || lacks_arguments(p, e, f)) return;
  uint32_t to = instance_of(pt, callee, callee_context(pt, site.instance, site.edge, callee));
  if (!note_call(pt, site, to)) return;
  for (uint32_t i = 0; i < e->args.n && i < f->n_params; i++)
    assign(pt, site.instance, pv_arg(p, e->args, i), variable(pt, to, i), f->vars.at[i].type);
  if (f->variadic && e->e[1])
    assign(pt, site.instance, e->e[1], variable(pt, to, f->n_params), f->vars.at[f->n_params].type);
  for (uint32_t i = 0; i < e->dsts.n && i < f->n_results; i++) {
    uint32_t var = pv_arg(p, e->dsts, i);
    /* A result that is too narrow for an address is no address. */
    if (var == PV_NO_VAR || !pv_type_stays(f->result[i], caller->vars.at[var].type)) continue;
    move(pt, result(pt, to, i), f->result[i], variable(pt, site.instance, var),
         caller->vars.at[var].type);
  }
}

static void build_call(struct pv_points_to *pt, struct pv_pts_site site, const struct pv_edge *e) {
  if (e->callee != PV_NO_FUNC) {
    connect(pt, site, e->callee);
    return;
  }
  struct pv_pts_value number = {{pt->sites.n, 0, 0}};
  pv_vec_push(&pt->sites, site);
  access_at(pt, site.instance, e->e[0], PTS_CALL, number);
}

/* Creation of a thread: its bottom frame has an instance for the creating place. */
static void build_create(struct pv_points_to *pt, struct pv_pts_site site,
                         const struct pv_edge *e) {
  if (pt->thread_main == PV_NO_FUNC || e->args.n < 3) return;
  struct pv_pts_instance from = pt->instances.at[site.instance];
  struct pv_pts_context context = pt->contexts.at[from.context];
  bool from_call = context.kind == PTS_FROM_CALL;
  uint32_t own = context_of(pt, PTS_SPAWNED, from_call ? context.function : from.function,
                            from_call ? context.edge : site.edge, pt->thread_main);
  uint32_t to = instance_of(pt, pt->thread_main, own);
  touch(pt, site.instance, pv_arg(pt->p, e->args, 0)); /* the thread's number is written there */
  note_call(pt, site, to);
  const struct pv_function *f = function_at(pt, pt->thread_main);
  for (uint32_t i = 0; i < 2 && i < f->n_params; i++) {
    pv_expr arg = pv_arg(pt->p, e->args, i + 1);
    assign(pt, site.instance, arg, variable(pt, to, i), f->vars.at[i].type);
    assign(pt, site.instance, arg, pt->arguments, PV_TYPE(PV_T_PTR, pt->p->pointer_bits));
  }
}

static void build_primitive(struct pv_points_to *pt, struct pv_pts_site site,
                            const struct pv_edge *e) {
  const struct pv_prim *prim = pt->p->prims.at[e->aux].prim;
  pv_type pointer = PV_TYPE(PV_T_PTR, pt->p->pointer_bits);
  unsigned objects = prim->class != PV_PRIM_OBJECT ? 0 : prim->two_objects ? 2 : 1;
  for (uint32_t i = 0; i < objects && i < e->args.n; i++)
    touch(pt, site.instance, pv_arg(pt->p, e->args, i));
  if (prim->role == PV_ROLE_CREATES) build_create(pt, site, e);
  if (prim->role == PV_ROLE_EXITS && e->args.n > 0)
    assign(pt, site.instance, pv_arg(pt->p, e->args, 0), pt->results, pointer);
  if (prim->role == PV_ROLE_JOINS && e->args.n > 1)
    access_at(pt, site.instance, pv_arg(pt->p, e->args, 1), PTS_STORE, pt->results);
}

/* ---- edges ----------------------------------------------------------------------------------- */
static void build_load(struct pv_points_to *pt, uint32_t instance, const struct pv_edge *e) {
  if (e->dst == PV_NO_VAR) {
    touch(pt, instance, e->e[0]);
    return;
  }
  bool whole = e->order != PV_ORDER_NONE && pv_type_bits(e->type) >= pt->p->pointer_bits;
  enum pv_pts_use use = pv_type_kind(e->type) == PV_T_PTR ? PTS_LOAD_POINTER
                        : whole                           ? PTS_LOAD_WHOLE
                                                          : PTS_LOAD;
  access_at(pt, instance, e->e[0], use, variable(pt, instance, e->dst));
}

static void build_copy(struct pv_points_to *pt, uint32_t instance, const struct pv_edge *e) {
  struct pv_pts_value between = fresh_value(pt);
  access_at(pt, instance, e->e[1], PTS_LOAD, between);
  access_at(pt, instance, e->e[0], PTS_STORE, between);
}

static bool is_small(const struct pv_points_to *pt, pv_expr e) {
  return e && pv_node(pt->p, e)->op == PV_X_CONST && pv_node(pt->p, e)->lo < 4096;
}

/* Inputs of few bits, and small numbers, are no addresses. */
static void build_input(struct pv_points_to *pt, uint32_t instance, const struct pv_edge *e) {
  bool bounded = e->op == PV_OP_HAVOC && is_small(pt, e->e[0]) && is_small(pt, e->e[1]);
  bool narrow = pv_type_bits(e->type) <= 8;
  if (e->dst == PV_NO_VAR || narrow || bounded) return;
  bool pointer = pv_type_kind(e->type) == PV_T_PTR;
  pv_pts_add(pt, variable(pt, instance, e->dst).at[pointer ? PTS_TARGETS : PTS_FORGED], 0);
}

static void build_return(struct pv_points_to *pt, uint32_t instance, const struct pv_edge *e,
                         const struct pv_function *f) {
  for (uint32_t i = 0; i < e->args.n && i < f->n_results; i++)
    assign(pt, instance, pv_arg(pt->p, e->args, i), result(pt, instance, i), f->result[i]);
}

static void build_edge(struct pv_points_to *pt, struct pv_pts_site site, const struct pv_edge *e,
                       const struct pv_function *f) {
  uint32_t in = site.instance;
  switch ((enum pv_op)e->op) {
  case PV_OP_ASSIGN:
    assign(pt, in, e->e[0], variable(pt, in, e->dst), f->vars.at[e->dst].type);
    break;
  case PV_OP_HAVOC:
  case PV_OP_INDET: build_input(pt, in, e); break;
  case PV_OP_LOAD: build_load(pt, in, e); break;
  case PV_OP_STORE:
  case PV_OP_FILL: access_at(pt, in, e->e[0], PTS_STORE, value_of(pt, in, e->e[1])); break;
  case PV_OP_RMW:
    build_load(pt, in, e);
    access_at(pt, in, e->e[0], PTS_STORE, value_of(pt, in, e->e[1]));
    break;
  case PV_OP_CMPXCHG:
    build_load(pt, in, e);
    access_at(pt, in, e->e[0], PTS_STORE, value_of(pt, in, e->e[2]));
    break;
  case PV_OP_COPY: build_copy(pt, in, e); break;
  case PV_OP_ALLOC: {
    uint32_t o = allocated(pt, in, site.edge);
    if (e->dst == PV_NO_VAR) break;
    take(pt, o);
    pv_pts_add(pt, variable(pt, in, e->dst).at[PTS_TARGETS], o);
    break;
  }
  case PV_OP_SETJMP: /* the marker's address is passed to the model of setjmp */
  case PV_OP_LONGJMP: break;
  case PV_OP_FREE: access_at(pt, in, e->e[0], PTS_FREE, (struct pv_pts_value){{0, 0, 0}}); break;
  case PV_OP_PRINT: touch(pt, in, e->e[0]); break;
  case PV_OP_CALL: build_call(pt, site, e); break;
  case PV_OP_RETURN: build_return(pt, in, e, f); break;
  case PV_OP_PRIM: build_primitive(pt, site, e); break;
  case PV_OP_QUERY: /* uses an address without following it */
  case PV_OP_SKIP:
  case PV_OP_ASSUME:
  case PV_OP_LIVE:
  case PV_OP_DEAD:
  case PV_OP_FENCE:
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_ATOMIC_END:
  case PV_OP_CHECK:
  case PV_OP_ERROR:
  case PV_OP_STOP:
  case PV_OP_COUNT: break;
  }
}

bool pv_pts_is_waiting(const struct pv_points_to *pt) {
  return pt->unfilled.n || pt->n_built < pt->instances.n;
}

void pv_pts_build_waiting(struct pv_points_to *pt) {
  for (; pt->n_built < pt->instances.n && !pt->over; pt->n_built++) {
    uint32_t instance = pt->n_built;
    const struct pv_function *f = function_at(pt, pt->instances.at[instance].function);
    for (uint32_t s = 0; s < f->slots.n; s++) pv_pts_slot_object(pt, instance, s);
    for (uint32_t i = 0; i < f->edges.n; i++)
      build_edge(pt, (struct pv_pts_site){instance, i}, &f->edges.at[i], f);
    pt->steps += f->edges.n;
    pv_pts_look_at_limits(pt);
  }
  while (pt->unfilled.n) fill_global(pt, pv_vec_pop(&pt->unfilled));
}

void pv_pts_begin(struct pv_points_to *pt) {
  const struct pv_program *p = pt->p;
  struct pv_pts_context fixed = {PTS_USER, 0, 0};
  for (int i = 0; i <= PTS_SHARED; i++, fixed.kind++) pv_vec_push(&pt->contexts, fixed);
  pv_pts_node_new(pt, 1);
  pt->arguments = fresh_value(pt);
  pt->results = fresh_value(pt);
  pt->heap = fresh_value(pt);
  pt->unknown_stored = fresh_value(pt);
  object_of(pt, (struct pv_pt_object){.kind = PV_PT_ANYTHING});
  for (uint32_t g = 0; g < p->globals.n; g++)
    object_of(pt, (struct pv_pt_object){.kind = PV_PT_GLOBAL, .index = g});
  pt->thread_main = PV_NO_FUNC;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    object_of(pt, (struct pv_pt_object){.kind = PV_PT_FUNCTION, .index = f});
    if (strcmp(p->functions.at[f].name, "__proviso_thread_main") == 0) pt->thread_main = f;
  }
  instance_of(pt, p->start, function_at(pt, p->start)->is_model ? PTS_ROOT : PTS_USER);
  for (uint32_t i = 0; i < p->invariants.n; i++) {
    uint32_t f = p->invariants.at[i];
    instance_of(pt, f, function_at(pt, f)->is_model ? PTS_ROOT : PTS_USER);
  }
}
