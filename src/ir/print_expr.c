/* print_expr.c -- prints expressions and memory accesses in C notation for users.
 *
 * Parentheses are minimal except around the operands of shifts and bit operations, whose precedence
 * few readers know. Signed operations are written plainly (`x / y`), unsigned ones are marked (`x
 * /u y`, `x <u y`, `x >>u y`). An address is shown as the lvalue that it is the address of if the
 * source types explain every byte of the offset, otherwise as pointer plus byte offset: the text
 * never names a member that the access does not cover exactly. */
#include "ir/print_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers --------------------------------------------------------------------------------- */
void pv_print_type(pv_type type, struct pv_str *out) {
  switch (pv_type_kind(type)) {
  case PV_T_VOID: pv_str_add(out, "void"); return;
  case PV_T_INT: pv_str_addf(out, "i%u", pv_type_bits(type)); return;
  case PV_T_PTR: pv_str_add(out, "ptr"); return;
  case PV_T_FLOAT: break;
  }
  unsigned bits = pv_type_bits(type);
  pv_str_add(out, bits == 32 ? "float" : bits == 64 ? "double" : "long double");
}

void pv_print_srctype(const struct pv_program *p, pv_srctype type, struct pv_str *out) {
  if (type == 0 || type >= p->srctypes.n) return;
  const struct pv_srctype_info *t = &p->srctypes.at[type];
  if (t->name && *t->name) {
    pv_str_add(out, t->name);
    return;
  }
  size_t before = out->n;
  switch (t->kind) {
  case PV_S_POINTER:
    pv_print_srctype(p, t->element, out);
    pv_str_add(out, out->n == before ? "void *" : " *");
    return;
  case PV_S_ARRAY: {
    /* int [2][3] is an array of arrays: the outer count comes first */
    const struct pv_srctype_info *e = t;
    while (e->kind == PV_S_ARRAY && !(e->name && *e->name) && e->element < p->srctypes.n)
      e = &p->srctypes.at[e->element];
    pv_print_srctype(p, (pv_srctype)(e - p->srctypes.at), out);
    pv_str_add(out, out->n == before ? "? " : " ");
    for (const struct pv_srctype_info *a = t; a != e; a = &p->srctypes.at[a->element])
      pv_str_addf(out, "[%llu]", (unsigned long long)a->count);
    return;
  }
  case PV_S_STRUCT: pv_str_add(out, "struct"); return;
  case PV_S_UNION: pv_str_add(out, "union"); return;
  case PV_S_ENUM: pv_str_add(out, "enum"); return;
  case PV_S_FUNCTION: pv_str_add(out, "function"); return;
  default: return;
  }
}

/* The number of earlier variables (then slots) of the function that have the same name. */
static void local_name(const struct pv_function *f, uint32_t index, bool is_slot,
                       struct pv_str *out) {
  const char *name = is_slot ? f->slots.at[index].name : f->vars.at[index].name;
  unsigned earlier = 0;
  uint32_t vars = is_slot ? f->vars.n : index, slots = is_slot ? index : 0;
  for (uint32_t i = 0; i < vars; i++) earlier += strcmp(f->vars.at[i].name, name) == 0;
  for (uint32_t i = 0; i < slots; i++) earlier += strcmp(f->slots.at[i].name, name) == 0;
  pv_str_add(out, name);
  if (earlier) pv_str_addf(out, "@%u", earlier + 1);
}

void pv_print_var(const struct pv_program *p, const struct pv_function *f, uint32_t var,
                  struct pv_str *out) {
  (void)p;
  if (!f || var >= f->vars.n || !f->vars.at[var].name)
    pv_str_addf(out, "var%u", var);
  else
    local_name(f, var, false, out);
}

void pv_print_slot(const struct pv_program *p, const struct pv_function *f, uint32_t slot,
                   struct pv_str *out) {
  (void)p;
  if (!f || slot >= f->slots.n || !f->slots.at[slot].name)
    pv_str_addf(out, "slot%u", slot);
  else
    local_name(f, slot, true, out);
}

void pv_print_place(const struct pv_program *p, uint32_t span, bool column, struct pv_str *out) {
  if (span == 0 || span >= p->spans.n) return;
  const struct pv_span *s = &p->spans.at[span];
  if (s->file == 0 || s->file >= p->files.n || !p->files.at[s->file].path) return;
  pv_str_add(out, p->files.at[s->file].path);
  if (s->line) pv_str_addf(out, ":%u", s->line);
  if (s->line && s->column && column) pv_str_addf(out, ":%u", s->column);
}

