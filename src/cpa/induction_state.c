#include "cpa/induction_state.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/* CONJUNCTS and TEXT are also bounds on what is read. */
enum { VERSION = 1, CONJUNCTS = 2000, TEXT = 1 << 14, DEPTH = 200, MOST_K = 1 << 20 };
static const char engine[] = "kinduction";

static void put_identity(struct pv_str *out) {
  pv_put_number(out, VERSION);
}

/* A cut point as words: its location, and the functions and calls of its stack, inner ones first.
 */
static void put_point(const struct pv_analysis_context *g, struct pv_point at, struct pv_str *out) {
  struct pv_str words = {0};
  pv_put_number(&words, at.loc);
  for (uint32_t frame = at.frame; frame != PV_NO_FRAME;) {
    const struct pv_frame *f = pv_control_frame(g->control, frame);
    pv_put_number(&words, f->function);
    if (f->parent != PV_NO_FRAME) pv_put_number(&words, f->call);
    frame = f->parent;
  }
  pv_put_bytes(out, words.at, words.n);
  pv_str_free(&words);
}

/* ---- out ------------------------------------------------------------------------------------- */
static void add_conjuncts(struct pv_smt *smt, pv_term t, pv_terms *out) {
  struct pv_smt_shape shape;
  bool is_and = pv_smt_shape(smt, t, &shape) && shape.kind == PV_SHAPE_OP && shape.op == PV_SMT_AND;
  if (!is_and && out->n < CONJUNCTS && !pv_smt_is_true(smt, t)) pv_vec_push(out, t);
  for (uint32_t i = 0; is_and && i < shape.n; i++)
    add_conjuncts(smt, pv_smt_operand(smt, t, i), out);
}

/* Returns false if the formula is about something else than cells. */
static bool put_formula(struct pv_analysis_context *g, pv_term formula, struct pv_str *out) {
  pv_terms constants = {0};
  struct pv_str cells = {0}, text = {0};
  bool fits = true;
  pv_smt_constants(g->smt, formula, &constants);
  for (uint32_t i = 0; i < constants.n && fits; i++) {
    uint32_t cell = pv_symbolic_cell_of(g->symbolic, constants.at[i]);
    fits = cell != UINT32_MAX;
    if (!fits) break;
    const struct pv_cell *c = pv_symbolic_cell(g->symbolic, cell);
    const uint32_t words[] = {c->kind, c->a, c->b, c->instance};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) pv_put_number(&cells, words[k]);
  }
  fits = fits && pv_smt_write(g->smt, formula, constants.n, constants.at, &text) && text.n < TEXT;
  if (fits) {
    pv_put_number(out, constants.n);
    pv_str_addn(out, cells.at, cells.n);
    pv_put_bytes(out, text.at, text.n);
  }
  pv_vec_free(&constants);
  pv_str_free(&cells);
  pv_str_free(&text);
  return fits;
}

static void put_invariant(struct pv_analysis_context *g, pv_term invariant, struct pv_str *out) {
  pv_terms conjuncts = {0};
  struct pv_str all = {0};
  uint32_t n = 0;
  add_conjuncts(g->smt, invariant, &conjuncts);
  for (uint32_t i = 0; i < conjuncts.n; i++) n += put_formula(g, conjuncts.at[i], &all);
  pv_put_number(out, n);
  if (n) pv_str_addn(out, all.at, all.n);
  pv_vec_free(&conjuncts);
  pv_str_free(&all);
}

void pv_induction_state_write(struct pv_analysis_context *g, const struct pv_segments *s,
                              uint32_t k, bool thorough, const pv_term *invariants,
                              struct pv_condition *out) {
  struct pv_str bytes = {0};
  uint32_t n = invariants ? s->points.n : 0;
  put_identity(&bytes);
  pv_put_number(&bytes, k);
  pv_put_number(&bytes, thorough && invariants);
  pv_put_number(&bytes, n);
  for (uint32_t i = 0; i < n; i++) {
    put_point(g, s->points.at[i], &bytes);
    put_invariant(g, invariants[i], &bytes);
  }
  pv_condition_add_state(out, engine, &bytes);
}

