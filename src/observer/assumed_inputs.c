/* assumed_inputs.c -- writes untried values of inputs as an automaton in CPAchecker's language:
 * each statement that reads such an input has the values that were tried as its assumption. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observer/assumed.h"
#include "observer/weave.h"

struct line {
  char *text, *formula; /* formula: NULL if what the move leads to is open */
  bool last;            /* no such input can be read afterwards */
};

struct writer {
  struct pv_weave w;
  const struct pv_condition *c;
  pv_observer_moves moves; /* of the function that is looked at */
  PV_VEC(struct line) lines;
};

static const struct pv_open_part *part_of(const struct writer *x, uint32_t i) {
  uint32_t part = x->c->provisos.at[i].part;
  return part ? &x->c->parts.at[part - 1] : NULL;
}

/* ---- moves ----------------------------------------------------------------------------------- */
static void free_moves(struct writer *x) {
  for (uint32_t i = 0; i < x->moves.n; i++) {
    free(x->moves.at[i].owned);
    pv_vec_free(&x->moves.at[i].list);
  }
  pv_vec_free(&x->moves);
}

static void find_moves(struct writer *x, uint32_t function) {
  free_moves(x);
  x->w.function = function;
  x->w.was = &x->w.p->functions.at[function];
  pv_weave_find(&x->w, &x->moves);
}

/* The statement that an edge belongs to: the next one that is complete, along the only way on. */
static const struct pv_observer_move *statement_of(const struct writer *x, uint32_t edge) {
  enum { FARTHEST = 20 };
  const struct pv_function *f = x->w.was;
  for (uint32_t steps = 0; steps < FARTHEST; steps++) {
    for (uint32_t i = 0; i < x->moves.n; i++) {
      const struct pv_observer_move *m = &x->moves.at[i];
      if (m->edge == edge && m->kind == PV_OBSERVER_MOVE_STATEMENT) return m->before ? NULL : m;
    }
    const struct pv_location *to = &f->locs.at[f->edges.at[edge].to];
    if (to->n_out != 1) return NULL;
    edge = to->first_out;
  }
  return NULL;
}

static char *text_of(const struct pv_observer_move *m) {
  struct pv_str out = {0};
  pv_tokens_text(&m->text, &out);
  pv_str_addc(&out, ';');
  return out.at;
}

/* The variable of `... name = f()`; false: the statement has another form. */
static bool variable_of(const struct pv_observer_move *m, struct pv_str *name) {
  const struct pv_tokens *t = &m->text;
  uint32_t n = t->n;
  bool fits = n >= 5 && pv_token_is(t, n - 1, ")") && pv_token_is(t, n - 2, "(") &&
              pv_token_is_name(t, n - 3) && pv_token_is(t, n - 4, "=") &&
              pv_token_is_name(t, n - 5);
  for (uint32_t i = 0; fits && i + 5 < n; i++) fits = pv_token_is_name(t, i);
  if (fits) pv_str_addf(name, "%.*s", (int)t->at[n - 5].n, t->text + t->at[n - 5].at);
  return fits;
}

/* ---- formulas -------------------------------------------------------------------------------- */
static void add_range(struct pv_str *out, const char *name, struct pv_value_range r, unsigned bits,
                      bool is_signed) {
  if (is_signed && bits < 64) {
    r.low = (uint64_t)((int64_t)(r.low << (64 - bits)) >> (64 - bits));
    r.high = (uint64_t)((int64_t)(r.high << (64 - bits)) >> (64 - bits));
  }
  const char *sep = out->n ? " || " : "";
  if (r.low == r.high && is_signed)
    pv_str_addf(out, "%s%s == %" PRId64, sep, name, (int64_t)r.low);
  else if (r.low == r.high)
    pv_str_addf(out, "%s%s == %" PRIu64, sep, name, r.low);
  else if (is_signed)
    pv_str_addf(out, "%s(%s >= %" PRId64 " && %s <= %" PRId64 ")", sep, name, (int64_t)r.low, name,
                (int64_t)r.high);
  else
    pv_str_addf(out, "%s(%s >= %" PRIu64 " && %s <= %" PRIu64 ")", sep, name, r.low, name, r.high);
}

/* The values that were tried. A narrower variable keeps the value modulo its size, and what follows
 * depends on the variable alone. So the formula may hold for values that were not tried if others
 * were that are equal to the variable. */
static char *formula_of(const struct pv_open_part *p, const struct pv_edge *e, const char *name) {
  struct pv_str out = {0};
  unsigned bits = pv_type_bits(e->type);
  bool is_signed = e->aux == PV_HAVOC_SIGNED;
  uint64_t middle = UINT64_C(1) << (bits - 1);
  for (uint32_t i = 0; i < p->tried.n; i++) {
    struct pv_value_range r = p->tried.at[i];
    if (is_signed && r.low < middle && r.high >= middle) {
      add_range(&out, name, (struct pv_value_range){r.low, middle - 1}, bits, true);
      r.low = middle;
    }
    add_range(&out, name, r, bits, is_signed);
  }
  return out.n ? out.at : pv_strdup("0");
}