void pv_print_escaped(const void *text, size_t n, struct pv_str *out) {
  const unsigned char *s = text;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = s[i];
    if (c == '"' || c == '\\')
      pv_str_addf(out, "\\%c", c);
    else if (c == '\n')
      pv_str_add(out, "\\n");
    else if (c == '\t')
      pv_str_add(out, "\\t");
    else if (c == '?' && i && s[i - 1] == '?') /* avoids trigraphs, for every -std */
      pv_str_add(out, "\\?");
    else if (c < 32 || c >= 127)
      pv_str_addf(out, "\\%03o", c); /* three digits, because the next character may be a digit */
    else
      pv_str_addc(out, (char)c);
  }
}

const char *const pv_text_names[] = {
    [PV_TEXT_ARGUMENTS] = "the arguments",
    [PV_TEXT_VARIABLE] = "the value of a variable",
    [PV_TEXT_STDIN] = "standard input",
    [PV_TEXT_FILE] = "a file",
};

bool pv_print_tried_text(const struct pv_program *p, const struct pv_edge *e, uint64_t value,
                         struct pv_str *out) {
  unsigned kind = 0;
  if (e->op != PV_OP_HAVOC || e->aux != PV_HAVOC_TEXT || !e->text) return false;
  while (kind < PV_TEXT_COUNT && strcmp(e->text, pv_text_names[kind]) != 0) kind++;
  if (kind == PV_TEXT_COUNT || value >= p->texts[kind].n) return false;
  const struct pv_text *t = &p->texts[kind].at[value];
  if (kind != PV_TEXT_ARGUMENTS) {
    pv_str_addc(out, '"');
    pv_print_escaped(t->bytes, t->n, out);
    pv_str_addc(out, '"');
    return true;
  }
  if (!t->n) pv_str_add(out, "none");
  for (uint32_t i = 0; i < t->n;) {
    size_t n = strlen((const char *)t->bytes + i);
    pv_str_add(out, i ? " \"" : "\"");
    pv_print_escaped(t->bytes + i, n, out);
    pv_str_addc(out, '"');
    i += (uint32_t)n + 1;
  }
  return true;
}

bool pv_print_float(pv_type type, uint64_t lo, uint64_t hi, struct pv_str *out) {
  char text[80];
  unsigned bits = pv_type_bits(type);
  bool found = false;
  for (int digits = 1; digits <= 21 && !found; digits++) {
    uint64_t back[2] = {0, 0};
    if (bits == 32) {
      float v;
      uint32_t raw = (uint32_t)lo;
      memcpy(&v, &raw, sizeof v);
      if (v != v || v - v != 0) return false;
      snprintf(text, sizeof text, "%.*g", digits, (double)v);
      v = strtof(text, NULL);
      memcpy(back, &v, sizeof v);
    } else if (bits == 64) {
      double v;
      memcpy(&v, &lo, sizeof v);
      if (v != v || v - v != 0) return false;
      snprintf(text, sizeof text, "%.*g", digits, v);
      v = strtod(text, NULL);
      memcpy(back, &v, sizeof v);
    } else {
      long double v = 0;
      uint64_t raw[2] = {lo, hi & 0xffff};
      /* only if the host's long double is that of x87, and not for its invalid encodings */
      if (sizeof v < 10 || ((lo >> 63) == 0) != ((hi & 0x7fff) == 0)) return false;
      memcpy(&v, raw, 10);
      if (v != v || v - v != 0) return false;
      snprintf(text, sizeof text, "%.*Lg", digits, v);
      v = strtold(text, NULL);
      memcpy(back, &v, 10);
    }
    uint64_t high = bits == 80 ? hi & 0xffff : 0, low = bits == 32 ? lo & 0xffffffff : lo;
    found = back[0] == low && back[1] == high;
  }
  if (!found) return false;
  bool integral = true;
  for (char *c = text; *c; c++) {
    if (!strchr("0123456789eE+-.", *c)) *c = '.'; /* a decimal comma of the caller's locale */
    if (strchr(".eE", *c)) integral = false;
  }
  pv_str_add(out, text);
  if (integral) pv_str_add(out, ".0");
  return true;
}

/* ---- places: addresses in source terms ------------------------------------------------------- */
enum { MAX_TERMS = 6 };
struct address {
  pv_expr base;
  int64_t offset;
  struct term {
    pv_expr index;
    uint64_t scale;
    bool used;
  } term[MAX_TERMS];
  unsigned n;
  bool ok;
};

