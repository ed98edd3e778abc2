#include "smt/sat.h"

#include <ccadical.h>
#include <stdlib.h>
#include <string.h>

enum { UNSTABLE_CONFLICTS = 20000 };
enum gate_kind { INPUT, AND, XOR, ITE, MOST, ALL };

struct gate { /* a variable */
  uint8_t kind;
  bool known;     /* the solver has its clauses */
  int in[3];      /* ALL: in[0] operands from in[1] in `operands` */
  uint32_t stamp; /* the last walk that visited it */
};
struct pv_sat {
  CCaDiCaL *solver;
  bool (*stop)(void *user);
  void *user;
  PV_VEC(struct gate) gates; /* by variable; 0 is unused */
  PV_VEC(int) operands;
  uint32_t *slot; /* hash table of gates; 0: free */
  uint32_t slots, used;
  PV_VEC(int) clauses; /* that always hold and are not in the solver yet; each ends with 0 */
  PV_VEC(int) stack;
  uint32_t question, walk, known, relevant, unknown; /* the last two: see need_all */
  bool *values; /* of all variables after question number `valued`; see evaluate_all */
  uint32_t valued, n_valued;
};

static int stop_asked(void *sat) {
  struct pv_sat *t = sat;
  return t->stop && t->stop(t->user);
}

struct pv_sat *pv_sat_new(bool (*stop)(void *user), void *user) {
  struct pv_sat *t = pv_alloc(sizeof *t);
  t->solver = ccadical_init();
  t->stop = stop;
  t->user = user;
  ccadical_set_option(t->solver, "quiet", 1);
  /* Phases of stable mode find models of hard questions sooner. Most questions are easy ones whose
   * answer is no, which take twice as long with it: only after that many conflicts. */
  ccadical_set_option(t->solver, "stabilizeinit", UNSTABLE_CONFLICTS);
  ccadical_set_terminate(t->solver, t, stop_asked);
  pv_vec_push(&t->gates, (struct gate){0});
  int yes = pv_sat_input(t);
  pv_sat_clause(t, 1, &yes);
  return t;
}

void pv_sat_free(struct pv_sat *t) {
  if (!t) return;
  ccadical_release(t->solver);
  pv_vec_free(&t->gates);
  pv_vec_free(&t->operands);
  pv_vec_free(&t->clauses);
  pv_vec_free(&t->stack);
  free(t->slot);
  free(t->values);
  free(t);
}

/* ---- gates ----------------------------------------------------------------------------------- */
static uint32_t hash_of(enum gate_kind kind, const int in[3]) {
  return pv_hash_pair((uint64_t)(uint32_t)in[0] << 32 | (uint32_t)in[1],
                      (uint64_t)(uint32_t)in[2] << 3 | kind);
}

static void grow(struct pv_sat *t) {
  uint32_t n = t->slots ? 2 * t->slots : 1024;
  free(t->slot);
  t->slot = pv_alloc(n * sizeof *t->slot);
  t->slots = n;
  for (uint32_t v = 1; v < t->gates.n; v++) {
    const struct gate *g = &t->gates.at[v];
    if (g->kind == INPUT || g->kind == ALL) continue;
    uint32_t i = hash_of((enum gate_kind)g->kind, g->in) & (n - 1);
    while (t->slot[i]) i = (i + 1) & (n - 1);
    t->slot[i] = v;
  }
}

static int gate(struct pv_sat *t, enum gate_kind kind, int a, int b, int c) {
  struct gate g = {.kind = (uint8_t)kind, .in = {a, b, c}};
  if (2 * t->used >= t->slots) grow(t);
  uint32_t i = hash_of(kind, g.in) & (t->slots - 1);
  for (; t->slot[i]; i = (i + 1) & (t->slots - 1)) {
    const struct gate *h = &t->gates.at[t->slot[i]];
    if (h->kind == kind && !memcmp(h->in, g.in, sizeof g.in)) return (int)t->slot[i];
  }
  t->slot[i] = t->gates.n;
  t->used++;
  pv_vec_push(&t->gates, g);
  return (int)t->gates.n - 1;
}

int pv_sat_input(struct pv_sat *t) {
  pv_vec_push(&t->gates, (struct gate){.kind = INPUT});
  return (int)t->gates.n - 1;
}

int pv_sat_and(struct pv_sat *t, int a, int b) {
  if (a == PV_SAT_FALSE || b == PV_SAT_FALSE || a == -b) return PV_SAT_FALSE;
  if (a == PV_SAT_TRUE || a == b) return b;
  if (b == PV_SAT_TRUE) return a;
  return a < b ? gate(t, AND, a, b, 0) : gate(t, AND, b, a, 0);
}

int pv_sat_or(struct pv_sat *t, int a, int b) {
  return -pv_sat_and(t, -a, -b);
}

