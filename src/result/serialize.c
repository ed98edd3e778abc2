#include "result/serialize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tables -------------------------------------------------------------------------------
 * Each struct is described by the list of its fields, in their order in the bytes. */
enum kind {
  BOOL,   /* one byte, 0 or 1 */
  WORD,   /* 4 bytes; the value is less than `limit` if that is not 0 */
  LONG,   /* 8 bytes */
  REAL,   /* a double, finite and nonnegative */
  TEXT,   /* a string: 1 + its length in 4 bytes, its bytes without NUL */
  MAYBE,  /* the same; 4 bytes of 0 for NULL */
  STRUCT, /* the fields of `of` */
  LIST,   /* a PV_VEC: the number of elements in 4 bytes, each with the fields of `of` */
  BYTES   /* a PV_VEC of bytes: their number in 4 bytes, and they */
};
struct field {
  enum kind kind;
  size_t offset;
  uint32_t limit;
  const struct layout *of;
};
struct layout {
  size_t size; /* of the struct */
  const struct field *field;
  size_t n;
};
typedef PV_VEC(void) vec; /* all PV_VECs have the same layout as this one */

#define F(K, T, M)                                                                                 \
  { K, offsetof(struct T, M), 0, NULL }
#define W(T, M, L)                                                                                 \
  { WORD, offsetof(struct T, M), L, NULL }
#define S(K, T, M, O)                                                                              \
  { K, offsetof(struct T, M), 0, O }