static const struct pv_expr_node *strip_extension(const struct pv_program *p, pv_expr *e) {
  const struct pv_expr_node *n = pv_node(p, *e);
  while (n->op == PV_X_SEXT && pv_type_bits(pv_node(p, n->a)->type) > 1) {
    *e = n->a;
    n = pv_node(p, *e);
  }
  return n;
}

static void split_offset(const struct pv_program *p, pv_expr e, struct address *a) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_CONST) {
    a->offset =
        (int64_t)((uint64_t)a->offset + (uint64_t)pv_sign_extend(n->lo, pv_type_bits(n->type)));
    return;
  }
  if (n->op == PV_X_ADD) {
    split_offset(p, n->a, a);
    split_offset(p, n->b, a);
    return;
  }
  uint64_t scale = 1;
  const struct pv_expr_node *b = n->b ? pv_node(p, n->b) : NULL;
  if (n->op == PV_X_MUL && b->op == PV_X_CONST) {
    scale = b->lo;
    e = n->a;
  } else if (n->op == PV_X_SHL && b->op == PV_X_CONST && b->lo < 63) {
    scale = 1ull << b->lo;
    e = n->a;
  }
  strip_extension(p, &e);
  if (a->n == MAX_TERMS) {
    a->ok = false;
    return;
  }
  a->term[a->n++] = (struct term){.index = e, .scale = scale};
}

static struct address split_address(const struct pv_program *p, pv_expr e) {
  struct address a = {.ok = true};
  const struct pv_expr_node *n = pv_node(p, e);
  for (; n->op == PV_X_PTRADD && a.ok; e = n->a, n = pv_node(p, e)) split_offset(p, n->b, &a);
  if (n->op == PV_X_PTRADD) a.ok = false;
  a.base = e;
  return a;
}

struct place {
  const struct pv_program *p;
  const struct pv_function *f;
  struct address a;
  unsigned bytes; /* of the access; 0: only the address is needed */
  bool is_array;  /* out: the place is an array, whose name is its address */
  struct pv_str *path;
};

static bool terms_left(const struct place *pl) {
  for (unsigned i = 0; i < pl->a.n; i++)
    if (!pl->a.term[i].used) return true;
  return false;
}

static uint64_t type_bytes(const struct pv_program *p, pv_srctype t) {
  return t && t < p->srctypes.n ? p->srctypes.at[t].bits / 8 : 0;
}

static bool place_in(struct place *pl, pv_srctype type, int64_t offset);

/* Prints `[i + k]` for the summands that are multiples of the element size `size`; the rest of the
 * constant offset is returned in *offset. */
static bool place_index(struct place *pl, uint64_t size, int64_t *offset, bool always) {
  if (size == 0 || *offset < 0) return false;
  uint64_t k = (uint64_t)*offset / size;
  *offset = (int64_t)((uint64_t)*offset % size);
  bool any = false;
  struct pv_str index = {0};
  for (unsigned i = 0; i < pl->a.n; i++) {
    struct term *t = &pl->a.term[i];
    if (t->used || t->scale != size) continue;
    t->used = true;
    if (any) pv_str_add(&index, " + ");
    pv_expr_print(pl->p, pl->f, t->index, &index);
    any = true;
  }
  if (k || !any) pv_str_addf(&index, any ? " + %llu" : "%llu", (unsigned long long)k);
  if (any || k || always) pv_str_addf(pl->path, "[%s]", pv_str_cstr(&index));
  pv_str_free(&index);
  return any || k || always;
}

static bool place_in_fields(struct place *pl, const struct pv_srctype_info *t, int64_t offset) {
  for (uint32_t i = 0; i < t->fields.n; i++) {
    const struct pv_srcfield *field = &t->fields.at[i];
    if (field->bit_offset % 8 || field->bit_size % 8) continue;
    uint64_t at = field->bit_offset / 8, size = type_bytes(pl->p, field->type);
    bool flexible = size == 0 && i + 1 == t->fields.n && t->kind == PV_S_STRUCT;
    if (offset < (int64_t)at || (!flexible && offset >= (int64_t)(at + size))) continue;
    struct place trial = *pl;
    size_t mark = pl->path->n;
    if (field->name && *field->name) pv_str_addf(pl->path, ".%s", field->name);
    if (place_in(&trial, field->type, offset - (int64_t)at)) {
      *pl = trial;
      return true;
    }
    pl->path->n = mark; /* the next member of a union may fit better */
    if (pl->path->at) pl->path->at[mark] = '\0';
  }
  return false;
}

