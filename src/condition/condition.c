#include "condition/condition.h"

#include <stdlib.h>
#include <string.h>

const char *const pv_proviso_kind_names[PV_PROVISO_COUNT] = {
#define X(N, C, T) #N,
    PV_PROVISO_KINDS(X)
#undef X
};
const char *const pv_proviso_kind_reasons[PV_PROVISO_COUNT] = {
#define X(N, C, T) T,
    PV_PROVISO_KINDS(X)
#undef X
};
const char *const pv_open_kind_names[PV_OPEN_COUNT] = {
#define X(N, T) T,
    PV_OPEN_KINDS(X)
#undef X
};
const char *const pv_bound_kind_names[PV_BOUND_COUNT] = {
#define X(N, T) T,
    PV_BOUND_KINDS(X)
#undef X
};

bool pv_proviso_is_assumption(enum pv_proviso_kind kind) {
  enum { OPEN, ASSUMED };
  static const uint8_t classes[PV_PROVISO_COUNT] = {
#define X(N, C, T) C,
      PV_PROVISO_KINDS(X)
#undef X
  };
  return classes[kind] == ASSUMED;
}

/* The properties of the set that it concerns. */
static pv_properties about_of(const struct pv_proviso *p, pv_properties set) {
  return p->about ? p->about & set : set;
}

bool pv_proviso_concerns(const struct pv_proviso *p, pv_properties set) {
  return about_of(p, set);
}

bool pv_proviso_is_interruption(enum pv_proviso_kind kind) {
  switch (kind) {
  case PV_PROVISO_TIME:
  case PV_PROVISO_MEMORY:
  case PV_PROVISO_STATES:
  case PV_PROVISO_INTERRUPT: return true;
  default: return false;
  }
}

enum pv_proviso_kind pv_proviso_of_limit(enum pv_limit limit) {
  static const enum pv_proviso_kind kinds[] = {[PV_LIMIT_TIME] = PV_PROVISO_TIME,
                                               [PV_LIMIT_MEMORY] = PV_PROVISO_MEMORY,
                                               [PV_LIMIT_STATES] = PV_PROVISO_STATES,
                                               [PV_LIMIT_DEPTH] = PV_PROVISO_DEPTH,
                                               [PV_LIMIT_INTERRUPT] = PV_PROVISO_INTERRUPT};
  PV_REQUIRE(limit != PV_LIMIT_NONE, "a limit was hit");
  return kinds[limit];
}

/* ---- making ---------------------------------------------------------------------------------- */
static struct pv_proviso *find(struct pv_condition *c, enum pv_proviso_kind kind,
                               const char *sentence) {
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    struct pv_proviso *p = &c->provisos.at[i];
    if (p->kind == kind && !strcmp(p->sentence, sentence)) return p;
  }
  return NULL;
}

struct pv_proviso *pv_condition_add(struct pv_condition *c, enum pv_proviso_kind kind,
                                    const char *file, uint32_t line, const char *fmt, ...) {
  struct pv_str sentence = {0};
  va_list ap;
  va_start(ap, fmt);
  pv_str_vaddf(&sentence, fmt, ap);
  va_end(ap);
  struct pv_proviso *known = find(c, kind, pv_str_cstr(&sentence));
  if (known) {
    known->times++;
    known->about = 0;
    pv_str_free(&sentence);
    return known;
  }
  pv_vec_push(&c->provisos, ((struct pv_proviso){.kind = kind,
                                                 .sentence = sentence.at,
                                                 .file = file ? pv_strdup(file) : NULL,
                                                 .line = line,
                                                 .times = 1}));
  return &pv_vec_last(&c->provisos);
}

void pv_condition_leave_unchecked(struct pv_condition *c, pv_properties missing) {
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    if (!(missing & PV_PROP_BIT(i))) continue;
    char *sentence =
        pv_format("property %s holds, which this engine does not check", pv_property_table[i].name);
    if (!find(c, PV_PROVISO_ENGINE, sentence))
      pv_condition_add(c, PV_PROVISO_ENGINE, NULL, 0, "%s", sentence)->about = PV_PROP_BIT(i);
    free(sentence);
  }
}

struct pv_open_part *pv_condition_open(struct pv_condition *c, struct pv_open_part part) {
  PV_REQUIRE(c->provisos.n, "an open part is described by a proviso");
  pv_vec_push(&c->parts, part);
  pv_vec_last(&c->provisos).part = c->parts.n;
  return &pv_vec_last(&c->parts);
}

static void proviso_clear(struct pv_proviso *p) {
  free(p->sentence);
  free(p->file);
}

