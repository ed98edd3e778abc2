#include "cpa/predicate_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpa/symbolic_internal.h"

enum {
  LONGEST_FILE = 16 << 20,
  MOST_NODES = 1000, /* nodes of an expression; also a bound on its depth */
  MOST_CHOICES = 64, /* predicates that one line may represent */
  ANY = UINT32_MAX
};

/* ---- what a line says --------------------------------------------------------------------------
 */

enum node_kind { NUMBER, NAME, UNARY, BINARY };
struct node {
  enum node_kind kind;
  const char *op;  /* its spelling */
  uint32_t a, b;   /* operands; NAME: a is the number of the name */
  int64_t value;   /* NUMBER */
  bool unsigned_u; /* NUMBER: with the suffix u */
};

/* A variable that a name may refer to: of a function, one of its slots, or a global. */
struct candidate {
  enum { VARIABLE, SLOT, GLOBAL } kind;
  uint32_t function, index;
  bool is_signed;
};
struct name {
  char *text;
  PV_VEC(struct candidate) candidates; /* at least one */
};

struct place { /* ANY: everywhere */
  uint32_t function;
  pv_loc loc;
};
struct line {
  uint32_t number;
  uint32_t function; /* of the place, or ANY */
  PV_VEC(struct place) at;
  /* Operands come before their operators; the last node is the whole expression. */
  PV_VEC(struct node) nodes;
  PV_VEC(struct name) names;
};

struct pv_predicate_file {
  const struct pv_program *program;
  PV_VEC(struct line) lines;
};

static void line_free(struct line *l) {
  for (uint32_t i = 0; i < l->names.n; i++) {
    free(l->names.at[i].text);
    pv_vec_free(&l->names.at[i].candidates);
  }
  pv_vec_free(&l->names);
  pv_vec_free(&l->nodes);
  pv_vec_free(&l->at);
}

void pv_predicate_file_free(struct pv_predicate_file *f) {
  if (!f) return;
  for (uint32_t i = 0; i < f->lines.n; i++) line_free(&f->lines.at[i]);
  pv_vec_free(&f->lines);
  free(f);
}

/* ---- reading -----------------------------------------------------------------------------------
 */

struct reader {
  const char *path;
  const struct pv_program *program;
  bool linear;
  const char *at; /* in the text of the line */
  struct line *line;
  uint32_t depth;
  struct pv_str *err; /* the first error; reading stops there */
};

PV_PRINTF(2, 3) static uint32_t wrong(struct reader *r, const char *fmt, ...) {
  va_list ap;
  if (r->err->n) return 0;
  pv_str_addf(r->err, "%s:%u: ", r->path, r->line->number);
  va_start(ap, fmt);
  pv_str_vaddf(r->err, fmt, ap);
  va_end(ap);
  return 0;
}

/* ---- names -------------------------------------------------------------------------------------
 */

/* Is it an integer or a pointer? Is it signed? */
static bool is_scalar(const struct pv_program *p, pv_srctype t, bool *is_signed) {
  const struct pv_srctype_info *i = &p->srctypes.at[t];
  *is_signed = i->kind == PV_S_SIGNED;
  switch (i->kind) {
  case PV_S_CHAR: *is_signed = !strstr(i->name, "unsigned"); return true;
  case PV_S_ENUM: return is_scalar(p, i->element, is_signed) || true;
  case PV_S_BOOL:
  case PV_S_SIGNED:
  case PV_S_UNSIGNED:
  case PV_S_POINTER: return true;
  default: return false;
  }
}

static void add_candidate(struct reader *r, struct name *n, struct candidate c, pv_srctype type) {
  if (!is_scalar(r->program, type, &c.is_signed))
    wrong(r, "`%s` is neither an integer nor a pointer", n->text);
  pv_vec_push(&n->candidates, c);
}

