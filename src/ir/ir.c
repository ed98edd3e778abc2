/* ir.c -- construction of programs: interned strings, hash-consed expressions, functions.
 *
 * Equal expressions have equal numbers because every node is created by `pv_mk`, which first folds
 * it (fold.c) and then looks it up by its bytes. Strings are interned with their NUL, so that the
 * map's own copy of the key can be returned. */
#include "ir/ir.h"

#include "ir/ir_internal.h"

#include <stdlib.h>
#include <string.h>

const char *const pv_op_names[PV_OP_COUNT] = {
#define X(N, S) #N,
    PV_OPS(X)
#undef X
};
const struct pv_expr_op_info pv_expr_ops[PV_X_COUNT] = {
#define X(N, C, A, S) {#N, C, A},
    PV_EXPR_OPS(X)
#undef X
};

/* ---- programs -------------------------------------------------------------------------------- */

struct pv_program *pv_program_new(unsigned pointer_bits) {
  PV_REQUIRE(pointer_bits == 32 || pointer_bits == 64, "pointers have 32 or 64 bits");
  struct pv_program *p = pv_alloc(sizeof *p);
  p->pointer_bits = pointer_bits;
  pv_vec_push(&p->exprs, (struct pv_expr_node){0});
  pv_vec_push(&p->srctypes, (struct pv_srctype_info){.name = pv_program_string(p, "")});
  pv_vec_push(&p->spans, (struct pv_span){0});
  pv_vec_push(&p->files, (struct pv_file){.path = pv_program_string(p, "?")});
  p->start = PV_NO_FUNC;
  return p;
}

static void function_free(struct pv_function *f) {
  pv_vec_free(&f->vars);
  pv_vec_free(&f->slots);
  pv_vec_free(&f->locs);
  pv_vec_free(&f->edges);
  pv_vec_free(&f->labels);
}

void pv_program_free(struct pv_program *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->functions.n; i++) function_free(&p->functions.at[i]);
  for (uint32_t i = 0; i < p->globals.n; i++) {
    free(p->globals.at[i].init);
    pv_vec_free(&p->globals.at[i].relocs);
  }
  for (uint32_t i = 0; i < p->srctypes.n; i++) pv_vec_free(&p->srctypes.at[i].fields);
  for (uint32_t i = 0; i < p->files.n; i++) {
    free(p->files.at[i].text);
    pv_vec_free(&p->files.at[i].line_start);
  }
  pv_vec_free(&p->exprs);
  pv_vec_free(&p->arg_pool);
  pv_vec_free(&p->functions);
  pv_vec_free(&p->globals);
  pv_vec_free(&p->srctypes);
  pv_vec_free(&p->spans);
  pv_vec_free(&p->files);
  pv_vec_free(&p->prims);
  pv_vec_free(&p->invariants);
  pv_vec_free(&p->folded_overflows);
  pv_vec_free(&p->undefined);
  pv_vec_free(&p->unended);
  pv_vec_free(&p->imports);
  pv_vec_free(&p->observers);
  pv_vec_free(&p->notes);
  for (unsigned kind = 0; kind < PV_TEXT_COUNT; kind++) {
    for (uint32_t i = 0; i < p->texts[kind].n; i++) free(p->texts[kind].at[i].bytes);
    pv_vec_free(&p->texts[kind]);
  }
  pv_map_free(&p->strings);
  pv_map_free(&p->expr_index);
  free(p);
}