void pv_open_part_clear(struct pv_open_part *p) {
  pv_vec_free(&p->tried);
  pv_vec_free(&p->prefixes);
  pv_vec_free(&p->sleeping);
  pv_vec_free(&p->moves);
}

void pv_condition_add_state(struct pv_condition *c, const char *engine, struct pv_str *bytes) {
  struct pv_engine_state s = {.engine = pv_strdup(engine)};
  PV_REQUIRE(bytes->n < UINT32_MAX, "the state of an engine takes less than 4 GiB");
  s.bytes.at = (uint8_t *)bytes->at;
  s.bytes.n = s.bytes.cap = (uint32_t)bytes->n;
  pv_vec_push(&c->states, s);
  *bytes = (struct pv_str){0};
}

bool pv_condition_find_state(const struct pv_condition *c, const char *engine,
                             const struct pv_str *identity, struct pv_bytes *rest) {
  for (uint32_t i = 0; i < c->states.n; i++) {
    const struct pv_engine_state *s = &c->states.at[i];
    bool same = !strcmp(s->engine, engine) && s->bytes.n >= identity->n &&
                (!identity->n || !memcmp(s->bytes.at, identity->at, identity->n));
    if (!same) continue;
    *rest = (struct pv_bytes){.at = s->bytes.at + identity->n, .n = s->bytes.n - identity->n};
    return true;
  }
  return false;
}

void pv_condition_move_states(struct pv_condition *to, struct pv_condition *from) {
  for (uint32_t i = 0; i < from->states.n; i++) pv_vec_push(&to->states, from->states.at[i]);
  from->states.n = 0;
}

void pv_condition_clear(struct pv_condition *c) {
  for (uint32_t i = 0; i < c->provisos.n; i++) proviso_clear(&c->provisos.at[i]);
  for (uint32_t i = 0; i < c->parts.n; i++) pv_open_part_clear(&c->parts.at[i]);
  pv_vec_free(&c->provisos);
  pv_vec_free(&c->parts);
  for (uint32_t i = 0; i < c->states.n; i++) {
    free(c->states.at[i].engine);
    pv_vec_free(&c->states.at[i].bytes);
  }
  pv_vec_free(&c->states);
}

/* ---- copying --------------------------------------------------------------------------------- */
#define COPY_VEC(TO, FROM)                                                                         \
  do {                                                                                             \
    pv_vec_reserve((TO), (FROM)->n);                                                               \
    if ((FROM)->n) memcpy((TO)->at, (FROM)->at, (FROM)->n * sizeof *(FROM)->at);                   \
    (TO)->n = (FROM)->n;                                                                           \
  } while (0)

static struct pv_open_part part_copy(const struct pv_open_part *from) {
  struct pv_open_part to = {.kind = from->kind,
                            .bound = from->bound,
                            .number = from->number,
                            .function = from->function,
                            .place = from->place,
                            .states = from->states,
                            .otherwise = from->otherwise,
                            .circular = from->circular};
  COPY_VEC(&to.tried, &from->tried);
  COPY_VEC(&to.prefixes, &from->prefixes);
  COPY_VEC(&to.sleeping, &from->sleeping);
  COPY_VEC(&to.moves, &from->moves);
  return to;
}

static struct pv_proviso proviso_copy(const struct pv_proviso *from) {
  struct pv_proviso to = *from;
  to.sentence = pv_strdup(from->sentence);
  to.file = from->file ? pv_strdup(from->file) : NULL;
  return to;
}

#define EQUAL_VEC(A, B)                                                                            \
  ((A)->n == (B)->n && (!(A)->n || !memcmp((A)->at, (B)->at, (A)->n * sizeof *(A)->at)))

static bool parts_are_equal(const struct pv_open_part *a, const struct pv_open_part *b) {
  return a->kind == b->kind && a->bound == b->bound && a->number == b->number &&
         a->function == b->function && a->place == b->place && a->states == b->states &&
         a->otherwise == b->otherwise && a->circular == b->circular &&
         EQUAL_VEC(&a->tried, &b->tried) && EQUAL_VEC(&a->prefixes, &b->prefixes) &&
         EQUAL_VEC(&a->sleeping, &b->sleeping) && EQUAL_VEC(&a->moves, &b->moves);
}

/* Do two provisos with the same sentence also leave the same open? */
static bool open_the_same(const struct pv_condition *a, const struct pv_proviso *p,
                          const struct pv_condition *b, const struct pv_proviso *q) {
  if (!p->part || !q->part) return p->part == q->part;
  return parts_are_equal(&a->parts.at[p->part - 1], &b->parts.at[q->part - 1]);
}