static void find_locals(struct reader *r, struct name *n, uint32_t function, const char *text) {
  const struct pv_function *f = &r->program->functions.at[function];
  for (uint32_t i = 0; i < f->vars.n; i++)
    if (!f->vars.at[i].is_temp && !strcmp(f->vars.at[i].name, text))
      add_candidate(r, n, (struct candidate){VARIABLE, function, i, false}, f->vars.at[i].srctype);
  for (uint32_t i = 0; i < f->slots.n; i++)
    if (!strcmp(f->slots.at[i].name, text))
      add_candidate(r, n, (struct candidate){SLOT, function, i, false}, f->slots.at[i].srctype);
}

static uint32_t find_function(const struct pv_program *p, const char *name, size_t length) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (strlen(p->functions.at[i].name) == length && !memcmp(p->functions.at[i].name, name, length))
      return i;
  return ANY;
}

static void resolve(struct reader *r, struct name *n) {
  const char *colons = strstr(n->text, "::");
  uint32_t function = r->line->function;
  if (colons) {
    size_t length = (size_t)(colons - n->text);
    function = find_function(r->program, n->text, length);
    if (function == ANY) {
      wrong(r, "there is no function `%.*s` in the program", (int)length, n->text);
      return;
    }
  }
  if (function != ANY) find_locals(r, n, function, colons ? colons + 2 : n->text);
  for (uint32_t i = 0; !colons && !n->candidates.n && i < r->program->globals.n; i++) {
    const struct pv_global *g = &r->program->globals.at[i];
    if (!strcmp(g->name, n->text))
      add_candidate(r, n, (struct candidate){GLOBAL, ANY, i, false}, g->srctype);
  }
  if (!n->candidates.n) wrong(r, "there is no variable `%s`", n->text);
}

static uint32_t name_number(struct reader *r, const char *text, size_t length) {
  struct line *l = r->line;
  for (uint32_t i = 0; i < l->names.n; i++)
    if (strlen(l->names.at[i].text) == length && !memcmp(l->names.at[i].text, text, length))
      return i;
  struct name n = {.text = pv_format("%.*s", (int)length, text)};
  resolve(r, &n);
  pv_vec_push(&l->names, n);
  return l->names.n - 1;
}

/* ---- expressions -------------------------------------------------------------------------------
 */

static uint32_t add_node(struct reader *r, struct node n) {
  if (r->line->nodes.n >= MOST_NODES) return wrong(r, "the expression is too long");
  pv_vec_push(&r->line->nodes, n);
  return r->line->nodes.n - 1;
}

static void skip_blanks(struct reader *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') r->at++;
}

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

static uint32_t number(struct reader *r) {
  char *end;
  errno = 0;
  unsigned long long v = strtoull(r->at, &end, 0);
  struct node n = {.kind = NUMBER, .value = (int64_t)v};
  if (errno || v > INT64_MAX) return wrong(r, "the number `%.20s` is too large", r->at);
  for (r->at = end; *r->at && strchr("uUlL", *r->at); r->at++)
    n.unsigned_u |= *r->at == 'u' || *r->at == 'U';
  if (in_name(*r->at)) return wrong(r, "a number cannot have `%c` in it", *r->at);
  return add_node(r, n);
}

static uint32_t name(struct reader *r) {
  const char *from = r->at;
  while (in_name(*r->at) || (r->at[0] == ':' && r->at[1] == ':')) r->at += *r->at == ':' ? 2 : 1;
  uint32_t n = name_number(r, from, (size_t)(r->at - from));
  return add_node(r, (struct node){.kind = NAME, .a = n});
}

static bool is_number(const struct reader *r, uint32_t n, int64_t *value) {
  const struct node *x = &r->line->nodes.at[n];
  *value = x->value;
  return x->kind == NUMBER;
}

static uint32_t unary(struct reader *r, const char *op, uint32_t a) {
  int64_t v;
  if (r->err->n) return 0;
  if (*op == '+') return a;
  if (*op == '~' && r->linear) return wrong(r, "`~` needs `--integers bitvector`");
  if (*op == '-' && is_number(r, a, &v)) {
    if (v == INT64_MIN) return wrong(r, "a number is too large");
    r->line->nodes.at[a].value = -v;
    return a;
  }
  return add_node(r, (struct node){.kind = UNARY, .op = op, .a = a});
}