/* ---- in -------------------------------------------------------------------------------------- */
bool pv_induction_state_read(const struct pv_task *task, struct pv_induction_state *out) {
  struct pv_str identity = {0};
  struct pv_bytes in;
  put_identity(&identity);
  bool found = task->given && pv_condition_find_state(task->given, engine, &identity, &in);
  pv_str_free(&identity);
  if (!found) return false;
  out->k = (uint32_t)pv_take_up_to(&in, MOST_K);
  out->thorough = pv_take_up_to(&in, 1);
  out->invariants = in;
  return !in.wrong;
}

/* Is it one command that asserts a formula without quantifiers or quotes, and not nested too deep?
 * The solver's reader would also follow other commands. */
static bool is_formula(const char *text, size_t n) {
  static const char begin[] = "(assert ";
  int depth = 0;
  if (n < sizeof begin || memcmp(text, begin, sizeof begin - 1) != 0) return false;
  for (size_t i = 0; i < n; i++) {
    if (memchr("\"|;\\", text[i], 4) || (unsigned char)text[i] > 126) return false;
    if (text[i] == '(' && ++depth > DEPTH) return false;
    if (text[i] == ')' && --depth == 0) return i + 1 == n;
  }
  return false;
}

/* Reads one conjunct. NULL: it cannot be used. */
static pv_term take_formula(struct pv_analysis_context *g, struct pv_bytes *in) {
  pv_terms constants = {0};
  uint32_t cells = pv_take_count(in);
  size_t n;
  pv_term formula = NULL;
  bool known = true;
  for (uint32_t i = 0; i < cells && !in->wrong; i++) {
    struct pv_cell like = {.kind = (enum pv_cell_kind)pv_take_up_to(in, UINT32_MAX)};
    like.a = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    like.b = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    like.instance = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    uint32_t cell = in->wrong ? UINT32_MAX : pv_symbolic_known_cell(g->symbolic, &like);
    known &= cell != UINT32_MAX;
    if (known) pv_vec_push(&constants, pv_symbolic_cell(g->symbolic, cell)->entry);
  }
  const uint8_t *bytes = pv_take_bytes(in, &n);
  if (!in->wrong && known && n < TEXT && is_formula((const char *)bytes, n)) {
    char *text = pv_format("%.*s", (int)n, (const char *)bytes);
    formula = pv_smt_read(g->smt, text, constants.n, constants.at);
    free(text);
  }
  pv_vec_free(&constants);
  return formula;
}

static uint32_t find_point(const struct pv_analysis_context *g, const struct pv_segments *s,
                           const uint8_t *bytes, size_t n) {
  for (uint32_t i = 0; i < s->points.n; i++) {
    struct pv_str own = {0}, wanted = {0};
    put_point(g, s->points.at[i], &own);
    pv_put_bytes(&wanted, bytes, n);
    bool same = own.n == wanted.n && !memcmp(own.at, wanted.at, own.n);
    pv_str_free(&own);
    pv_str_free(&wanted);
    if (same) return i;
  }
  return UINT32_MAX;
}

void pv_induction_state_candidates(struct pv_analysis_context *g, const struct pv_segments *s,
                                   const struct pv_induction_state *kept, pv_candidates *out) {
  struct pv_bytes in = kept->invariants;
  uint32_t points = pv_take_count(&in);
  for (uint32_t i = 0; i < points && !in.wrong; i++) {
    size_t n;
    const uint8_t *bytes = pv_take_bytes(&in, &n);
    uint32_t point = in.wrong ? UINT32_MAX : find_point(g, s, bytes, n);
    uint32_t formulas = pv_take_count(&in);
    for (uint32_t k = 0; k < formulas && k < CONJUNCTS && !in.wrong; k++) {
      pv_term formula = take_formula(g, &in);
      if (formula && point != UINT32_MAX) pv_vec_push(out, ((struct pv_candidate){point, formula}));
    }
  }
}