static bool place_in(struct place *pl, pv_srctype type, int64_t offset) {
  if (type == 0 || type >= pl->p->srctypes.n) return false;
  const struct pv_srctype_info *t = &pl->p->srctypes.at[type];
  bool here = offset == 0 && !terms_left(pl);
  switch (t->kind) {
  case PV_S_ARRAY:
    if (here && pl->bytes == 0) return pl->is_array = true;
    return place_index(pl, type_bytes(pl->p, t->element), &offset, true) &&
           place_in(pl, t->element, offset);
  case PV_S_STRUCT:
  case PV_S_UNION:
    if (here && pl->bytes == 0) return true;
    return place_in_fields(pl, t, offset);
  case PV_S_UNKNOWN:
  case PV_S_FUNCTION: return false;
  default:
    return here && (pl->bytes == 0 || pl->bytes == (t->bits + 7) / 8 ||
                    (t->kind == PV_S_FLOAT && pl->bytes == 10));
  }
}

/* Prints the place to *out. Returns false, with nothing printed, if types do not explain it. */
static bool place_print(struct place *pl, struct pv_str *out) {
  const struct pv_program *p = pl->p;
  const struct pv_expr_node *base = pv_node(p, pl->a.base);
  struct pv_str path = {0}, name = {0};
  bool ok = false, arrow = false, star = false;
  if (!pl->a.ok) return false;
  pl->path = &path;
  if (base->op == PV_X_GLOBAL) {
    const struct pv_global *g = &p->globals.at[base->lo];
    pv_str_add(&name, g->name);
    ok = place_in(pl, g->srctype, pl->a.offset);
  } else if (base->op == PV_X_SLOT && pl->f && base->lo < pl->f->slots.n) {
    pv_print_slot(p, pl->f, (uint32_t)base->lo, &name);
    ok = place_in(pl, pl->f->slots.at[base->lo].srctype, pl->a.offset);
  } else if (base->op == PV_X_VAR && pl->f && base->lo < pl->f->vars.n) {
    pv_srctype t = pl->f->vars.at[base->lo].srctype;
    const struct pv_srctype_info *info = t && t < p->srctypes.n ? &p->srctypes.at[t] : NULL;
    int64_t offset = pl->a.offset;
    if (info && info->kind == PV_S_POINTER && offset >= 0) {
      pv_print_var(p, pl->f, (uint32_t)base->lo, &name);
      bool indexed = place_index(pl, type_bytes(p, info->element), &offset, false);
      ok = type_bytes(p, info->element) && place_in(pl, info->element, offset);
      if (ok && !indexed) (path.n && path.at[0] == '.') ? (arrow = true) : (star = true);
    }
  }
  if (ok && star && path.n)
    pv_str_addf(out, "(*%s)%s", pv_str_cstr(&name), pv_str_cstr(&path));
  else if (ok)
    pv_str_addf(out, "%s%s%s%s", star ? "*" : "", pv_str_cstr(&name), arrow ? "->" : "",
                pv_str_cstr(&path) + arrow);
  pl->path = NULL;
  pv_str_free(&path);
  pv_str_free(&name);
  return ok;
}

static void expr(const struct pv_program *p, const struct pv_function *f, pv_expr e, int outer,
                 struct pv_str *out);

void pv_print_access(const struct pv_program *p, const struct pv_function *f, pv_expr address,
                     pv_type type, struct pv_str *out) {
  struct place pl = {.p = p, .f = f, .bytes = pv_type_bytes(type)};
  pl.a = split_address(p, address);
  if (place_print(&pl, out)) return;
  const struct pv_expr_node *n = pv_node(p, address);
  /* A whole global, without types. */
  if (n->op == PV_X_GLOBAL && p->globals.at[n->lo].size == pl.bytes) {
    pv_str_add(out, p->globals.at[n->lo].name);
    return;
  }
  if (n->op == PV_X_SLOT && f && n->lo < f->slots.n && f->slots.at[n->lo].size == pl.bytes) {
    pv_print_slot(p, f, (uint32_t)n->lo, out);
    return;
  }
  pv_str_add(out, "*(");
  pv_print_type(type, out);
  pv_str_add(out, " *)");
  expr(p, f, address, P_UNARY, out);
}

/* ---- leaves ---------------------------------------------------------------------------------- */
static void print_string_global(const struct pv_global *g, struct pv_str *out) {
  enum { SHOWN = 48 };
  size_t n = g->size - 1;
  pv_str_addc(out, '"');
  pv_print_escaped(g->init, n > SHOWN ? SHOWN : n, out);
  pv_str_add(out, n > SHOWN ? "...\"" : "\"");
}