/* Why the operator cannot be used, or NULL. */
static const char *lacks(const struct reader *r, const char *op, bool left, bool right, int64_t v) {
  if ((*op == '/' || *op == '%') && !(right && v > 0)) return "a positive number as its divisor";
  if (!r->linear) return NULL;
  if (*op == '*' && !left && !right) return "a factor that is a number, or `--integers bitvector`";
  bool bits = !op[1] && strchr("&|^", *op);
  if (bits || !strcmp(op, "<<") || !strcmp(op, ">>")) return "`--integers bitvector`";
  return NULL;
}

static uint32_t binary(struct reader *r, const char *op, uint32_t a, uint32_t b) {
  int64_t x, y, v;
  if (r->err->n) return 0;
  bool left = is_number(r, a, &x), right = is_number(r, b, &y);
  const char *lack = lacks(r, op, left, right, y);
  if (lack) return wrong(r, "`%s` needs %s", op, lack);
  if (!left || !right || op[1] || !strchr("+-*", *op))
    return add_node(r, (struct node){.kind = BINARY, .op = op, .a = a, .b = b});
  bool over = *op == '+'   ? __builtin_add_overflow(x, y, &v)
              : *op == '-' ? __builtin_sub_overflow(x, y, &v)
                           : __builtin_mul_overflow(x, y, &v);
  if (over) return wrong(r, "a number is too large");
  struct node n = {.kind = NUMBER, .value = v};
  n.unsigned_u = r->line->nodes.at[a].unsigned_u || r->line->nodes.at[b].unsigned_u;
  return add_node(r, n);
}

/* Binary operators by precedence, weakest first; longer spellings first. */
static const char *const levels[][5] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { LEVELS = sizeof levels / sizeof *levels };

/* The next operator if it belongs to that level, or NULL. `<` before `<` or `=` is another
 * operator. */
static const char *operator_at(struct reader *r, int level) {
  skip_blanks(r);
  for (int i = 0; i < 5 && levels[level][i]; i++) {
    const char *op = levels[level][i];
    size_t n = strlen(op);
    if (strncmp(r->at, op, n)) continue;
    bool longer = n == 1 && ((strchr("<>&|", *op) && r->at[1] == *op) ||
                             (strchr("<>", *op) && r->at[1] == '='));
    if (longer) continue;
    r->at += n;
    return op;
  }
  return NULL;
}

static uint32_t expression(struct reader *r, int level);

static uint32_t operand(struct reader *r) {
  static const char *const signs[] = {"!", "-", "~", "+"};
  uint32_t result = 0;
  skip_blanks(r);
  if (++r->depth > MOST_NODES) return wrong(r, "the expression is too deep");
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (*r->at == *signs[i]) {
      r->at++;
      result = unary(r, signs[i], operand(r));
      r->depth--;
      return result;
    }
  if (*r->at == '(') {
    r->at++;
    result = expression(r, 0);
    skip_blanks(r);
    if (*r->at == ')')
      r->at++;
    else
      wrong(r, "`)` is missing");
  } else if (isdigit((unsigned char)*r->at)) {
    result = number(r);
  } else if (in_name(*r->at)) {
    result = name(r);
  } else if (*r->at) {
    wrong(r, "`%.10s` is no value", r->at);
  } else {
    wrong(r, "a value is missing at the end");
  }
  r->depth--;
  return result;
}

static uint32_t expression(struct reader *r, int level) {
  if (level == LEVELS) return operand(r);
  uint32_t a = expression(r, level + 1);
  for (const char *op; !r->err->n && (op = operator_at(r, level));)
    a = binary(r, op, a, expression(r, level + 1));
  return a;
}

/* ---- places ------------------------------------------------------------------------------------
 */

