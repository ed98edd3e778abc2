#include "condition/outline.h"

#include <stdlib.h>
#include <string.h>

#include "condition/fingerprint.h"

enum { MOST_NAMES = 500, MOST_LOCATIONS = 1 << 20 };

/* ---- writing --------------------------------------------------------------------------------- */
struct writer {
  const struct pv_program *p;
  const uint64_t *hash; /* by expression, without variables and slots */
  PV_VEC(uint64_t) names;
  uint32_t visited; /* expressions of the edge */
};

static void add_name(struct writer *w, uint32_t number, bool is_slot) {
  pv_vec_push(&w->names, 2 * (uint64_t)number + is_slot);
}

/* The variables and slots of an expression, as of a tree: what is shared counts again. */
static void add_names(struct writer *w, pv_expr e) {
  if (!e || w->visited++ > MOST_NAMES) return;
  const struct pv_expr_node *n = pv_node(w->p, e);
  if (n->op == PV_X_VAR || n->op == PV_X_SLOT) add_name(w, (uint32_t)n->lo, n->op == PV_X_SLOT);
  add_names(w, n->a);
  add_names(w, n->b);
  add_names(w, n->c);
}

static void add_variable(struct writer *w, uint32_t variable) {
  if (variable != PV_NO_VAR) add_name(w, variable, false);
}

static uint64_t hash_of(struct writer *w, const struct pv_edge *e) {
  struct pv_str out = {0};
  w->names.n = w->visited = 0;
  pv_fingerprint_edge(w->p, e, w->hash, &out);
  add_variable(w, e->dst);
  add_variable(w, e->dst2);
  for (unsigned i = 0; i < 3; i++) add_names(w, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) add_names(w, pv_arg(w->p, e->args, i));
  for (uint32_t i = 0; i < e->dsts.n; i++) add_variable(w, pv_arg(w->p, e->dsts, i));
  uint64_t hash = w->visited > MOST_NAMES ? 0 : pv_hash(pv_str_cstr(&out), out.n);
  if (!hash) w->names.n = 0;
  pv_str_free(&out);
  return hash;
}

static uint64_t head_of(const struct pv_function *f) {
  struct pv_str out = {0};
  const uint64_t words[] = {f->variadic, f->atomic, f->n_results, f->n_params};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(&out, words[i]);
  for (uint32_t i = 0; i < f->n_params + f->variadic; i++) pv_put_number(&out, f->vars.at[i].type);
  uint64_t hash = pv_hash(pv_str_cstr(&out), out.n);
  pv_str_free(&out);
  return hash;
}

static uint64_t slot_hash(const struct pv_slot *s) {
  const uint64_t words[] = {s->size, s->align, s->scoped, s->copy_of, s->marker};
  struct pv_str out = {0};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(&out, words[i]);
  uint64_t hash = pv_hash(pv_str_cstr(&out), out.n);
  pv_str_free(&out);
  return hash;
}

static void put_function(struct writer *w, uint32_t number, struct pv_str *out) {
  const struct pv_function *f = &w->p->functions.at[number];
  const uint64_t words[] = {
      pv_hash(f->name, strlen(f->name)), head_of(f), number, f->entry, f->locs.n,
      f->n_params + f->variadic,         f->slots.n};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
  for (uint32_t i = 0; i < f->slots.n; i++) pv_put_number(out, slot_hash(&f->slots.at[i]));
  pv_put_number(out, f->edges.n);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    pv_put_number(out, e->from);
    pv_put_number(out, e->to);
    pv_put_number(out, hash_of(w, e));
    pv_put_number(out, w->names.n);
    for (uint32_t k = 0; k < w->names.n; k++) pv_put_number(out, w->names.at[k]);
  }
}

void pv_outlines_put(const struct pv_program *p, struct pv_str *out) {
  uint64_t *hash = pv_fingerprint_exprs(p);
  struct writer w = {.p = p, .hash = hash};
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (f->defined && !f->is_model && !f->labels.n) put_function(&w, i, out);
  }
  pv_vec_free(&w.names);
  free(hash);
}

/* ---- reading --------------------------------------------------------------------------------- */
static void read_edge(struct pv_bytes *b, struct pv_outline *o) {
  struct pv_outline_edge e = {.at = o->names.n};
  uint64_t most = o->locs ? o->locs - 1 : 0;
  e.from = (uint32_t)pv_take_up_to(b, most);
  e.to = (uint32_t)pv_take_up_to(b, most);
  e.hash = pv_take_number(b);
  e.n = pv_take_count(b);
  for (uint32_t i = 0; i < e.n && !b->wrong; i++) pv_vec_push(&o->names, pv_take_number(b));
  pv_vec_push(&o->edges, e);
}