/* The proviso that says the same as that of another condition, whatever properties it concerns. */
static struct pv_proviso *find_same(struct pv_condition *c, const struct pv_condition *from,
                                    const struct pv_proviso *p) {
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    struct pv_proviso *x = &c->provisos.at[i];
    if (x->kind == p->kind && !strcmp(x->sentence, p->sentence) && open_the_same(c, x, from, p))
      return x;
  }
  return NULL;
}

/* Adds a proviso about the properties; 0: about all. `all`: those that are all; 0: not known. */
static void append_about(struct pv_condition *to, const struct pv_condition *from, uint32_t i,
                         pv_properties about, pv_properties all) {
  const struct pv_proviso *p = &from->provisos.at[i];
  struct pv_proviso *known = find_same(to, from, p);
  if (known) {
    known->times += p->times;
    known->about = known->about && about ? known->about | about : 0;
    if (known->about == all) known->about = 0;
    return;
  }
  pv_vec_push(&to->provisos, proviso_copy(p));
  pv_vec_last(&to->provisos).part = 0;
  pv_vec_last(&to->provisos).about = about;
  if (!p->part) return;
  /* Several provisos may describe one part. */
  const struct pv_open_part *part = &from->parts.at[p->part - 1];
  uint32_t at = 0;
  while (at < to->parts.n && !parts_are_equal(&to->parts.at[at], part)) at++;
  if (at < to->parts.n)
    pv_vec_last(&to->provisos).part = at + 1;
  else
    pv_condition_open(to, part_copy(part));
}

void pv_condition_append_one(struct pv_condition *to, const struct pv_condition *from, uint32_t i) {
  append_about(to, from, i, from->provisos.at[i].about, 0);
}

void pv_condition_append_for(struct pv_condition *to, const struct pv_condition *from, uint32_t i,
                             pv_properties set, pv_properties all) {
  pv_properties about = about_of(&from->provisos.at[i], set & all);
  if (about) append_about(to, from, i, about == all ? 0 : about, all);
}

void pv_condition_append(struct pv_condition *to, const struct pv_condition *from) {
  for (uint32_t i = 0; i < from->provisos.n; i++) pv_condition_append_one(to, from, i);
}

void pv_condition_copy(struct pv_condition *to, const struct pv_condition *from) {
  pv_condition_append(to, from);
  for (uint32_t i = 0; i < from->states.n; i++) {
    struct pv_engine_state s = {.engine = pv_strdup(from->states.at[i].engine)};
    COPY_VEC(&s.bytes, &from->states.at[i].bytes);
    pv_vec_push(&to->states, s);
  }
}

void pv_condition_filter(struct pv_condition *c,
                         bool (*drop)(const struct pv_proviso *p, void *user), void *user) {
  struct pv_condition kept = {0};
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (!drop(&c->provisos.at[i], user)) pv_condition_append_one(&kept, c, i);
  pv_condition_move_states(&kept, c);
  pv_condition_clear(c);
  *c = kept;
}

/* ---- validity -------------------------------------------------------------------------------- */
static bool prefixes_are_valid(const struct pv_open_part *p) {
  uint64_t sleeping = 0;
  for (uint32_t i = 0; i < p->prefixes.n; i++) {
    const struct pv_prefix *x = &p->prefixes.at[i];
    bool fits = i ? x->depth && x->depth <= p->prefixes.at[i - 1].depth + 1 : !x->depth;
    if (!fits) return false;
    sleeping += x->sleeping;
  }
  return sleeping == p->sleeping.n;
}

static bool part_is_valid(const struct pv_open_part *p) {
  for (uint32_t i = 0; i < p->tried.n; i++) {
    const struct pv_value_range *r = &p->tried.at[i];
    if (r->low > r->high || (i && r->low <= p->tried.at[i - 1].high)) return false;
  }
  for (uint32_t i = 0; i < p->moves.n; i++)
    if (p->moves.at[i].from >= p->states || p->moves.at[i].to >= p->states ||
        (i && p->moves.at[i].from < p->moves.at[i - 1].from))
      return false;
  if (p->kind == PV_OPEN_AUTOMATON &&
      (p->states <= PV_AUTOMATON_FIRST || p->otherwise > PV_AUTOMATON_OPEN))
    return false;
  if (p->kind == PV_OPEN_INPUTS && !p->function) return false;
  return prefixes_are_valid(p);
}

bool pv_condition_is_valid(const struct pv_condition *c) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (c->provisos.at[i].part > c->parts.n) return false;
  for (uint32_t i = 0; i < c->parts.n; i++)
    if (!part_is_valid(&c->parts.at[i])) return false;
  return true;
}

/* ---- what is open ---------------------------------------------------------------------------- */
static bool is_open(const struct pv_proviso *p) {
  return p->part || !pv_proviso_is_assumption(p->kind);
}