const char *pv_program_string(struct pv_program *p, const char *s) {
  uint32_t index = *pv_map_put(&p->strings, s, strlen(s) + 1, p->strings.n, NULL);
  return p->strings.entry[index].key;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The identity of a node, without the padding of the structure. */
struct node_key {
  uint32_t head, type, a, b, c, zero;
  uint64_t lo, hi;
};

static pv_expr intern(struct pv_program *p, const struct pv_expr_node *n) {
  struct node_key key = {
      .type = n->type, .a = n->a, .b = n->b, .c = n->c, .lo = n->lo, .hi = n->hi};
  key.head = (uint32_t)n->op | (uint32_t)n->flags << 8 | (uint32_t)n->aux << 16;
  bool is_new;
  uint32_t id = *pv_map_put(&p->expr_index, &key, sizeof key, p->exprs.n, &is_new);
  if (is_new) pv_vec_push(&p->exprs, *n);
  return id;
}

pv_expr pv_mk(struct pv_program *p, struct pv_expr_node n) {
  PV_REQUIRE(n.op < PV_X_COUNT, "unknown expression operation");
  if (n.op == PV_X_CONST) pv_const_normalise(&n);
  pv_expr folded = pv_fold(p, &n);
  return folded ? folded : intern(p, &n);
}

pv_expr pv_mk_const(struct pv_program *p, pv_type type, uint64_t value) {
  return pv_mk(p, (struct pv_expr_node){.op = PV_X_CONST, .type = type, .lo = value});
}

pv_expr pv_mk_var(struct pv_program *p, pv_type type, uint32_t var) {
  return pv_mk(p, (struct pv_expr_node){.op = PV_X_VAR, .type = type, .lo = var});
}

pv_expr pv_mk_unary(struct pv_program *p, enum pv_expr_op op, pv_type type, pv_expr a) {
  return pv_mk(p, (struct pv_expr_node){.op = (uint8_t)op, .type = type, .a = a});
}

pv_expr pv_mk_binary(struct pv_program *p, enum pv_expr_op op, unsigned flags, pv_type type,
                     pv_expr a, pv_expr b) {
  return pv_mk(p, (struct pv_expr_node){
                      .op = (uint8_t)op, .flags = (uint8_t)flags, .type = type, .a = a, .b = b});
}

static const uint8_t fcmp_opposite[] = {
    [PV_FCMP_OEQ] = PV_FCMP_UNE, [PV_FCMP_OGT] = PV_FCMP_ULE, [PV_FCMP_OGE] = PV_FCMP_ULT,
    [PV_FCMP_OLT] = PV_FCMP_UGE, [PV_FCMP_OLE] = PV_FCMP_UGT, [PV_FCMP_ONE] = PV_FCMP_UEQ,
    [PV_FCMP_ORD] = PV_FCMP_UNO, [PV_FCMP_UEQ] = PV_FCMP_ONE, [PV_FCMP_UGT] = PV_FCMP_OLE,
    [PV_FCMP_UGE] = PV_FCMP_OLT, [PV_FCMP_ULT] = PV_FCMP_OGE, [PV_FCMP_ULE] = PV_FCMP_OGT,
    [PV_FCMP_UNE] = PV_FCMP_OEQ, [PV_FCMP_UNO] = PV_FCMP_ORD,
};

/* The node of the negation, if a comparison can be negated in place. */
bool pv_negated(const struct pv_expr_node *in, struct pv_expr_node *out) {
  *out = *in;
  switch (in->op) {
  case PV_X_EQ: out->op = PV_X_NE; return true;
  case PV_X_NE: out->op = PV_X_EQ; return true;
  case PV_X_ULT: out->op = PV_X_ULE; break;
  case PV_X_ULE: out->op = PV_X_ULT; break;
  case PV_X_SLT: out->op = PV_X_SLE; break;
  case PV_X_SLE: out->op = PV_X_SLT; break;
  case PV_X_FCMP: out->aux = fcmp_opposite[in->aux]; return true;
  default: return false;
  }
  out->a = in->b;
  out->b = in->a;
  return true;
}

pv_expr pv_mk_not(struct pv_program *p, pv_expr cond) {
  struct pv_expr_node n = *pv_node(p, cond), negated;
  PV_REQUIRE(n.type == PV_INT(1), "only conditions are negated");
  if (pv_negated(&n, &negated)) return pv_mk(p, negated);
  return pv_mk_binary(p, PV_X_XOR, 0, PV_INT(1), cond, pv_mk_const(p, PV_INT(1), 1));
}

struct pv_args pv_mk_args(struct pv_program *p, const pv_expr *e, uint32_t n) {
  struct pv_args slice = {p->arg_pool.n, n};
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&p->arg_pool, e[i]);
  return slice;
}

/* ---- functions ------------------------------------------------------------------------------- */

uint32_t pv_function_add(struct pv_program *p, const char *name) {
  struct pv_function f = {.name = pv_program_string(p, name)};
  pv_vec_push(&p->functions, f);
  return p->functions.n - 1;
}