static void add_line(struct writer *x, char *text, char *formula, bool last) {
  for (uint32_t i = 0; i < x->lines.n; i++) {
    struct line *l = &x->lines.at[i];
    if (strcmp(l->text, text) != 0) continue;
    if (l->formula && (!formula || strcmp(l->formula, formula) != 0)) {
      free(l->formula);
      l->formula = NULL; /* two moves that look the same */
    }
    l->last &= last;
    free(text);
    free(formula);
    return;
  }
  pv_vec_push(&x->lines, ((struct line){text, formula, last}));
}

static bool add_site(struct writer *x, const struct pv_open_part *p, pv_inputs_come comes,
                     const void *user) {
  const struct pv_function *f = &x->w.p->functions.at[p->function - 1];
  const struct pv_edge *e = &f->edges.at[p->place];
  struct pv_str name = {0};
  find_moves(x, p->function - 1);
  const struct pv_observer_move *m = f->is_model ? NULL : statement_of(x, p->place);
  bool fits = m && variable_of(m, &name);
  if (fits)
    add_line(x, text_of(m), formula_of(p, e, pv_str_cstr(&name)),
             !comes(user, p->function - 1, f->edges.at[m->edge].to));
  else
    pv_str_addf(x->w.err, "the input at %s:%" PRIu32 " is not read by a statement `x = f();`",
                pv_span_file(x->w.p, e->span), pv_span_of(x->w.p, e->span)->line);
  pv_str_free(&name);
  return fits;
}

/* Statements that look like one of the lines, but read no such input, make what follows open. */
static void add_others(struct writer *x) {
  for (uint32_t f = 0; f < x->w.p->functions.n; f++) {
    if (!x->w.p->functions.at[f].defined || !x->w.p->functions.at[f].edges.n) continue;
    find_moves(x, f);
    for (uint32_t i = 0; i < x->moves.n; i++) {
      bool is_site = false;
      if (x->moves.at[i].kind != PV_OBSERVER_MOVE_STATEMENT || !x->moves.at[i].has_text) continue;
      for (uint32_t k = 0; k < x->c->provisos.n; k++) {
        const struct pv_open_part *p = part_of(x, k);
        is_site |= p && p->function == f + 1 && statement_of(x, p->place) == &x->moves.at[i];
      }
      char *text = text_of(&x->moves.at[i]);
      bool known = false;
      for (uint32_t k = 0; k < x->lines.n; k++) known |= !strcmp(x->lines.at[k].text, text);
      if (known && !is_site)
        add_line(x, text, NULL, false);
      else
        free(text);
    }
  }
}

/* ---- text ------------------------------------------------------------------------------------ */
static void put(const struct writer *x, struct pv_str *out) {
  pv_str_add(out, "OBSERVER AUTOMATON AssumptionAutomaton\n\nINITIAL STATE ARG0;\n\n"
                  "STATE __TRUE :\n    TRUE -> GOTO __TRUE;\n\n"
                  "STATE __FALSE :\n    TRUE -> GOTO __FALSE;\n\n"
                  "STATE USEFIRST ARG0 :\n");
  for (uint32_t i = 0; i < x->lines.n; i++) {
    const struct line *l = &x->lines.at[i];
    pv_str_add(out, "    MATCH \"");
    for (const char *at = l->text; *at; at++) {
      if (*at == '"' || *at == '\\') pv_str_addc(out, '\\');
      pv_str_addc(out, *at);
    }
    pv_str_add(out, "\" -> ");
    if (l->formula) pv_str_addf(out, "ASSUME {%s} ", l->formula);
    pv_str_addf(out, "GOTO %s;\n", !l->formula ? "__FALSE" : l->last ? "__TRUE" : "ARG0");
  }
  pv_str_add(out, "    TRUE -> GOTO ARG0;\n\nEND AUTOMATON\n");
}

enum pv_status pv_assumed_print_inputs(struct pv_program *p, const struct pv_condition *c,
                                       pv_inputs_come comes, const void *user, struct pv_str *out,
                                       struct pv_str *err) {
  struct writer x = {.w = {.p = p, .err = err}, .c = c};
  bool fits = true;
  x.w.sources = pv_alloc(p->files.n * sizeof *x.w.sources);
  x.w.is_read = pv_alloc(p->files.n * sizeof *x.w.is_read);
  for (uint32_t i = 0; i < c->provisos.n && fits; i++)
    if (part_of(&x, i)) fits = add_site(&x, part_of(&x, i), comes, user);
  if (fits) {
    add_others(&x);
    put(&x, out);
  }
  for (uint32_t i = 0; i < x.lines.n; i++) {
    free(x.lines.at[i].text);
    free(x.lines.at[i].formula);
  }
  pv_vec_free(&x.lines);
  free_moves(&x);
  for (uint32_t i = 0; i < p->files.n; i++)
    if (x.w.is_read[i]) pv_source_free(&x.w.sources[i]);
  free(x.w.sources);
  free(x.w.is_read);
  pv_map_free(&x.w.called);
  return fits ? PV_OK : PV_E_INPUT;
}
