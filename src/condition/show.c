#include "condition/show.h"

#include "condition/algebra.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */
static void put_count(uint64_t n, const char *what, struct pv_str *out) {
  pv_str_addf(out, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

static void put_inputs(const struct pv_open_part *p, struct pv_str *out) {
  uint64_t values = 0;
  bool many = false;
  for (uint32_t i = 0; i < p->tried.n; i++) {
    uint64_t here = p->tried.at[i].high - p->tried.at[i].low;
    many |= here == UINT64_MAX || __builtin_add_overflow(values, here + 1, &values);
  }
  pv_str_add(out, "inputs, ");
  if (many)
    pv_str_add(out, "all values were tried");
  else
    put_count(values, "value", out), pv_str_add(out, values == 1 ? " was tried" : " were tried");
}

static void put_frontier(const struct pv_open_part *p, struct pv_str *out) {
  uint64_t open = 0, longest = 0;
  for (uint32_t i = 0; i < p->prefixes.n; i++) {
    open += p->prefixes.at[i].is_open;
    if (p->prefixes.at[i].is_open && p->prefixes.at[i].depth > longest)
      longest = p->prefixes.at[i].depth;
  }
  pv_str_add(out, "frontier, ");
  pv_str_addf(out, "%" PRIu64 " open prefix%s of at most ", open, open == 1 ? "" : "es");
  put_count(longest, "choice", out);
  pv_str_add(out, ", ");
  put_count(p->sleeping.n, "transition", out);
  pv_str_add(out, " asleep");
}

static void put_part(const struct pv_open_part *p, const struct pv_program *program,
                     struct pv_str *out) {
  switch (p->kind) {
  case PV_OPEN_BOUND:
    pv_str_addf(out, "bound, %s %" PRIu64 "%s", pv_bound_kind_names[p->bound], p->number,
                p->function ? " at one place" : "");
    break;
  case PV_OPEN_INPUTS: put_inputs(p, out); break;
  case PV_OPEN_FRONTIER: put_frontier(p, out); break;
  case PV_OPEN_AUTOMATON:
    pv_str_add(out, "automaton, ");
    put_count(p->states - PV_AUTOMATON_FIRST, "state", out);
    pv_str_add(out, " and ");
    put_count(p->moves.n, "transition", out);
    break;
  case PV_OPEN_COUNT: break;
  }
  double measure = pv_open_part_measure(p, program);
  if (measure >= 0) pv_str_addf(out, ", measure %.3f", measure);
}

/* ---- formulas --------------------------------------------------------------------------------
 * By location, as in the paper's section 2: ways to `open` along branches become the conditions of
 * the opposite branches. A state is lost if all ways from its location lead to `open`, at last. */
struct formulas {
  const struct pv_open_part *part;
  const struct pv_program *program;
  const struct pv_condition_file *file;
  uint8_t *lost;      /* by state */
  struct pv_map told; /* function, edge */
};

static const struct pv_edge *edge_of(const struct pv_program *p,
                                     const struct pv_automaton_move *m) {
  if (m->function >= p->functions.n || m->edge >= p->functions.at[m->function].edges.n) return NULL;
  return &p->functions.at[m->function].edges.at[m->edge];
}

/* Are all edges of one location among the moves, and do all lead to lost states? */
static bool is_lost(const struct formulas *x, uint32_t first, uint32_t end) {
  const struct pv_automaton_move *m = &x->part->moves.at[first];
  const struct pv_edge *e = edge_of(x->program, m);
  if (!e || end - first != x->program->functions.at[m->function].locs.at[e->from].n_out)
    return false;
  for (uint32_t i = first; i < end; i++) {
    const struct pv_edge *other = edge_of(x->program, &m[i - first]);
    if (!other || m[i - first].function != m->function || m[i - first].thread != m->thread ||
        other->from != e->from || !x->lost[m[i - first].to])
      return false;
  }
  return true;
}

static void find_lost(struct formulas *x) {
  const struct pv_open_part *p = x->part;
  x->lost = pv_alloc(p->states);
  x->lost[PV_AUTOMATON_OPEN] = 1;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t end = p->moves.n, first = end; end; end = first) {
      uint32_t from = p->moves.at[end - 1].from;
      while (first && p->moves.at[first - 1].from == from) first--;
      if (x->lost[from] || !is_lost(x, first, end)) continue;
      x->lost[from] = 1;
      more = true;
    }
  }
}

/* The opposite branch, if there are two; else NULL. */
static const struct pv_edge *opposite(const struct pv_function *f, const struct pv_edge *e) {
  const struct pv_location *at = &f->locs.at[e->from];
  if (e->op != PV_OP_ASSUME || at->n_out != 2) return NULL;
  const struct pv_edge *first = &f->edges.at[at->first_out],
                       *other = first == e ? first + 1 : first;
  return other->op == PV_OP_ASSUME ? other : NULL;
}

