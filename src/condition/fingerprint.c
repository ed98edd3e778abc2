#include "condition/fingerprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

static void put_text(const char *text, struct pv_str *out) {
  if (!text) text = "";
  pv_put_bytes(out, text, strlen(text));
}

static uint64_t finish(struct pv_str *bytes) {
  uint64_t hash = pv_hash(pv_str_cstr(bytes), bytes->n);
  pv_str_free(bytes);
  return hash;
}

/* ---- all of it, with numbers ----------------------------------------------------------------- */
static void put_edge(const struct pv_edge *e, struct pv_str *out) {
  const uint64_t words[] = {e->from,    e->to,     e->op,    e->order,  e->order2,  e->flags,
                            e->aux,     e->type,   e->align, e->unset,  e->dst,     e->dst2,
                            e->e[0],    e->e[1],   e->e[2],  e->callee, e->args.at, e->args.n,
                            e->dsts.at, e->dsts.n, e->site,  e->span,   e->stmt,    e->where};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
  put_text(e->text, out);
}

static void put_global(const struct pv_global *g, struct pv_str *out) {
  put_text(g->name, out);
  pv_put_number(out, g->size);
  pv_put_number(out, g->align);
  pv_put_number(out, g->is_const | 2u * g->is_thread_local | 4u * g->is_external);
  pv_put_bytes(out, g->init, g->init ? (size_t)g->size : 0);
}

static void put_relocs(const struct pv_global *g, struct pv_str *out) {
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    pv_put_number(out, g->relocs.at[i].offset);
    pv_put_number(out, g->relocs.at[i].value);
  }
}

static void put_function(const struct pv_function *f, struct pv_str *out) {
  put_text(f->name, out);
  const uint64_t words[] = {f->defined,   f->variadic, f->is_model, f->atomic,
                            f->n_results, f->n_params, f->entry,    f->exit,
                            f->vars.n,    f->slots.n,  f->locs.n,   f->edges.n};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
  for (uint32_t i = 0; i < f->vars.n; i++) {
    put_text(f->vars.at[i].name, out);
    pv_put_number(out, f->vars.at[i].type);
  }
  for (uint32_t i = 0; i < f->slots.n; i++) {
    const struct pv_slot *s = &f->slots.at[i];
    put_text(s->name, out);
    pv_put_number(out, s->size);
    pv_put_number(out, s->align);
    pv_put_number(out, s->scoped | 2u * s->copy_of);
    pv_put_number(out, s->marker);
  }
  for (uint32_t i = 0; i < f->labels.n; i++) pv_put_number(out, f->labels.at[i]);
  for (uint32_t i = 0; i < f->edges.n; i++) put_edge(&f->edges.at[i], out);
}

uint64_t pv_program_hash(const struct pv_program *p) {
  struct pv_str out = {0};
  pv_put_number(&out, p->pointer_bits);
  pv_put_number(&out, p->start);
  pv_put_number(&out, p->has_jumps | 2u * p->reads_addresses);
  for (uint32_t i = 0; i < p->exprs.n; i++) {
    const struct pv_expr_node *n = &p->exprs.at[i];
    const uint64_t words[] = {n->op, n->flags, n->aux, n->type, n->a, n->b, n->c, n->lo, n->hi};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) pv_put_number(&out, words[k]);
  }
  for (uint32_t i = 0; i < p->arg_pool.n; i++) pv_put_number(&out, p->arg_pool.at[i]);
  for (uint32_t i = 0; i < p->functions.n; i++) put_function(&p->functions.at[i], &out);
  for (uint32_t i = 0; i < p->globals.n; i++) {
    put_global(&p->globals.at[i], &out);
    put_relocs(&p->globals.at[i], &out);
  }
  for (uint32_t i = 0; i < p->spans.n; i++) {
    const struct pv_span *s = &p->spans.at[i];
    pv_put_number(&out, s->file);
    pv_put_number(&out, s->line);
    pv_put_number(&out, s->column);
  }
  for (uint32_t i = 0; i < p->prims.n; i++) put_text(p->prims.at[i].name, &out);
  for (uint32_t i = 0; i < p->invariants.n; i++) pv_put_number(&out, p->invariants.at[i]);
  for (uint32_t i = 0; i < p->observers.n; i++) pv_put_number(&out, p->observers.at[i]);
  for (unsigned kind = 0; kind < PV_TEXT_COUNT; kind++)
    for (uint32_t i = 0; i < p->texts[kind].n; i++)
      pv_put_bytes(&out, p->texts[kind].at[i].bytes, p->texts[kind].at[i].n);
  return finish(&out);
}

/* ---- what functions do ----------------------------------------------------------------------- */
/* Operands come before the expressions that use them. What a global points to by relocations counts
 * by its place, not its content: globals may refer to each other. */