#define LAYOUT(NAME, SIZE, ...)                                                                    \
  static const struct field NAME##_fields[] = {__VA_ARGS__};                                       \
  static const struct layout NAME = {SIZE, NAME##_fields,                                          \
                                     sizeof NAME##_fields / sizeof *NAME##_fields}

LAYOUT(text, sizeof(char *), {TEXT, 0, 0, NULL});
LAYOUT(proviso, sizeof(struct pv_proviso), W(pv_proviso, kind, PV_PROVISO_COUNT),
       W(pv_proviso, about, PV_PROP_BIT(PV_PROP_COUNT)), F(TEXT, pv_proviso, sentence),
       F(MAYBE, pv_proviso, file), F(WORD, pv_proviso, line), F(WORD, pv_proviso, part),
       F(LONG, pv_proviso, times));
LAYOUT(range, sizeof(struct pv_value_range), F(LONG, pv_value_range, low),
       F(LONG, pv_value_range, high));
LAYOUT(change, sizeof(struct pv_change), F(TEXT, pv_change, name), F(TEXT, pv_change, value),
       F(WORD, pv_change, owner));
LAYOUT(interaction, sizeof(struct pv_interaction), W(pv_interaction, kind, PV_INTERACTION_COUNT),
       F(WORD, pv_interaction, thread), F(MAYBE, pv_interaction, object));
LAYOUT(step, sizeof(struct pv_step), F(WORD, pv_step, thread), F(WORD, pv_step, inputs),
       F(MAYBE, pv_step, function), F(MAYBE, pv_step, file), F(MAYBE, pv_step, text),
       F(WORD, pv_step, line), F(WORD, pv_step, column), F(MAYBE, pv_step, note),
       F(MAYBE, pv_step, output), S(LIST, pv_step, changes, &change),
       S(LIST, pv_step, interactions, &interaction));
LAYOUT(choice, sizeof(struct pv_choice), F(WORD, pv_choice, thread),
       F(WORD, pv_choice, alternative));
LAYOUT(source, sizeof(struct pv_source), W(pv_source, origin, PV_ORIGIN_COUNT),
       W(pv_source, type, PV_SOURCE_COUNT), W(pv_source, bits, 129), F(MAYBE, pv_source, name),
       F(MAYBE, pv_source, file), F(MAYBE, pv_source, function), F(WORD, pv_source, line));
LAYOUT(input, sizeof(struct pv_input), F(LONG, pv_input, value[0]), F(LONG, pv_input, value[1]),
       F(WORD, pv_input, source), F(WORD, pv_input, thread), F(WORD, pv_input, site));
LAYOUT(path, sizeof(struct pv_error_path), S(LIST, pv_error_path, choices, &choice),
       S(LIST, pv_error_path, inputs, &input), S(LIST, pv_error_path, sources, &source),
       F(LONG, pv_error_path, inputs_left_out), S(LIST, pv_error_path, steps, &step),
       F(BOOL, pv_error_path, is_lasso), F(WORD, pv_error_path, loop),
       F(WORD, pv_error_path, loop_step), F(LONG, pv_error_path, left_out),
       F(WORD, pv_error_path, gap));
LAYOUT(cost, sizeof(struct pv_path_cost), F(WORD, pv_path_cost, switches),
       F(WORD, pv_path_cost, transitions));
LAYOUT(violation, sizeof(struct pv_violation), W(pv_violation, property, PV_PROP_COUNT),
       F(WORD, pv_violation, span), F(MAYBE, pv_violation, message), F(MAYBE, pv_violation, file),
       F(MAYBE, pv_violation, function), F(WORD, pv_violation, line), F(WORD, pv_violation, column),
       S(STRUCT, pv_violation, path, &path), F(BOOL, pv_violation, replayed),
       F(BOOL, pv_violation, minimised), F(BOOL, pv_violation, shortest),
       S(STRUCT, pv_violation, found, &cost));
LAYOUT(prefix, sizeof(struct pv_prefix), F(WORD, pv_prefix, depth),
       S(STRUCT, pv_prefix, choice, &choice), W(pv_prefix, is_open, 2),
       W(pv_prefix, is_deferred, 2), F(WORD, pv_prefix, sleeping));
LAYOUT(move, sizeof(struct pv_automaton_move), F(WORD, pv_automaton_move, from),
       F(WORD, pv_automaton_move, to), F(WORD, pv_automaton_move, thread),
       F(WORD, pv_automaton_move, function), F(WORD, pv_automaton_move, edge));
LAYOUT(part, sizeof(struct pv_open_part), W(pv_open_part, kind, PV_OPEN_COUNT),
       W(pv_open_part, bound, PV_BOUND_COUNT), F(LONG, pv_open_part, number),
       F(WORD, pv_open_part, function), F(WORD, pv_open_part, place),
       S(LIST, pv_open_part, tried, &range), S(LIST, pv_open_part, prefixes, &prefix),
       S(LIST, pv_open_part, sleeping, &choice), F(WORD, pv_open_part, states),
       F(WORD, pv_open_part, otherwise), S(LIST, pv_open_part, moves, &move),
       W(pv_open_part, circular, 2));
LAYOUT(state, sizeof(struct pv_engine_state), F(TEXT, pv_engine_state, engine),
       F(BYTES, pv_engine_state, bytes));
LAYOUT(condition, sizeof(struct pv_condition), S(LIST, pv_condition, provisos, &proviso),
       S(LIST, pv_condition, parts, &part), S(LIST, pv_condition, states, &state));
#define X(N, T) F(LONG, pv_stats, N),
LAYOUT(stats, sizeof(struct pv_stats), PV_STATS(X) F(REAL, pv_stats, seconds),
       F(REAL, pv_stats, cpu_seconds), F(REAL, pv_stats, distance_seconds),
       F(LONG, pv_stats, peak_memory));
#undef X
LAYOUT(loss, sizeof(struct pv_loss), F(REAL, pv_loss, bound), F(REAL, pv_loss, expected));
LAYOUT(invariant, sizeof(struct pv_invariant), F(MAYBE, pv_invariant, file),
       F(MAYBE, pv_invariant, function), F(WORD, pv_invariant, line), F(MAYBE, pv_invariant, calls),
       F(TEXT, pv_invariant, formula), F(LONG, pv_invariant, larger));
LAYOUT(proof, sizeof(struct pv_proof_result), W(pv_proof_result, state, PV_PROOF_COUNT),
       F(LONG, pv_proof_result, induction), S(LIST, pv_proof_result, invariants, &invariant));
LAYOUT(tried, sizeof(struct pv_tried), F(TEXT, pv_tried, engine), F(TEXT, pv_tried, outcome),
       F(MAYBE, pv_tried, why), F(REAL, pv_tried, cpu_seconds), F(LONG, pv_tried, states));
LAYOUT(sample, sizeof(struct pv_sample), F(REAL, pv_sample, seconds), F(LONG, pv_sample, states),
       F(LONG, pv_sample, depth), F(LONG, pv_sample, memory), F(LONG, pv_sample, bound));
LAYOUT(result, sizeof(struct pv_result), W(pv_result, verdict, PV_FALSE + 1),
       W(pv_result, checked, PV_PROP_BIT(PV_PROP_COUNT)),
       S(STRUCT, pv_result, condition, &condition), S(LIST, pv_result, violations, &violation),
       F(MAYBE, pv_result, reason), W(pv_result, assumed, 1u << PV_ASSUMES_COUNT),
       S(LIST, pv_result, notes, &text), S(LIST, pv_result, tried, &tried),
       S(LIST, pv_result, samples, &sample), S(STRUCT, pv_result, stats, &stats),
       S(STRUCT, pv_result, loss, &loss), S(STRUCT, pv_result, proof, &proof),
       F(BYTES, pv_result, coverage.edges), F(REAL, pv_result, coverage.share));

_Static_assert(sizeof(enum pv_verdict) == 4 && sizeof(pv_properties) == 4, "they are words");
/* These sizes change with most new fields: add the field to the tables. */
#if defined(__x86_64__) && defined(__LP64__)
_Static_assert(sizeof(struct pv_proviso) == 40 && sizeof(struct pv_change) == 24 &&
                   sizeof(struct pv_step) == 88 && sizeof(struct pv_choice) == 8 &&
                   sizeof(struct pv_source) == 48 && sizeof(struct pv_input) == 32 &&
                   sizeof(struct pv_error_path) == 104 && sizeof(struct pv_violation) == 160 &&
                   sizeof(struct pv_invariant) == 48 && sizeof(struct pv_open_part) == 104 &&
                   sizeof(struct pv_condition) == 48 &&
                   sizeof(struct pv_result) == sizeof(struct pv_stats) + 208,
               "a struct of a result has changed: so must its table");
#endif

/* ---- writing --------------------------------------------------------------------------------- */
static void put_word(uint32_t value, struct pv_str *out) {
  pv_str_addn(out, (const char *)&value, sizeof value);
}

static void put_text(const char *text, struct pv_str *out) {
  size_t n = text ? strlen(text) : 0;
  PV_REQUIRE(n < UINT32_MAX, "a text of 4 GiB");
  put_word(text ? (uint32_t)n + 1 : 0, out);
  if (n) pv_str_addn(out, text, n);
}

static void put(const struct layout *l, const void *object, struct pv_str *out);

static void put_field(const struct field *f, const char *at, struct pv_str *out) {
  const char *text;
  vec list;
  switch (f->kind) {
  case BOOL: pv_str_addc(out, *(const bool *)at); return;
  case WORD: pv_str_addn(out, at, 4); return;
  case LONG:
  case REAL: pv_str_addn(out, at, 8); return;
  case TEXT:
  case MAYBE:
    memcpy(&text, at, sizeof text);
    put_text(!text && f->kind == TEXT ? "" : text, out);
    return;
  case STRUCT: put(f->of, at, out); return;
  case BYTES:
    memcpy(&list, at, sizeof list);
    put_word(list.n, out);
    if (list.n) pv_str_addn(out, list.at, list.n);
    return;
  case LIST:
    memcpy(&list, at, sizeof list);
    put_word(list.n, out);
    for (uint32_t i = 0; i < list.n; i++)
      put(f->of, (const char *)list.at + (size_t)i * f->of->size, out);
    return;
  }
}

static void put(const struct layout *l, const void *object, struct pv_str *out) {
  for (size_t i = 0; i < l->n; i++)
    put_field(&l->field[i], (const char *)object + l->field[i].offset, out);
}

void pv_result_write(const struct pv_result *r, struct pv_str *out) {
  put(&result, r, out);
}

/* ---- reading --------------------------------------------------------------------------------- */
struct reader {
  const char *at;
  size_t n; /* bytes left */
};

/* The smallest number of bytes of a struct: it bounds the number of elements by the bytes left. */
static size_t least(const struct layout *l) {
  static const size_t bytes[] = {[BOOL] = 1, [WORD] = 4,  [LONG] = 8, [REAL] = 8,
                                 [TEXT] = 4, [MAYBE] = 4, [LIST] = 4, [BYTES] = 4};
  size_t sum = 0;
  for (size_t i = 0; i < l->n; i++)
    sum += l->field[i].kind == STRUCT ? least(l->field[i].of) : bytes[l->field[i].kind];
  return sum;
}

static bool take(struct reader *r, void *to, size_t n) {
  if (r->n < n) return false;
  memcpy(to, r->at, n);
  r->at += n;
  r->n -= n;
  return true;
}

static bool take_text(struct reader *r, char **to, bool may_be_null) {
  uint32_t n;
  if (!take(r, &n, sizeof n)) return false;
  if (!n--) return may_be_null;
  if (n > r->n || memchr(r->at, '\0', n)) return false;
  *to = pv_alloc((size_t)n + 1);
  return take(r, *to, n);
}

static bool get(const struct layout *l, void *object, struct reader *r);

/* Reads a list. Elements are in the list even if a later one cannot be read; the caller frees
 * them. */
static bool take_list(struct reader *r, char *to, const struct layout *of) {
  vec list = {0};
  uint32_t n;
  bool right = true;
  if (!take(r, &n, sizeof n) || n > r->n / least(of)) return false;
  if (n) list.at = pv_vec_grow(NULL, &list.cap, n, of->size);
  while (right && list.n < n) right = get(of, (char *)list.at + (size_t)list.n++ * of->size, r);
  memcpy(to, &list, sizeof list);
  return right;
}

static bool take_bytes(struct reader *r, char *to) {
  vec list = {0};
  uint32_t n;
  if (!take(r, &n, sizeof n) || n > r->n) return false;
  if (n) list.at = pv_vec_grow(NULL, &list.cap, n, 1);
  list.n = n;
  memcpy(to, &list, sizeof list);
  return !n || take(r, list.at, n);
}

static bool take_field(const struct field *f, char *to, struct reader *r) {
  uint8_t byte;
  uint32_t word;
  double real;
  char *text = NULL;
  bool right;
  switch (f->kind) {
  case BOOL:
    if (!take(r, &byte, 1) || byte > 1) return false;
    *(bool *)to = byte;
    return true;
  case WORD:
    if (!take(r, &word, sizeof word) || (f->limit && word >= f->limit)) return false;
    memcpy(to, &word, sizeof word);
    return true;
  case LONG: return take(r, to, 8);
  case REAL:
    if (!take(r, &real, sizeof real) || !isfinite(real) || real < 0) return false;
    memcpy(to, &real, sizeof real);
    return true;
  case TEXT:
  case MAYBE:
    right = take_text(r, &text, f->kind == MAYBE);
    memcpy(to, &text, sizeof text);
    return right;
  case STRUCT: return get(f->of, to, r);
  case LIST: return take_list(r, to, f->of);
  case BYTES: return take_bytes(r, to);
  }
  return false;
}

/* Reads the fields of an object, which must be zeroed. */
static bool get(const struct layout *l, void *object, struct reader *r) {
  for (size_t i = 0; i < l->n; i++)
    if (!take_field(&l->field[i], (char *)object + l->field[i].offset, r)) return false;
  return true;
}

/* Do all references between parts of the path lead to existing parts? */
static bool is_whole(const struct pv_error_path *p) {
  for (uint32_t i = 0; i < p->inputs.n; i++)
    if (p->inputs.at[i].source > p->sources.n) return false;
  return p->gap <= p->steps.n && p->loop <= p->choices.n && p->loop_step <= p->steps.n;
}

bool pv_result_read(const void *bytes, size_t n, struct pv_result *out) {
  struct reader r = {bytes, n};
  bool right = get(&result, out, &r) && !r.n;
  for (uint32_t i = 0; i < out->violations.n && right; i++)
    right = is_whole(&out->violations.at[i].path);
  right = right && pv_condition_is_valid(&out->condition);
  if (!right) pv_result_clear(out);
  return right;
}

void pv_stats_put(const struct pv_stats *stats, struct pv_str *out) {
#define X(N, T) pv_put_number(out, stats->N);
  PV_STATS(X)
#undef X
}

bool pv_stats_take(struct pv_stats *stats, struct pv_bytes *in) {
#define X(N, T) stats->N = pv_take_number(in);
  PV_STATS(X)
#undef X
  return !in->wrong;
}

static bool ends_run(const struct pv_proviso *p, void *user) {
  (void)user;
  return pv_proviso_is_interruption(p->kind);
}

void pv_noted_put(const struct pv_condition *c, struct pv_str *out) {
  struct pv_result noted = {0};
  struct pv_str bytes = {0};
  pv_condition_append(&noted.condition, c);
  pv_condition_filter(&noted.condition, ends_run, NULL);
  pv_result_write(&noted, &bytes);
  pv_put_bytes(out, bytes.at, bytes.n);
  pv_result_clear(&noted);
  pv_str_free(&bytes);
}

bool pv_noted_take(struct pv_condition *c, struct pv_bytes *in) {
  struct pv_result noted = {0};
  size_t n;
  const uint8_t *bytes = pv_take_bytes(in, &n);
  if (!bytes || !pv_result_read(bytes, n, &noted)) in->wrong = true;
  if (!in->wrong) pv_condition_append(c, &noted.condition);
  pv_result_clear(&noted);
  return !in->wrong;
}