static void put_formula(const struct formulas *x, const struct pv_automaton_move *m,
                        struct pv_str *out) {
  const struct pv_function *f = &x->program->functions.at[m->function];
  const struct pv_edge *e = &f->edges.at[m->edge], *other = opposite(f, e);
  const struct pv_span *span = pv_span_of(x->program, e->span);
  struct pv_str text = {0};
  pv_str_add(out, "\n  ");
  if (m->thread) pv_str_addf(out, "thread %" PRIu32 ", ", m->thread);
  pv_str_addf(out, "line %" PRIu32, span->line);
  const char *file = pv_span_file(x->program, e->span);
  if (file && (!x->file->options.files.n || strcmp(file, x->file->options.files.at[0]) != 0))
    pv_str_addf(out, " of %s", file);
  if (other) pv_edge_print(x->program, f, other, &text);
  if (text.n > 2 && text.at[0] == '[')
    pv_str_addf(out, ": %.*s", (int)text.n - 2, text.at + 1);
  else
    pv_str_add(out, ": not reached");
  pv_str_free(&text);
}

static void put_formulas(const struct pv_condition_file *file, const struct pv_open_part *part,
                         const struct pv_program *program, struct pv_str *out) {
  enum { MOST = 20 };
  struct formulas x = {.part = part, .program = program, .file = file};
  uint32_t left_out = 0;
  if (!program || part->kind != PV_OPEN_AUTOMATON || part->otherwise == PV_AUTOMATON_OPEN) return;
  find_lost(&x);
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    const uint32_t key[3] = {m->thread, m->function, m->edge};
    bool is_new = false;
    if (m->from < PV_AUTOMATON_FIRST || x.lost[m->from] || !x.lost[m->to]) continue;
    if (edge_of(program, m)) pv_map_put(&x.told, key, sizeof key, 0, &is_new);
    if (!is_new) continue;
    if (x.told.n <= MOST)
      put_formula(&x, m, out);
    else
      left_out++;
  }
  if (left_out) pv_str_addf(out, "\n  and %" PRIu32 " more", left_out);
  free(x.lost);
  pv_map_free(&x.told);
}

static void put_head(const struct pv_condition_file *file, struct pv_str *out) {
  pv_str_add(out, "Program:");
  for (uint32_t i = 0; i < file->options.files.n; i++)
    pv_str_addf(out, " %s", file->options.files.at[i]);
  pv_str_addf(out, "\nEngine: %s\nProperties: ", file->engine);
  pv_properties_print(file->checked, out);
  pv_str_addc(out, '\n');
}

/* How much is open: one line, or one for each group of properties of which equally much is. */
static void put_openness(const struct pv_condition *c, pv_properties all, struct pv_str *out) {
  static const char *const texts[] = {[PV_OPEN_NOTHING] = "nothing",
                                      [PV_OPEN_PARTS] = "exactly the parts below",
                                      [PV_OPEN_EVERYTHING] = "everything"};
  for (enum pv_openness o = PV_OPEN_NOTHING; o <= PV_OPEN_EVERYTHING; o++) {
    pv_properties group = 0;
    for (unsigned i = 0; i < PV_PROP_COUNT; i++)
      if ((all & PV_PROP_BIT(i)) && pv_condition_openness_of(c, PV_PROP_BIT(i)) == o)
        group |= PV_PROP_BIT(i);
    if (!group) continue;
    pv_str_add(out, "Open");
    if (group != all) pv_str_add(out, " for "), pv_properties_print(group, out);
    pv_str_addf(out, ": %s\n", texts[o]);
  }
}

void pv_condition_show(const struct pv_condition_file *file, const struct pv_program *program,
                       struct pv_str *out) {
  const struct pv_condition *c = &file->condition;
  put_head(file, out);
  for (uint32_t i = 0; i < file->errors.n; i++)
    pv_str_addf(out, "Error: %s\n", file->errors.at[i].sentence);
  put_openness(c, file->checked, out);
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    pv_str_addf(out, "\nProvided that %s.\n  %s, kind %s", p->sentence,
                p->part                             ? "open"
                : pv_proviso_is_assumption(p->kind) ? "assumed"
                                                    : "open, no part describes it",
                pv_proviso_kind_names[p->kind]);
    if (p->part) pv_str_addf(out, ", part %" PRIu32, p->part);
    pv_str_add(out, ", met ");
    put_count(p->times, "time", out);
    if (p->about && (file->checked & ~p->about)) {
      pv_str_add(out, "\n  only for ");
      pv_properties_print(p->about, out);
    }
    pv_str_addc(out, '\n');
  }
  for (uint32_t i = 0; i < c->parts.n; i++) {
    pv_str_addf(out, "\nPart %" PRIu32 ": ", i + 1);
    put_part(&c->parts.at[i], program, out);
    put_formulas(file, &c->parts.at[i], program, out);
    pv_str_addc(out, '\n');
  }
}