static bool is_string(const struct pv_global *g) {
  return g->is_const && g->init && g->size && !g->relocs.n && strncmp(g->name, ".str", 4) == 0 &&
         memchr(g->init, 0, g->size) == g->init + g->size - 1;
}

/* Prints an address as a value; `outer` as for expr. */
static bool print_address(const struct pv_program *p, const struct pv_function *f, pv_expr e,
                          int outer, struct pv_str *out) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_GLOBAL && is_string(&p->globals.at[n->lo])) {
    print_string_global(&p->globals.at[n->lo], out);
    return true;
  }
  struct place pl = {.p = p, .f = f};
  struct pv_str text = {0};
  pl.a = split_address(p, e);
  bool ok = place_print(&pl, &text);
  if (ok) {
    bool parens = !pl.is_array && outer > P_UNARY;
    pv_str_addf(out, "%s%s%s%s", parens ? "(" : "", pl.is_array ? "" : "&", pv_str_cstr(&text),
                parens ? ")" : "");
  } else if (n->op == PV_X_GLOBAL) {
    pv_str_addf(out, "&%s", p->globals.at[n->lo].name);
    ok = true;
  } else if (n->op == PV_X_SLOT) {
    pv_str_addc(out, '&');
    pv_print_slot(p, f, (uint32_t)n->lo, out);
    ok = true;
  }
  pv_str_free(&text);
  return ok;
}

static bool shown_unsigned(const struct pv_program *p, const struct pv_function *f, pv_expr e) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_ZEXT || n->op == PV_X_FPTOUI || n->op == PV_X_UDIV || n->op == PV_X_UREM)
    return true;
  if (n->op != PV_X_VAR || !f || n->lo >= f->vars.n) return false;
  pv_srctype t = f->vars.at[n->lo].srctype;
  if (!t || t >= p->srctypes.n) return false;
  enum pv_srctype_kind k = p->srctypes.at[t].kind;
  return k == PV_S_UNSIGNED || k == PV_S_BOOL;
}

static void print_const(const struct pv_expr_node *n, bool as_unsigned, struct pv_str *out) {
  unsigned bits = pv_type_bits(n->type);
  if (pv_type_kind(n->type) == PV_T_PTR) {
    if (n->lo == 0)
      pv_str_add(out, "NULL");
    else
      pv_str_addf(out, "0x%llx", (unsigned long long)n->lo);
  } else if (pv_type_kind(n->type) == PV_T_FLOAT) {
    size_t mark = out->n;
    if (pv_print_float(n->type, n->lo, n->hi, out)) {
      if (bits == 32) pv_str_addc(out, 'f');
      if (bits == 80) pv_str_addc(out, 'L');
    } else {
      out->n = mark;
      pv_str_add(out, "float_bits(0x");
      if (bits == 80) pv_str_addf(out, "%llx", (unsigned long long)n->hi);
      pv_str_addf(out, bits == 80 ? "%016llx)" : "%llx)", (unsigned long long)n->lo);
    }
  } else if (bits == 1) {
    pv_str_add(out, n->lo & 1 ? "true" : "false");
  } else if (bits > 64) {
    uint64_t ones = bits == 128 ? UINT64_MAX : (1ull << (bits - 64)) - 1;
    if (n->hi == 0)
      pv_str_addf(out, "%llu", (unsigned long long)n->lo);
    else if (!as_unsigned && n->hi == ones && n->lo >> 63)
      pv_str_addf(out, "%lld", (long long)n->lo);
    else
      pv_str_addf(out, "0x%llx%016llx", (unsigned long long)n->hi, (unsigned long long)n->lo);
  } else if (as_unsigned) {
    pv_str_addf(out, "%llu", (unsigned long long)n->lo);
  } else {
    pv_str_addf(out, "%lld", (long long)pv_sign_extend(n->lo, bits));
  }
}

/* ---- operators ------------------------------------------------------------------------------- */
struct printer {
  const struct pv_program *p;
  const struct pv_function *f;
  struct pv_str *out;
};

static void open_paren(struct printer *pr, int prec, int outer) {
  if (prec < outer) pv_str_addc(pr->out, '(');
}
static void close_paren(struct printer *pr, int prec, int outer) {
  if (prec < outer) pv_str_addc(pr->out, ')');
}

/* Prints an operand whose constants are unsigned numbers. */
static void operand(struct printer *pr, pv_expr e, int outer, bool as_unsigned) {
  const struct pv_expr_node *n = pv_node(pr->p, e);
  if (n->op == PV_X_CONST && as_unsigned)
    print_const(n, true, pr->out);
  else
    expr(pr->p, pr->f, e, outer, pr->out);
}