pv_loc pv_loc_add(struct pv_function *f) {
  pv_vec_push(&f->locs, (struct pv_location){0});
  return f->locs.n - 1;
}

struct pv_edge pv_edge_of(enum pv_op op, pv_loc from, pv_loc to) {
  return (struct pv_edge){.from = from,
                          .to = to,
                          .op = (uint8_t)op,
                          .dst = PV_NO_VAR,
                          .dst2 = PV_NO_VAR,
                          .callee = PV_NO_FUNC};
}

/* Sorts the edges by `from`, keeping their order otherwise (counting sort), and fills the slices.
 */
static void sort_edges(struct pv_function *f) {
  uint32_t n = f->locs.n;
  for (uint32_t l = 0; l < n; l++) f->locs.at[l].n_out = f->locs.at[l].n_in = 0;
  for (uint32_t i = 0; i < f->edges.n; i++) f->locs.at[f->edges.at[i].from].n_out++;
  uint32_t at = 0;
  for (uint32_t l = 0; l < n; l++) {
    f->locs.at[l].first_out = at;
    at += f->locs.at[l].n_out;
  }
  uint32_t *next = pv_alloc((n + 1) * sizeof *next);
  for (uint32_t l = 0; l < n; l++) next[l] = f->locs.at[l].first_out;
  struct pv_edge *sorted = pv_alloc((f->edges.n + 1) * sizeof *sorted);
  for (uint32_t i = 0; i < f->edges.n; i++) sorted[next[f->edges.at[i].from]++] = f->edges.at[i];
  if (f->edges.n) memcpy(f->edges.at, sorted, f->edges.n * sizeof *sorted);
  free(sorted);
  free(next);
}

/* Depth-first search from the entry: colour 1 = on the current path, 2 = left. Marks targets of
 * back edges. Numbers the locations in reverse postorder, so that the text of a function reads
 * downwards; UINT32_MAX for unreachable ones. The last successor is visited first, so that the
 * first one is numbered next. */
static uint32_t *walk(struct pv_function *f, uint32_t *n_seen) {
  uint8_t *colour = pv_alloc(f->locs.n + 1);
  uint32_t *tried = pv_alloc((f->locs.n + 1) * sizeof *tried);
  uint32_t *number = pv_alloc((f->locs.n + 1) * sizeof *number), left = 0;
  PV_VEC(pv_loc) path = {0};
  for (uint32_t l = 0; l < f->locs.n; l++) {
    f->locs.at[l].loop_head = false;
    number[l] = UINT32_MAX;
  }
  colour[f->entry] = 1;
  pv_vec_push(&path, f->entry);
  while (path.n) {
    pv_loc at = pv_vec_last(&path);
    const struct pv_location *l = &f->locs.at[at];
    if (tried[at] == l->n_out) {
      colour[at] = 2;
      number[at] = left++;
      path.n--;
      continue;
    }
    pv_loc to = f->edges.at[l->first_out + l->n_out - 1 - tried[at]++].to;
    if (colour[to] == 1) f->locs.at[to].loop_head = true;
    if (colour[to]) continue;
    colour[to] = 1;
    pv_vec_push(&path, to);
  }
  for (uint32_t l = 0; l < f->locs.n; l++)
    if (number[l] != UINT32_MAX) number[l] = left - 1 - number[l];
  *n_seen = left;
  pv_vec_free(&path);
  free(tried);
  free(colour);
  return number;
}

/* Renumbers the reachable locations in this order, the exit last. Removes unreachable edges. */
static void compact(struct pv_function *f, uint32_t *number, uint32_t n_seen) {
  bool exit_seen = number[f->exit] != UINT32_MAX;
  uint32_t n = n_seen + !exit_seen, kept = 0, old = number[f->exit];
  for (uint32_t l = 0; l < f->locs.n && exit_seen; l++)
    if (number[l] != UINT32_MAX && number[l] > old) number[l]--;
  number[f->exit] = n - 1;
  struct pv_location *moved = pv_alloc((n + 1) * sizeof *moved);
  for (uint32_t l = 0; l < f->locs.n; l++)
    if (number[l] != UINT32_MAX) moved[number[l]] = f->locs.at[l];
  memcpy(f->locs.at, moved, n * sizeof *moved);
  free(moved);
  f->locs.n = n;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge e = f->edges.at[i];
    if (number[e.from] == UINT32_MAX || number[e.to] == UINT32_MAX) continue;
    e.from = number[e.from];
    e.to = number[e.to];
    f->edges.at[kept++] = e;
  }
  f->edges.n = kept;
  f->entry = number[f->entry];
  f->exit = number[f->exit];
  for (uint32_t i = 0; i < f->labels.n; i++) /* a label to which nothing jumps leads nowhere */
    f->labels.at[i] = number[f->labels.at[i]] == UINT32_MAX ? f->exit : number[f->labels.at[i]];
}