static bool is_file(const char *path, const char *wanted, size_t n) {
  size_t length = strlen(path);
  if (length < n || memcmp(path + length - n, wanted, n)) return false;
  return length == n || path[length - n - 1] == '/';
}

/* Finds the program points with an edge of that line. */
static void find_points(struct reader *r, const char *file, size_t n, unsigned long line) {
  const struct pv_program *p = r->program;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    for (uint32_t k = 0; k < f->edges.n; k++) {
      const struct pv_edge *e = &f->edges.at[k];
      if (pv_span_of(p, e->span)->line != line || !is_file(pv_span_file(p, e->span), file, n))
        continue;
      bool known = r->line->at.n && pv_vec_last(&r->line->at).function == i &&
                   pv_vec_last(&r->line->at).loc == e->from;
      if (!known) pv_vec_push(&r->line->at, ((struct place){i, e->from}));
      r->line->function = i;
    }
  }
  if (!r->line->at.n)
    wrong(r, "there is nothing that runs at line %lu of `%.*s`", line, (int)n, file);
}

/* `end`: the position of the place's colon. */
static void read_place(struct reader *r, const char *end) {
  const char *from = r->at, *colon = end;
  while (end > from && (end[-1] == ' ' || end[-1] == '\t')) end--;
  const char *digits = end;
  while (digits > from && isdigit((unsigned char)digits[-1])) digits--;
  if (digits < end && digits > from + 1 && digits[-1] == ':') {
    find_points(r, from, (size_t)(digits - 1 - from), strtoul(digits, NULL, 10));
  } else {
    uint32_t f = find_function(r->program, from, (size_t)(end - from));
    if (f == ANY) wrong(r, "there is no function `%.*s` in the program", (int)(end - from), from);
    r->line->function = f;
    pv_vec_push(&r->line->at, ((struct place){f, ANY}));
  }
  r->at = colon + 1;
}

static void read_line(struct reader *r) {
  const char *colon = NULL;
  skip_blanks(r);
  for (const char *c = r->at; *c; c++) {
    if (c[0] == ':' && c[1] == ':')
      c++;
    else if (*c == ':')
      colon = c;
  }
  if (colon)
    read_place(r, colon);
  else
    pv_vec_push(&r->line->at, ((struct place){ANY, ANY}));
  if (r->err->n) return;
  uint32_t whole = expression(r, 0);
  skip_blanks(r);
  if (*r->at) wrong(r, "`%.10s` is not expected here", r->at);
  if (r->err->n) return;
  uint64_t choices = 1;
  for (uint32_t i = 0; i < r->line->names.n && choices <= MOST_CHOICES; i++)
    choices *= r->line->names.at[i].candidates.n;
  if (choices > MOST_CHOICES) wrong(r, "there are too many variables of these names");
  struct node last = r->line->nodes.at[whole];
  pv_vec_push(&r->line->nodes, last);
}

enum pv_status pv_predicate_file_read(const char *path, const struct pv_program *program,
                                      bool linear, struct pv_predicate_file **out,
                                      struct pv_str *err) {
  char *text;
  size_t n;
  *out = NULL;
  PV_TRY(pv_read_file(path, LONGEST_FILE, &text, &n, err));
  struct pv_predicate_file *f = pv_alloc(sizeof *f);
  struct pv_str wrongs = {0};
  uint32_t number = 0;
  f->program = program;
  for (char *at = text, *end = text + n; at < end && !wrongs.n;) {
    char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
    if (newline) *newline = '\0';
    struct line line = {.number = ++number, .function = ANY};
    struct reader r = {path, program, linear, at, &line, 0, &wrongs};
    skip_blanks(&r);
    bool nothing = !*r.at || *r.at == '#' || !strncmp(r.at, "//", 2);
    if (strlen(at) != (size_t)((newline ? newline : end) - at))
      wrong(&r, "the line has a zero byte");
    else if (!nothing)
      read_line(&r);
    if (!nothing || wrongs.n) pv_vec_push(&f->lines, line);
    at = next;
  }
  free(text);
  if (!wrongs.n) {
    *out = f;
    return PV_OK;
  }
  pv_str_add(err, pv_str_cstr(&wrongs));
  pv_str_free(&wrongs);
  pv_predicate_file_free(f);
  return PV_E_INPUT;
}