bool pv_outlines_read(const void *bytes, size_t n, pv_outlines *out) {
  struct pv_bytes b = {.at = bytes, .n = n};
  while (b.n && !b.wrong) {
    struct pv_outline o = {.name = pv_take_number(&b), .head = pv_take_number(&b)};
    o.function = (uint32_t)pv_take_up_to(&b, UINT32_MAX);
    o.entry = (uint32_t)pv_take_up_to(&b, MOST_LOCATIONS);
    o.locs = (uint32_t)pv_take_up_to(&b, MOST_LOCATIONS);
    o.params = (uint32_t)pv_take_up_to(&b, MOST_LOCATIONS);
    b.wrong |= o.entry >= o.locs;
    uint32_t slots = pv_take_count(&b);
    for (uint32_t i = 0; i < slots && !b.wrong; i++) pv_vec_push(&o.slots, pv_take_number(&b));
    uint32_t edges = pv_take_count(&b);
    for (uint32_t i = 0; i < edges && !b.wrong; i++) read_edge(&b, &o);
    pv_vec_push(out, o);
  }
  return !b.wrong;
}

void pv_outlines_free(pv_outlines *o) {
  for (uint32_t i = 0; i < o->n; i++) {
    pv_vec_free(&o->at[i].edges);
    pv_vec_free(&o->at[i].slots);
    pv_vec_free(&o->at[i].names);
  }
  pv_vec_free(o);
}

/* ---- comparing ------------------------------------------------------------------------------- */
struct comparison {
  const struct pv_outline *was, *now;
  uint32_t *place;                  /* by location of `now`: 1 + that of `was`; 0: none yet */
  struct pv_map names, names_taken; /* a name of `now` -> that of `was` + 1, and back */
  PV_VEC(uint32_t) todo;            /* locations of `now` */
};

/* Are they names of the same sort, and slots alike? */
static bool alike(const struct comparison *c, uint64_t now, uint64_t was) {
  if ((now ^ was) & 1) return false;
  if (!(now & 1)) return true;
  return now / 2 < c->now->slots.n && was / 2 < c->was->slots.n &&
         c->now->slots.at[now / 2] == c->was->slots.at[was / 2];
}

/* Do the names correspond? If `commits`, they do from now on. */
static bool correspond(struct comparison *c, uint64_t now, uint64_t was, bool commits) {
  const uint32_t *there = pv_map_get(&c->names, &now, sizeof now);
  const uint32_t *back = pv_map_get(&c->names_taken, &was, sizeof was);
  if (!alike(c, now, was)) return false;
  if (there || back) return there && back && *there == (uint32_t)was && *back == (uint32_t)now;
  if (commits) {
    pv_map_put(&c->names, &now, sizeof now, (uint32_t)was, NULL);
    pv_map_put(&c->names_taken, &was, sizeof was, (uint32_t)now, NULL);
  }
  return true;
}

/* Of two names that occur for the first time, it is seen only when they are committed whether they
 * correspond throughout the edge; then what was committed before stays, which costs precision. */
static bool same_names(struct comparison *c, const struct pv_outline_edge *x,
                       const struct pv_outline_edge *y) {
  const uint64_t *now = c->now->names.at + x->at, *was = c->was->names.at + y->at;
  if (x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!correspond(c, now[i], was[i], false)) return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!correspond(c, now[i], was[i], true)) return false;
  return true;
}

/* An edge of `was` that does what edge x of `now` does. */
static bool matches(struct comparison *c, const struct pv_outline_edge *x, uint32_t from) {
  for (uint32_t i = 0; x->hash && i < c->was->edges.n; i++) {
    const struct pv_outline_edge *y = &c->was->edges.at[i];
    if (y->from != from || y->hash != x->hash) continue;
    uint32_t place = c->place[x->to];
    if ((place && place != y->to + 1) || !same_names(c, x, y)) continue;
    if (!place) pv_vec_push(&c->todo, x->to);
    c->place[x->to] = y->to + 1;
    return true;
  }
  return false;
}

bool pv_outline_compare(const struct pv_outline *was, const struct pv_outline *now, uint8_t *same) {
  struct comparison c = {.was = was, .now = now};
  if (was->head != now->head) return false;
  c.place = pv_alloc((now->locs + 1) * sizeof *c.place);
  c.place[now->entry] = was->entry + 1;
  pv_vec_push(&c.todo, now->entry);
  for (uint64_t i = 0; i < now->params; i++) correspond(&c, 2 * i, 2 * i, true);
  for (uint32_t next = 0; next < c.todo.n; next++) {
    uint32_t at = c.todo.at[next];
    for (uint32_t i = 0; i < now->edges.n; i++)
      if (now->edges.at[i].from == at) same[i] = matches(&c, &now->edges.at[i], c.place[at] - 1);
  }
  free(c.place);
  pv_map_free(&c.names);
  pv_map_free(&c.names_taken);
  pv_vec_free(&c.todo);
  return true;
}