static void binary(struct printer *pr, const struct pv_expr_node *n, const char *op, int prec,
                   int inner, int outer, bool as_unsigned) {
  const struct pv_expr_node *a = pv_node(pr->p, n->a), *b = pv_node(pr->p, n->b);
  /* of the same kind the left operand needs none: a - b - c, a & b & c */
  int left = a->op == n->op ? prec : inner, right = inner > prec ? inner : prec + 1;
  if ((n->op == PV_X_AND || n->op == PV_X_OR || n->op == PV_X_XOR || n->op == PV_X_ADD) &&
      b->op == n->op)
    right = prec;
  bool u = as_unsigned || shown_unsigned(pr->p, pr->f, n->a) || shown_unsigned(pr->p, pr->f, n->b);
  open_paren(pr, prec, outer);
  operand(pr, n->a, left, u);
  pv_str_addf(pr->out, " %s ", op);
  operand(pr, n->b, right, u);
  close_paren(pr, prec, outer);
}

/* Prints x + -1 as x - 1. */
static bool subtraction(struct printer *pr, const struct pv_expr_node *n, int outer) {
  const struct pv_expr_node *b = pv_node(pr->p, n->b);
  unsigned bits = pv_type_bits(b->type);
  if (b->op != PV_X_CONST || bits > 64 || bits < 2 || pv_type_kind(b->type) != PV_T_INT)
    return false;
  int64_t v = pv_sign_extend(b->lo, bits);
  if (v >= 0 || v < -0x10000) return false;
  open_paren(pr, P_ADD, outer);
  expr(pr->p, pr->f, n->a, P_ADD, pr->out);
  pv_str_addf(pr->out, " - %lld", (long long)-v);
  close_paren(pr, P_ADD, outer);
  return true;
}

static void cast(struct printer *pr, const char *prefix, pv_type to, pv_expr a, int outer) {
  open_paren(pr, P_UNARY, outer);
  pv_str_addc(pr->out, '(');
  size_t mark = pr->out->n;
  pv_print_type(to, pr->out);
  if (*prefix && pr->out->at[mark] == 'i') pr->out->at[mark] = *prefix;
  pv_str_addc(pr->out, ')');
  expr(pr->p, pr->f, a, P_UNARY, pr->out);
  close_paren(pr, P_UNARY, outer);
}

static void call3(struct printer *pr, const char *name, pv_expr a, pv_expr b, pv_expr c) {
  pv_str_addf(pr->out, "%s(", name);
  expr(pr->p, pr->f, a, 0, pr->out);
  if (b) pv_str_add(pr->out, ", ");
  if (b) expr(pr->p, pr->f, b, 0, pr->out);
  if (c) pv_str_add(pr->out, ", ");
  if (c) expr(pr->p, pr->f, c, 0, pr->out);
  pv_str_addc(pr->out, ')');
}

/* Unordered comparisons are the negation of the ordered opposite: !(a >= b) also holds for NaN. */
static void fcmp(struct printer *pr, const struct pv_expr_node *n, int outer) {
  static const struct {
    const char *op;
    bool negated;
    int prec;
  } ops[] = {[PV_FCMP_OEQ] = {"==", false, P_EQ},  [PV_FCMP_OGT] = {">", false, P_REL},
             [PV_FCMP_OGE] = {">=", false, P_REL}, [PV_FCMP_OLT] = {"<", false, P_REL},
             [PV_FCMP_OLE] = {"<=", false, P_REL}, [PV_FCMP_UNE] = {"!=", false, P_EQ},
             [PV_FCMP_UGT] = {"<=", true, P_REL},  [PV_FCMP_UGE] = {"<", true, P_REL},
             [PV_FCMP_ULT] = {">=", true, P_REL},  [PV_FCMP_ULE] = {">", true, P_REL},
             [PV_FCMP_ONE] = {NULL, false, 0},     [PV_FCMP_UEQ] = {NULL, true, 0},
             [PV_FCMP_ORD] = {NULL, true, 0},      [PV_FCMP_UNO] = {NULL, false, 0}};
  unsigned k = n->aux <= PV_FCMP_UNO ? n->aux : PV_FCMP_UNO;
  if (ops[k].negated) pv_str_addc(pr->out, '!');
  if (ops[k].op)
    binary(pr, n, ops[k].op, ops[k].prec, ops[k].prec + 1, ops[k].negated ? P_POST : outer, false);
  else
    call3(pr, k == PV_FCMP_ONE || k == PV_FCMP_UEQ ? "islessgreater" : "isunordered", n->a, n->b,
          0);
}