int pv_sat_xor(struct pv_sat *t, int a, int b) {
  int sign = 1;
  if (a < 0) a = -a, sign = -sign;
  if (b < 0) b = -b, sign = -sign;
  if (a == b) return -sign;
  if (a == PV_SAT_TRUE) return -sign * b;
  if (b == PV_SAT_TRUE) return -sign * a;
  return sign * (a < b ? gate(t, XOR, a, b, 0) : gate(t, XOR, b, a, 0));
}

int pv_sat_ite(struct pv_sat *t, int c, int a, int b) {
  if (c < 0) {
    int other = a;
    c = -c, a = b, b = other;
  }
  if (c == PV_SAT_TRUE || a == b) return a;
  if (a == PV_SAT_TRUE || a == c) return pv_sat_or(t, c, b);
  if (a == PV_SAT_FALSE || a == -c) return pv_sat_and(t, -c, b);
  if (b == PV_SAT_TRUE || b == -c) return pv_sat_or(t, -c, a);
  if (b == PV_SAT_FALSE || b == c) return pv_sat_and(t, c, a);
  if (a == -b) return -pv_sat_xor(t, c, a);
  return a < 0 ? -gate(t, ITE, c, -a, -b) : gate(t, ITE, c, a, b);
}

int pv_sat_most(struct pv_sat *t, int a, int b, int c) {
  int in[] = {a, b, c}, sign = 1;
  for (int i = 0; i < 3; i++) {
    int x = in[(i + 1) % 3], y = in[(i + 2) % 3];
    if (in[i] == PV_SAT_FALSE) return pv_sat_and(t, x, y);
    if (in[i] == PV_SAT_TRUE) return pv_sat_or(t, x, y);
    if (x == y) return x;
    if (x == -y) return in[i];
  }
  if ((a < 0) + (b < 0) + (c < 0) >= 2) {
    sign = -1;
    for (int i = 0; i < 3; i++) in[i] = -in[i];
  }
  for (int i = 0; i < 3; i++) /* in rising order */
    for (int k = i + 1; k < 3; k++)
      if (in[k] < in[i]) {
        int other = in[i];
        in[i] = in[k], in[k] = other;
      }
  return sign * gate(t, MOST, in[0], in[1], in[2]);
}

int pv_sat_all(struct pv_sat *t, uint32_t n, const int *a) {
  struct gate g = {.kind = ALL, .in = {0, (int)t->operands.n, 0}};
  uint32_t first = t->operands.n;
  for (uint32_t i = 0; i < n; i++) {
    if (a[i] == PV_SAT_TRUE) continue;
    if (a[i] == PV_SAT_FALSE) {
      t->operands.n = first;
      return PV_SAT_FALSE;
    }
    pv_vec_push(&t->operands, a[i]);
  }
  uint32_t m = t->operands.n - first;
  const int *in = t->operands.at + first;
  if (m <= 2) {
    int r = m == 0 ? PV_SAT_TRUE : m == 1 ? in[0] : pv_sat_and(t, in[0], in[1]);
    t->operands.n = first;
    return r;
  }
  g.in[0] = (int)m;
  pv_vec_push(&t->gates, g);
  return (int)t->gates.n - 1;
}

/* ---- clauses --------------------------------------------------------------------------------- */
void pv_sat_clause(struct pv_sat *t, uint32_t n, const int *literals) {
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&t->clauses, literals[i]);
  pv_vec_push(&t->clauses, 0);
}

static void add(struct pv_sat *t, int a, int b, int c, int d) {
  const int all[] = {a, b, c, d};
  for (int i = 0; i < 4 && all[i]; i++) ccadical_add(t->solver, all[i]);
  ccadical_add(t->solver, 0);
}

static void define(struct pv_sat *t, int v) {
  const struct gate *g = &t->gates.at[v];
  int a = g->in[0], b = g->in[1], c = g->in[2];
  switch ((enum gate_kind)g->kind) {
  case INPUT: break;
  case AND: add(t, -v, a, 0, 0), add(t, -v, b, 0, 0), add(t, v, -a, -b, 0); break;
  case XOR:
    add(t, -v, a, b, 0), add(t, -v, -a, -b, 0), add(t, v, -a, b, 0), add(t, v, a, -b, 0);
    break;
  case ITE: /* the last two are implied, and let more be propagated */
    add(t, -v, -a, b, 0), add(t, v, -a, -b, 0), add(t, -v, a, c, 0), add(t, v, a, -c, 0);
    add(t, -v, b, c, 0), add(t, v, -b, -c, 0);
    break;
  case MOST:
    add(t, -v, a, b, 0), add(t, -v, a, c, 0), add(t, -v, b, c, 0);
    add(t, v, -a, -b, 0), add(t, v, -a, -c, 0), add(t, v, -b, -c, 0);
    break;
  case ALL:
    for (int i = 0; i < a; i++) add(t, -v, t->operands.at[b + i], 0, 0);
    ccadical_add(t->solver, v);
    for (int i = 0; i < a; i++) ccadical_add(t->solver, -t->operands.at[b + i]);
    ccadical_add(t->solver, 0);
    break;
  }
}