/* ---- graphs ---------------------------------------------------------------------------------- */
static void put_quoted(const char *text, struct pv_str *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') pv_str_addc(out, '\\');
    pv_str_addc(out, (unsigned char)*text < ' ' ? ' ' : *text);
  }
}

static void put_edge(const struct pv_program *p, const struct pv_automaton_move *m,
                     struct pv_str *out) {
  bool known = p && m->function < p->functions.n && m->edge < p->functions.at[m->function].edges.n;
  if (m->thread) pv_str_addf(out, "thread %" PRIu32 ": ", m->thread);
  if (!known) {
    pv_str_addf(out, "function %" PRIu32 ", edge %" PRIu32, m->function, m->edge);
    return;
  }
  struct pv_str text = {0};
  const struct pv_function *f = &p->functions.at[m->function];
  uint32_t span = f->edges.at[m->edge].span;
  pv_edge_print(p, f, &f->edges.at[m->edge], &text);
  if (span) pv_str_addf(out, "%" PRIu32 ": ", pv_span_of(p, span)->line);
  put_quoted(pv_str_cstr(&text), out);
  pv_str_free(&text);
}

static void put_state(uint32_t state, struct pv_str *out) {
  if (state == PV_AUTOMATON_VERIFIED)
    pv_str_add(out, "verified");
  else if (state == PV_AUTOMATON_OPEN)
    pv_str_add(out, "open");
  else
    pv_str_addf(out, "s%" PRIu32, state - PV_AUTOMATON_FIRST);
}

static void put_automaton(const struct pv_open_part *part, const struct pv_program *p,
                          struct pv_str *out) {
  pv_str_add(out, "  verified [shape=doublecircle];\n  open [shape=doublecircle, style=filled];\n"
                  "  s0 [shape=box];\n");
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    pv_str_add(out, "  ");
    put_state(m->from, out);
    pv_str_add(out, " -> ");
    put_state(m->to, out);
    pv_str_add(out, " [label=\"");
    put_edge(p, m, out);
    pv_str_add(out, "\"];\n");
  }
  for (uint32_t i = PV_AUTOMATON_FIRST; i < part->states; i++) {
    pv_str_add(out, "  ");
    put_state(i, out);
    pv_str_add(out, " -> ");
    put_state(part->otherwise, out);
    pv_str_add(out, " [style=dashed, label=\"otherwise\"];\n");
  }
}

static void put_tree(const struct pv_open_part *part, struct pv_str *out) {
  PV_VEC(uint32_t) path = {0};
  for (uint32_t i = 0; i < part->prefixes.n; i++) {
    const struct pv_prefix *x = &part->prefixes.at[i];
    path.n = x->depth;
    pv_str_addf(out, "  p%" PRIu32 " [label=\"", i);
    if (x->sleeping) pv_str_addf(out, "%" PRIu32 " asleep", x->sleeping);
    pv_str_addf(out, "\"%s];\n", x->is_open ? ", style=filled" : "");
    if (i)
      pv_str_addf(out, "  p%" PRIu32 " -> p%" PRIu32 " [label=\"%" PRIu32 ".%" PRIu32 "\"];\n",
                  pv_vec_last(&path), i, x->choice.thread, x->choice.alternative);
    pv_vec_push(&path, i);
  }
  pv_vec_free(&path);
}

enum pv_status pv_condition_dot(const struct pv_condition *c, const struct pv_program *p,
                                struct pv_str *out, struct pv_str *err) {
  bool any = false;
  for (uint32_t i = 0; i < c->parts.n; i++) {
    const struct pv_open_part *part = &c->parts.at[i];
    if (part->kind != PV_OPEN_AUTOMATON && part->kind != PV_OPEN_FRONTIER) continue;
    pv_str_addf(out, "digraph part%" PRIu32 " {\n", i + 1);
    if (part->kind == PV_OPEN_AUTOMATON)
      put_automaton(part, p, out);
    else
      put_tree(part, out);
    pv_str_add(out, "}\n");
    any = true;
  }
  if (!any) pv_str_add(err, "the condition has neither an automaton nor a frontier");
  return any ? PV_OK : PV_E_INPUT;
}