/* ---- terms -------------------------------------------------------------------------------------
 */

/* A value: a number with linear terms, otherwise C's integer as bits (at least those of an int), or
 * a condition. */
struct value {
  pv_term t;
  bool condition;
  unsigned bits;
  bool is_signed;
};

struct builder {
  struct pv_symbolic *s;
  struct pv_smt *smt;
  bool linear;
  const struct line *line;
  const uint32_t *choice; /* by name: the index of the chosen candidate */
};

static pv_term bits_of(struct builder *b, unsigned bits, int64_t v) {
  uint64_t hi = v < 0 ? UINT64_MAX : 0, lo = (uint64_t)v;
  if (bits < 64) lo &= (UINT64_C(1) << bits) - 1;
  if (bits <= 64) hi = 0;
  return pv_smt_number(b->smt, (struct pv_sort){.kind = PV_SORT_BV, .bits = (uint8_t)bits}, lo, hi);
}

static struct value number_value(struct builder *b, int64_t v, bool is_unsigned) {
  bool wide = is_unsigned ? v > UINT32_MAX || v < 0 : v > INT32_MAX || v < INT32_MIN;
  struct value r = {.bits = wide ? 64 : 32, .is_signed = !is_unsigned};
  r.t = b->linear ? pv_smt_int(b->smt, v) : bits_of(b, r.bits, v);
  return r;
}

static struct value as_number(struct builder *b, struct value v) {
  if (!v.condition) return v;
  struct value one = number_value(b, 1, false), zero = number_value(b, 0, false);
  one.t = pv_smt_mk3(b->smt, PV_SMT_ITE, v.t, one.t, zero.t);
  return one;
}

static pv_term as_condition(struct builder *b, struct value v) {
  if (v.condition) return v.t;
  pv_term zero = b->linear ? pv_smt_int(b->smt, 0) : bits_of(b, v.bits, 0);
  return pv_smt_mk1(b->smt, PV_SMT_NOT, pv_smt_mk2(b->smt, PV_SMT_EQ, v.t, zero));
}

static uint32_t cell_of(struct pv_symbolic *s, const struct candidate *c) {
  uint32_t cell;
  uint64_t size;
  if (c->kind == VARIABLE) return pv_sym_cell(s, PV_CELL_VARIABLE, c->function, c->index, 0);
  uint32_t place = c->kind == SLOT ? pv_layout_slot(s->layout, c->function, c->index)
                                   : pv_layout_global(s->layout, c->index);
  size = c->kind == SLOT ? s->program->functions.at[c->function].slots.at[c->index].size
                         : s->program->globals.at[c->index].size;
  if (!pv_layout_place(s->layout, place)->cut || size > 16 ||
      !pv_layout_find(s->layout, place, 0, (unsigned)size, &cell))
    return UINT32_MAX;
  return pv_sym_cell(s, PV_CELL_MEMORY, cell, 0, 0);
}

/* The variable's value as C reads it; t is NULL if it has no cell. */
static struct value name_value(struct builder *b, uint32_t name) {
  const struct candidate *c = &b->line->names.at[name].candidates.at[b->choice[name]];
  uint32_t at = cell_of(b->s, c);
  if (at == UINT32_MAX) return (struct value){0};
  const struct pv_cell *cell = pv_symbolic_cell(b->s, at);
  struct value v = {cell->entry, false, pv_type_bits(cell->type), c->is_signed};
  if (cell->sort.kind == PV_SORT_BOOL)
    v.condition = true;
  else if (b->linear && cell->sort.kind == PV_SORT_INT && pv_type_kind(cell->type) != PV_T_FLOAT)
    v.t = pv_encode_convert(&b->s->encoder, cell->type, v.t, cell->is_signed, c->is_signed);
  else if (cell->sort.kind != PV_SORT_BV)
    return (struct value){0};
  else if (v.bits < 32) { /* integer promotion */
    v.t = pv_smt_extend(b->smt, v.is_signed, 32, v.t);
    v.bits = 32;
    v.is_signed = true;
  }
  return v;
}