enum pv_openness pv_condition_openness_of(const struct pv_condition *c, pv_properties set) {
  enum pv_openness all = PV_OPEN_NOTHING;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (!is_open(p) || !pv_proviso_concerns(p, set)) continue;
    if (!p->part) return PV_OPEN_EVERYTHING;
    all = PV_OPEN_PARTS;
  }
  return all;
}

enum pv_openness pv_condition_openness(const struct pv_condition *c) {
  return pv_condition_openness_of(c, ~(pv_properties)0);
}

pv_properties pv_condition_open_properties(const struct pv_condition *c, pv_properties set) {
  pv_properties open = 0;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (is_open(p)) open |= about_of(p, set);
  }
  return open;
}

pv_properties pv_condition_unconditional(const struct pv_condition *c, pv_properties set) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    set &= c->provisos.at[i].about ? ~c->provisos.at[i].about : 0;
  return set;
}

void pv_condition_open_inputs(struct pv_condition *c, struct pv_proviso *p,
                              struct pv_open_part inputs) {
  const struct pv_open_part *known = p->part ? &c->parts.at[p->part - 1] : NULL;
  bool same = known && known->function == inputs.function && known->place == inputs.place;
  if (p->times == 1) {
    pv_vec_push(&c->parts, inputs);
    p->part = c->parts.n;
    return;
  }
  if (!same) p->part = 0;
  pv_open_part_clear(&inputs);
}

static const struct pv_open_part *only(const struct pv_condition *c, enum pv_open_kind kind,
                                       bool *inputs) {
  const struct pv_open_part *found = NULL;
  if (pv_condition_openness(c) != PV_OPEN_PARTS) return NULL;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    if (!c->provisos.at[i].part) continue;
    const struct pv_open_part *p = &c->parts.at[c->provisos.at[i].part - 1];
    if (p->kind == PV_OPEN_INPUTS && inputs) {
      *inputs = true;
      continue;
    }
    if (p->kind != kind || (found && found != p)) return NULL;
    found = p;
  }
  return found;
}

const struct pv_open_part *pv_condition_only(const struct pv_condition *c, enum pv_open_kind kind) {
  return only(c, kind, NULL);
}

const struct pv_open_part *pv_condition_beside_inputs(const struct pv_condition *c,
                                                      enum pv_open_kind kind, bool *inputs) {
  *inputs = false;
  return only(c, kind, inputs);
}

/* ---- properties ------------------------------------------------------------------------------ */
/* Sets what each proviso is about. Those about nothing are dropped, with their parts. */
struct scopes {
  const struct pv_condition *of;
  pv_properties *about; /* by proviso */
};

static bool is_about_nothing(const struct pv_proviso *p, void *user) {
  const struct scopes *s = user;
  return !s->about[p - s->of->provisos.at];
}

static void set_scopes(struct pv_condition *c, pv_properties *about, pv_properties all) {
  bool any = false;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    any |= !about[i];
    c->provisos.at[i].about = about[i] == all ? 0 : about[i];
  }
  if (any) pv_condition_filter(c, is_about_nothing, &(struct scopes){c, about});
}

void pv_condition_restrict(struct pv_condition *c, pv_properties set) {
  pv_properties *about = pv_alloc((c->provisos.n + 1) * sizeof *about);
  for (uint32_t i = 0; i < c->provisos.n; i++) about[i] = about_of(&c->provisos.at[i], set);
  set_scopes(c, about, set);
  free(about);
}

void pv_condition_sequence(const struct pv_condition *given, struct pv_condition *next,
                           pv_properties all, pv_properties checked) {
  /* The properties for which only `next` counts, both count, and only `given` counts; the
   * assumptions of `next` count in the latter, too, if it has checked the property. */
  pv_properties alone = 0, both = 0, back = 0;
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    pv_properties p = PV_PROP_BIT(i) & all;
    if (!p) continue;
    if (!(checked & p))
      back |= p;
    else if (pv_condition_openness_of(given, p) == PV_OPEN_EVERYTHING)
      alone |= p;
    else if (pv_condition_openness_of(next, p) == PV_OPEN_EVERYTHING)
      back |= p;
    else
      both |= p;
  }
  pv_properties *about = pv_alloc((next->provisos.n + 1) * sizeof *about);
  for (uint32_t i = 0; i < next->provisos.n; i++) {
    const struct pv_proviso *p = &next->provisos.at[i];
    about[i] = about_of(p, alone | both | (is_open(p) ? 0 : back & checked));
  }
  set_scopes(next, about, all);
  free(about);
  for (uint32_t i = 0; i < given->provisos.n; i++)
    pv_condition_append_for(next, given, i, back | (is_open(&given->provisos.at[i]) ? 0 : both),
                            all);
}