static bool is_true(const struct pv_expr_node *n) {
  return n->op == PV_X_CONST && pv_type_kind(n->type) == PV_T_INT && pv_type_bits(n->type) <= 64 &&
         pv_sign_extend(n->lo, pv_type_bits(n->type)) == -1;
}

static void prefix(struct printer *pr, const char *op, pv_expr a, int outer) {
  open_paren(pr, P_UNARY, outer);
  pv_str_add(pr->out, op);
  expr(pr->p, pr->f, a, P_UNARY + (op[0] == '-'), pr->out); /* avoids `--x` */
  close_paren(pr, P_UNARY, outer);
}

static void bitcast(struct printer *pr, const struct pv_expr_node *n, int outer) {
  if (pv_type_kind(n->type) == PV_T_FLOAT)
    call3(pr, "float_bits", n->a, 0, 0);
  else if (pv_type_kind(pv_node(pr->p, n->a)->type) == PV_T_FLOAT)
    call3(pr, "bits", n->a, 0, 0);
  else
    cast(pr, "", n->type, n->a, outer);
}

const char *pv_math_text(unsigned math) {
  static const char *const names[] = {
#define X(N, A) #N,
      PV_MATH_FUNCTIONS(X)
#undef X
  };
  return math < PV_MATH_COUNT ? names[math] : "math";
}

const char *pv_intop_text(unsigned intop) {
  static const char *const names[PV_INTOP_COUNT] = {
      "popcount", "clz",  "ctz",  "bswap", "bitreverse", "abs",      "min",     "max",
      "umin",     "umax", "fshl", "fshr",  "add_sat",    "uadd_sat", "sub_sat", "usub_sat"};
  return intop < PV_INTOP_COUNT ? names[intop] : "intop";
}

static const char *overflow_text(unsigned k) {
  static const char *const names[] = {"add_overflows",  "uadd_overflows", "sub_overflows",
                                      "usub_overflows", "mul_overflows",  "umul_overflows"};
  return k <= PV_OVF_UMUL ? names[k] : "overflows";
}

static void expr_leaf(struct printer *pr, pv_expr e, const struct pv_expr_node *n, int outer) {
  const struct pv_program *p = pr->p;
  switch (n->op) {
  case PV_X_CONST: print_const(n, false, pr->out); return;
  case PV_X_VAR: pv_print_var(p, pr->f, (uint32_t)n->lo, pr->out); return;
  case PV_X_FUNC: pv_str_add(pr->out, p->functions.at[n->lo].name); return;
  case PV_X_UNDEF: pv_str_add(pr->out, "undef"); return;
  case PV_X_LABEL: {
    const struct pv_function *g = &p->functions.at[n->lo];
    if (n->hi < g->labels.n)
      pv_str_addf(pr->out, "&&%s.L%u", g->name, g->labels.at[n->hi]);
    else
      pv_str_addf(pr->out, "&&%s.label%llu", g->name, (unsigned long long)n->hi);
    return;
  }
  default: print_address(p, pr->f, e, outer, pr->out); return; /* GLOBAL, SLOT */
  }
}