/* C's usual arithmetic conversions. */
static void convert(struct builder *b, struct value *x, struct value *y) {
  if (b->linear) return;
  unsigned bits = x->bits > y->bits ? x->bits : y->bits;
  bool is_signed = x->bits == y->bits  ? x->is_signed && y->is_signed
                   : x->bits > y->bits ? x->is_signed
                                       : y->is_signed;
  struct value *both[] = {x, y};
  for (int i = 0; i < 2; i++) {
    if (both[i]->bits < bits)
      both[i]->t = pv_smt_extend(b->smt, both[i]->is_signed, bits, both[i]->t);
    both[i]->bits = bits;
    both[i]->is_signed = is_signed;
  }
}

/* Division of mathematical integers, rounded towards zero; y is a positive number. */
static pv_term quotient(struct builder *b, pv_term x, pv_term y) {
  struct pv_smt *s = b->smt;
  pv_term minus = pv_smt_mk1(s, PV_SMT_NEG, x);
  pv_term below = pv_smt_mk1(s, PV_SMT_NEG, pv_smt_mk2(s, PV_SMT_DIV, minus, y));
  pv_term negative = pv_smt_mk2(s, PV_SMT_LT, x, pv_smt_int(s, 0));
  return pv_smt_mk3(s, PV_SMT_ITE, negative, below, pv_smt_mk2(s, PV_SMT_DIV, x, y));
}

static const struct operation {
  const char *op;
  bool compares;
  /* BV: for signed operands, and for unsigned ones. */
  enum pv_smt_op linear, is_signed, is_unsigned;
} operations[] = {{"+", false, PV_SMT_ADD, PV_SMT_BVADD, PV_SMT_BVADD},
                  {"-", false, PV_SMT_SUB, PV_SMT_BVSUB, PV_SMT_BVSUB},
                  {"*", false, PV_SMT_MUL, PV_SMT_BVMUL, PV_SMT_BVMUL},
                  {"/", false, PV_SMT_DIV, PV_SMT_BVSDIV, PV_SMT_BVUDIV},
                  {"%", false, PV_SMT_MOD, PV_SMT_BVSREM, PV_SMT_BVUREM},
                  {"&", false, PV_SMT_OP_COUNT, PV_SMT_BVAND, PV_SMT_BVAND},
                  {"|", false, PV_SMT_OP_COUNT, PV_SMT_BVOR, PV_SMT_BVOR},
                  {"^", false, PV_SMT_OP_COUNT, PV_SMT_BVXOR, PV_SMT_BVXOR},
                  {"<<", false, PV_SMT_OP_COUNT, PV_SMT_BVSHL, PV_SMT_BVSHL},
                  {">>", false, PV_SMT_OP_COUNT, PV_SMT_BVASHR, PV_SMT_BVLSHR},
                  {"==", true, PV_SMT_EQ, PV_SMT_EQ, PV_SMT_EQ},
                  {"<", true, PV_SMT_LT, PV_SMT_BVSLT, PV_SMT_BVULT},
                  {"<=", true, PV_SMT_LE, PV_SMT_BVSLE, PV_SMT_BVULE}};

/* A shift has the type of its left operand. */
static void fit_amount(struct builder *b, const struct value *x, struct value *y) {
  if (b->linear) return;
  y->t = y->bits > x->bits ? pv_smt_extract(b->smt, x->bits - 1, 0, y->t)
                           : pv_smt_extend(b->smt, false, x->bits, y->t);
  y->bits = x->bits;
}