static bool is_nothing(const struct pv_edge *e) {
  return e->op == PV_OP_SKIP && !e->text;
}

void pv_function_shorten(struct pv_function *f) {
  pv_loc *next = pv_alloc((f->locs.n + 1) * sizeof *next);
  uint32_t kept = 0;
  for (pv_loc l = 0; l < f->locs.n; l++) next[l] = l;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (is_nothing(&f->edges.at[i])) next[f->edges.at[i].from] = f->edges.at[i].to;
  for (pv_loc l = 0; l < f->locs.n; l++) { /* the end of the chain; a cycle of SKIPs is kept */
    pv_loc to = l;
    uint32_t steps = 0;
    while (next[to] != to && steps++ <= f->locs.n) to = next[to];
    if (steps > f->locs.n) next[l] = l;
    for (pv_loc at = l; next[at] != at && steps <= f->locs.n;) {
      pv_loc after = next[at];
      next[at] = to;
      at = after;
    }
  }
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge e = f->edges.at[i];
    if (is_nothing(&e) && next[e.from] != e.from) continue;
    e.to = next[e.to];
    f->edges.at[kept++] = e;
  }
  f->edges.n = kept;
  f->entry = next[f->entry];
  for (uint32_t i = 0; i < f->labels.n; i++) f->labels.at[i] = next[f->labels.at[i]];
  free(next);
}

void pv_function_finish(struct pv_program *p, struct pv_function *f) {
  (void)p;
  PV_REQUIRE(f->entry < f->locs.n && f->exit < f->locs.n, "entry and exit are locations");
  sort_edges(f);
  uint32_t n_seen, *number = walk(f, &n_seen);
  compact(f, number, n_seen);
  free(number);
  sort_edges(f);
  for (uint32_t i = 0; i < f->edges.n; i++) f->locs.at[f->edges.at[i].to].n_in++;
}

const char *pv_edge_use(const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_COPY:
  case PV_OP_FILL: return "as an address or a size";
  case PV_OP_ALLOC: return "as a size";
  case PV_OP_FREE: return "as an address";
  case PV_OP_CALL: return "as the function that is called";
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: return "in an atomic operation";
  case PV_OP_PRIM: return "in an operation on threads";
  case PV_OP_PRINT: return "in output";
  case PV_OP_STOP: return "as the exit status";
  default: return "in a condition";
  }
}

/* ---- source positions ------------------------------------------------------------------------ */

const struct pv_span *pv_span_of(const struct pv_program *p, uint32_t span) {
  return &p->spans.at[span < p->spans.n ? span : 0];
}

const char *pv_span_file(const struct pv_program *p, uint32_t span) {
  uint32_t file = pv_span_of(p, span)->file;
  return p->files.at[file < p->files.n ? file : 0].path;
}

bool pv_span_text(const struct pv_program *p, uint32_t span, struct pv_str *out) {
  const struct pv_span *s = pv_span_of(p, span);
  if (!s->file || s->file >= p->files.n || !s->line) return false;
  const struct pv_file *f = &p->files.at[s->file];
  if (!f->text || s->line > f->line_start.n) return false;
  size_t from = f->line_start.at[s->line - 1];
  size_t to = s->line < f->line_start.n ? f->line_start.at[s->line] : f->length;
  while (from < to && (f->text[from] == ' ' || f->text[from] == '\t')) from++;
  while (to > from && (f->text[to - 1] == '\n' || f->text[to - 1] == '\r' ||
                       f->text[to - 1] == ' ' || f->text[to - 1] == '\t'))
    to--;
  pv_str_addn(out, f->text + from, to - from);
  return to > from;
}