static uint64_t expr_hash(const struct pv_program *p, pv_expr e, const uint64_t *hash,
                          bool with_numbers) {
  const struct pv_expr_node *n = pv_node(p, e);
  struct pv_str out = {0};
  const uint64_t words[] = {n->op, n->flags, n->aux, n->type, hash[n->a], hash[n->b], hash[n->c]};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(&out, words[i]);
  if (n->op == PV_X_GLOBAL) {
    put_global(&p->globals.at[n->lo], &out);
    pv_put_number(&out, p->globals.at[n->lo].relocs.n);
  } else if (n->op == PV_X_FUNC) {
    put_text(p->functions.at[n->lo].name, &out);
  } else if (with_numbers || (n->op != PV_X_VAR && n->op != PV_X_SLOT)) {
    pv_put_number(&out, n->lo);
    pv_put_number(&out, n->hi);
  }
  return finish(&out);
}

static void put_step(const struct pv_program *p, const struct pv_edge *e, const uint64_t *hash,
                     struct pv_str *out) {
  const uint64_t words[] = {e->from,  e->to,         e->op,         e->order,     e->order2,
                            e->flags, e->type,       e->align,      e->unset,     e->dst,
                            e->dst2,  hash[e->e[0]], hash[e->e[1]], hash[e->e[2]]};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
  if (e->op == PV_OP_PRIM)
    put_text(p->prims.at[e->aux].name, out);
  else
    pv_put_number(out, e->aux);
  for (uint32_t i = 0; i < e->args.n; i++) pv_put_number(out, hash[pv_arg(p, e->args, i)]);
  for (uint32_t i = 0; i < e->dsts.n; i++) pv_put_number(out, pv_arg(p, e->dsts, i));
  if (e->op == PV_OP_CALL && e->callee != PV_NO_FUNC)
    put_text(p->functions.at[e->callee].name, out);
  put_text(e->text, out);
}

static uint64_t function_hash(const struct pv_program *p, const struct pv_function *f,
                              const uint64_t *hash) {
  struct pv_str out = {0};
  const uint64_t words[] = {f->defined,  f->variadic, f->atomic, f->n_results,
                            f->n_params, f->entry,    f->exit};
  put_text(f->name, &out);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(&out, words[i]);
  for (uint32_t i = 0; i < f->vars.n; i++) pv_put_number(&out, f->vars.at[i].type);
  for (uint32_t i = 0; i < f->slots.n; i++) {
    const struct pv_slot *s = &f->slots.at[i];
    const uint64_t slot[] = {s->size, s->align, s->scoped, s->copy_of, s->marker};
    for (size_t k = 0; k < sizeof slot / sizeof *slot; k++) pv_put_number(&out, slot[k]);
  }
  for (uint32_t i = 0; i < f->labels.n; i++) pv_put_number(&out, f->labels.at[i]);
  for (uint32_t i = 0; i < f->edges.n; i++) put_step(p, &f->edges.at[i], hash, &out);
  return finish(&out);
}

/* Does some relocation lead to another place than before? Those are few: all functions count them.
 */
static uint64_t relocs_hash(const struct pv_program *p, const uint64_t *hash) {
  struct pv_str out = {0};
  for (uint32_t i = 0; i < p->globals.n; i++) {
    const struct pv_global *g = &p->globals.at[i];
    for (uint32_t k = 0; k < g->relocs.n; k++) {
      put_text(g->name, &out);
      pv_put_number(&out, g->relocs.at[k].offset);
      pv_put_number(&out, hash[g->relocs.at[k].value]);
    }
  }
  pv_put_number(&out, p->pointer_bits);
  return finish(&out);
}

uint64_t *pv_fingerprint_exprs(const struct pv_program *p) {
  uint64_t *hash = pv_alloc((p->exprs.n + 1) * sizeof *hash);
  for (uint32_t e = 1; e < p->exprs.n; e++) hash[e] = expr_hash(p, e, hash, false);
  hash[0] = relocs_hash(p, hash);
  return hash;
}

void pv_fingerprint_edge(const struct pv_program *p, const struct pv_edge *e, const uint64_t *hash,
                         struct pv_str *out) {
  struct pv_edge nameless = *e;
  nameless.from = nameless.to = 0;
  nameless.dst = e->dst == PV_NO_VAR;
  nameless.dst2 = e->dst2 == PV_NO_VAR;
  nameless.dsts.n = 0;
  put_step(p, &nameless, hash, out);
  pv_put_number(out, e->dsts.n);
  pv_put_number(out, hash[0]);
}

struct pv_fingerprints pv_fingerprints_of(const struct pv_program *p) {
  struct pv_fingerprints f = {.function = pv_alloc((p->functions.n + 1) * sizeof *f.function),
                              .n = p->functions.n};
  uint64_t *hash = pv_alloc((p->exprs.n + 1) * sizeof *hash);
  for (uint32_t e = 1; e < p->exprs.n; e++) hash[e] = expr_hash(p, e, hash, true);
  uint64_t relocs = relocs_hash(p, hash);
  for (uint32_t i = 0; i < f.n; i++)
    f.function[i] = pv_hash_word(function_hash(p, &p->functions.at[i], hash) ^ relocs);
  free(hash);
  return f;
}

void pv_fingerprints_free(struct pv_fingerprints *f) {
  free(f->function);
  pv_str_free(&f->outlines);
  *f = (struct pv_fingerprints){0};
}