static struct value operate(struct builder *b, const char *op, struct value x, struct value y) {
  bool shift = !strcmp(op, "<<") || !strcmp(op, ">>");
  if (*op == '>' && !shift) { /* > and >= */
    struct value swap = x;
    x = y;
    y = swap;
    op = op[1] ? "<=" : "<";
  }
  x = as_number(b, x);
  y = as_number(b, y);
  if (shift)
    fit_amount(b, &x, &y);
  else
    convert(b, &x, &y);
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    const struct operation *o = &operations[i];
    if (strcmp(o->op, op) != 0) continue;
    struct value v = {.condition = o->compares, .bits = x.bits, .is_signed = x.is_signed};
    if (b->linear && *op == '/')
      v.t = quotient(b, x.t, y.t);
    else if (b->linear && *op == '%')
      v.t = pv_smt_mk2(b->smt, PV_SMT_SUB, x.t,
                       pv_smt_mk2(b->smt, PV_SMT_MUL, y.t, quotient(b, x.t, y.t)));
    else
      v.t = pv_smt_mk2(b->smt,
                       b->linear     ? o->linear
                       : x.is_signed ? o->is_signed
                                     : o->is_unsigned,
                       x.t, y.t);
    return v;
  }
  PV_REQUIRE(false, "an operator without a meaning");
  return x;
}

static struct value build(struct builder *b, uint32_t at) {
  const struct node *n = &b->line->nodes.at[at];
  if (n->kind == NUMBER) return number_value(b, n->value, n->unsigned_u);
  if (n->kind == NAME) return name_value(b, n->a);
  struct value x = build(b, n->a), y = n->kind == BINARY ? build(b, n->b) : x;
  if (!x.t || !y.t) return (struct value){0};
  if (n->kind == UNARY && *n->op == '!')
    return (struct value){.t = pv_smt_mk1(b->smt, PV_SMT_NOT, as_condition(b, x)),
                          .condition = true};
  if (n->kind == UNARY) {
    x = as_number(b, x);
    enum pv_smt_op minus = b->linear ? PV_SMT_NEG : PV_SMT_BVNEG;
    x.t = pv_smt_mk1(b->smt, *n->op == '-' ? minus : PV_SMT_BVNOT, x.t);
    return x;
  }
  if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) {
    enum pv_smt_op op = *n->op == '&' ? PV_SMT_AND : PV_SMT_OR;
    return (struct value){.t = pv_smt_mk2(b->smt, op, as_condition(b, x), as_condition(b, y)),
                          .condition = true};
  }
  if (strcmp(n->op, "!=") != 0) return operate(b, n->op, x, y);
  struct value equal = operate(b, "==", x, y);
  equal.t = pv_smt_mk1(b->smt, PV_SMT_NOT, equal.t);
  return equal;
}

/* The next combination of candidates, as a number whose digits are the choices. Returns false after
 * the last one. */
static bool next_choice(const struct line *l, uint32_t *choice) {
  for (uint32_t i = 0; i < l->names.n; i++) {
    if (++choice[i] < l->names.at[i].candidates.n) return true;
    choice[i] = 0;
  }
  return false;
}

void pv_predicate_file_terms(const struct pv_predicate_file *f, struct pv_symbolic *s,
                             struct pv_smt *smt, pv_initial_predicates *out,
                             struct pv_str *unused) {
  for (uint32_t i = 0; i < f->lines.n; i++) {
    const struct line *l = &f->lines.at[i];
    uint32_t *choice = pv_alloc((l->names.n + 1) * sizeof *choice);
    struct builder b = {s, smt, s->options.encoding == PV_ENCODE_LINEAR, l, choice};
    bool all = true;
    do {
      struct value v = build(&b, l->nodes.n - 1);
      all &= v.t != NULL;
      pv_term t = v.t ? as_condition(&b, v) : NULL;
      for (uint32_t k = 0; t && k < l->at.n; k++)
        pv_vec_push(out, ((struct pv_initial_predicate){l->at.at[k].function, l->at.at[k].loc, t}));
    } while (next_choice(l, choice));
    if (!all) pv_str_addf(unused, "%sline %u", unused->n ? ", " : "", l->number);
    free(choice);
  }
}