/* Counts the gates on which the literal depends; `makes_known`: and makes them known. */
static void need(struct pv_sat *t, int literal, bool makes_known) {
  pv_vec_push(&t->stack, abs(literal));
  while (t->stack.n) {
    int v = pv_vec_pop(&t->stack);
    struct gate *g = &t->gates.at[v];
    if (g->stamp == t->walk) continue;
    g->stamp = t->walk;
    t->relevant++;
    if (!g->known) t->unknown++;
    if (makes_known && !g->known) {
      g->known = true;
      t->known++;
      define(t, v);
    }
    if (g->kind == INPUT) continue;
    if (g->kind == ALL)
      for (int i = 0; i < g->in[0]; i++) pv_vec_push(&t->stack, abs(t->operands.at[g->in[1] + i]));
    else
      for (int i = 0; i < 3 && g->in[i]; i++) pv_vec_push(&t->stack, abs(g->in[i]));
  }
}

static void need_all(struct pv_sat *t, uint32_t n, const int *literals, bool makes_known) {
  t->walk++;
  t->relevant = t->unknown = 0;
  for (uint32_t i = 0; i < n; i++) need(t, literals[i], makes_known);
  for (uint32_t i = 0; i < t->clauses.n; i++)
    if (t->clauses.at[i]) need(t, t->clauses.at[i], makes_known);
}

uint32_t pv_sat_relevant(struct pv_sat *t, uint32_t n, const int *literals, uint32_t *known) {
  need_all(t, n, literals, false);
  *known = t->known + t->unknown;
  return t->relevant;
}

/* ---- questions ------------------------------------------------------------------------------- */
enum pv_sat_answer pv_sat_solve(struct pv_sat *t, uint32_t n, const int *literals,
                                uint32_t conflicts) {
  enum { YES = 10, NO = 20 }; /* of the solver */
  t->question++;
  need_all(t, n, literals, true);
  for (uint32_t i = 0; i < t->clauses.n; i++) ccadical_add(t->solver, t->clauses.at[i]);
  t->clauses.n = 0;
  for (uint32_t i = 0; i < n; i++) ccadical_assume(t->solver, literals[i]);
  if (conflicts)
    ccadical_limit(t->solver, "conflicts", conflicts < INT32_MAX ? (int)conflicts : INT32_MAX);
  int r = ccadical_solve(t->solver);
  return r == YES ? PV_SAT_YES : r == NO ? PV_SAT_NO : PV_SAT_OPEN;
}

/* The value of a gate by those of its operands. */
static bool evaluate(const struct pv_sat *t, const struct gate *g) {
  bool x[3] = {false};
  if (g->kind == ALL) {
    bool all = true;
    for (int i = 0; i < g->in[0] && all; i++) {
      int o = t->operands.at[g->in[1] + i];
      all = t->values[abs(o)] == (o > 0);
    }
    return all;
  }
  for (int i = 0; i < 3 && g->in[i]; i++) x[i] = t->values[abs(g->in[i])] == (g->in[i] > 0);
  switch ((enum gate_kind)g->kind) {
  case AND: return x[0] && x[1];
  case XOR: return x[0] != x[1];
  case ITE: return x[0] ? x[1] : x[2];
  case MOST: return x[0] + x[1] + x[2] >= 2;
  default: return false;
  }
}

/* The values of all variables, also of those that the solver does not know: operands have lower
 * numbers than their gates. */
static void evaluate_all(struct pv_sat *t) {
  t->values = pv_realloc(t->values, t->gates.n * sizeof *t->values);
  t->values[0] = false;
  for (uint32_t v = 1; v < t->gates.n; v++) {
    const struct gate *g = &t->gates.at[v];
    t->values[v] = g->known ? ccadical_val(t->solver, (int)v) > 0 : evaluate(t, g);
  }
  t->valued = t->question;
  t->n_valued = t->gates.n;
}

bool pv_sat_value(struct pv_sat *t, int literal) {
  int v = abs(literal);
  bool value;
  if (t->gates.at[v].known) {
    value = ccadical_val(t->solver, v) > 0;
  } else {
    if (t->valued != t->question || t->n_valued != t->gates.n) evaluate_all(t);
    value = t->values[v];
  }
  return value == (literal > 0);
}

bool pv_sat_failed(struct pv_sat *t, int literal) {
  return ccadical_failed(t->solver, literal);
}