static void expr(const struct pv_program *p, const struct pv_function *f, pv_expr e, int outer,
                 struct pv_str *out) {
  struct printer printer = {p, f, out}, *pr = &printer;
  const struct pv_expr_node *n = pv_node(p, e);
  switch ((enum pv_expr_op)n->op) {
  case PV_X_CONST:
  case PV_X_VAR:
  case PV_X_GLOBAL:
  case PV_X_FUNC:
  case PV_X_LABEL:
  case PV_X_SLOT:
  case PV_X_UNDEF: expr_leaf(pr, e, n, outer); return;
  case PV_X_PTRADD:
    if (print_address(p, f, e, outer, out) || subtraction(pr, n, outer)) return;
    binary(pr, n, "+", P_ADD, P_ADD, outer, false);
    return;
  case PV_X_ADD:
    if (!subtraction(pr, n, outer)) binary(pr, n, "+", P_ADD, P_ADD, outer, false);
    return;
  case PV_X_SUB: {
    const struct pv_expr_node *a = pv_node(p, n->a);
    if (a->op == PV_X_CONST && a->lo == 0 && a->hi == 0)
      prefix(pr, "-", n->b, outer);
    else
      binary(pr, n, "-", P_ADD, P_ADD, outer, false);
    return;
  }
  case PV_X_FADD: binary(pr, n, "+", P_ADD, P_ADD, outer, false); return;
  case PV_X_FSUB: binary(pr, n, "-", P_ADD, P_ADD, outer, false); return;
  case PV_X_MUL:
  case PV_X_FMUL: binary(pr, n, "*", P_MUL, P_MUL, outer, false); return;
  case PV_X_SDIV:
  case PV_X_FDIV: binary(pr, n, "/", P_MUL, P_MUL, outer, false); return;
  case PV_X_UDIV: binary(pr, n, "/u", P_MUL, P_MUL, outer, true); return;
  case PV_X_SREM: binary(pr, n, "%", P_MUL, P_MUL, outer, false); return;
  case PV_X_UREM: binary(pr, n, "%u", P_MUL, P_MUL, outer, true); return;
  case PV_X_SHL: binary(pr, n, "<<", P_SHIFT, P_UNARY, outer, false); return;
  case PV_X_ASHR: binary(pr, n, ">>", P_SHIFT, P_UNARY, outer, false); return;
  case PV_X_LSHR: binary(pr, n, ">>u", P_SHIFT, P_UNARY, outer, true); return;
  case PV_X_AND: binary(pr, n, "&", P_AND, P_UNARY, outer, false); return;
  case PV_X_OR: binary(pr, n, "|", P_OR, P_UNARY, outer, false); return;
  case PV_X_XOR:
    if (is_true(pv_node(p, n->b)))
      prefix(pr, pv_type_bits(n->type) == 1 ? "!" : "~", n->a, outer);
    else
      binary(pr, n, "^", P_XOR, P_UNARY, outer, false);
    return;
  case PV_X_EQ: binary(pr, n, "==", P_EQ, P_EQ + 1, outer, false); return;
  case PV_X_NE: binary(pr, n, "!=", P_EQ, P_EQ + 1, outer, false); return;
  case PV_X_ULT: binary(pr, n, "<u", P_REL, P_REL + 1, outer, true); return;
  case PV_X_ULE: binary(pr, n, "<=u", P_REL, P_REL + 1, outer, true); return;
  case PV_X_SLT: binary(pr, n, "<", P_REL, P_REL + 1, outer, false); return;
  case PV_X_SLE: binary(pr, n, "<=", P_REL, P_REL + 1, outer, false); return;
  case PV_X_FCMP: fcmp(pr, n, outer); return;
  case PV_X_ZEXT:
    if (pv_type_bits(pv_node(p, n->a)->type) == 1)
      expr(p, f, n->a, outer, out); /* a comparison has type int in C anyway */
    else
      cast(pr, "u", n->type, n->a, outer);
    return;
  case PV_X_SEXT:
  case PV_X_TRUNC:
  case PV_X_FPCONV:
  case PV_X_FPTOSI:
  case PV_X_SITOFP: cast(pr, "", n->type, n->a, outer); return;
  case PV_X_FPTOUI: cast(pr, "u", n->type, n->a, outer); return;
  case PV_X_UITOFP:
    open_paren(pr, P_UNARY, outer);
    pv_str_addc(out, '(');
    pv_print_type(n->type, out);
    pv_str_addf(out, ")(u%u)", pv_type_bits(pv_node(p, n->a)->type));
    expr(p, f, n->a, P_UNARY, out);
    close_paren(pr, P_UNARY, outer);
    return;
  case PV_X_BITCAST: bitcast(pr, n, outer); return;
  case PV_X_FREM: call3(pr, "fmod", n->a, n->b, 0); return;
  case PV_X_FNEG: prefix(pr, "-", n->a, outer); return;
  case PV_X_SELECT:
    open_paren(pr, P_COND, outer);
    expr(p, f, n->a, P_COND + 1, out);
    pv_str_add(out, " ? ");
    expr(p, f, n->b, P_COND + 1, out);
    pv_str_add(out, " : ");
    expr(p, f, n->c, P_COND, out);
    close_paren(pr, P_COND, outer);
    return;
  case PV_X_MATH: call3(pr, pv_math_text(n->aux), n->a, n->b, 0); return;
  case PV_X_INTOP: call3(pr, pv_intop_text(n->aux), n->a, n->b, n->c); return;
  case PV_X_OVERFLOWS: call3(pr, overflow_text(n->aux), n->a, n->b, 0); return;
  case PV_X_COUNT: break;
  }
  pv_str_add(out, "?");
}

void pv_expr_print(const struct pv_program *p, const struct pv_function *f, pv_expr e,
                   struct pv_str *out) {
  if (e == 0 || e >= p->exprs.n)
    pv_str_add(out, "?");
  else
    expr(p, f, e, 0, out);
}
