#include "report/given.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the inputs say ----------------------------------------------------------------------
 */
enum { MOST_FILES = 16 }; /* as in models/file.c */
struct reader {
  const struct pv_program *p;
  uint32_t file;              /* 1 + the number of the file that inputs belong to; 0: none yet */
  uint32_t entry[MOST_FILES]; /* 1 + the index in the list of files; 0: none yet */
  const struct pv_error_path *path;
  struct pv_given *out;
};

static bool is(const struct pv_source *s, const char *name) {
  return s->name && !strcmp(s->name, name);
}

/* ---- names ------------------------------------------------------------------------------------
 */
static bool is_at(const struct pv_program *p, const struct pv_edge *e, const struct pv_source *s) {
  return s->file && pv_span_of(p, e->span)->line == s->line &&
         !strcmp(pv_span_file(p, e->span), s->file);
}

/* The constant string that is an argument of a call, or NULL. */
static const char *constant_text(const struct pv_program *p, pv_expr e) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op != PV_X_GLOBAL) return NULL;
  const struct pv_global *g = &p->globals.at[n->lo];
  bool is_text = g->is_const && g->init && g->size && !g->relocs.n;
  return is_text && memchr(g->init, 0, g->size) ? (const char *)g->init : NULL;
}

/* The first argument of the only call of a model at the place. NULL: it is not constant, or there
 * are several such calls. The caller frees it. */
static char *name_at(const struct pv_program *p, const struct pv_source *s) {
  const char *name = NULL;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *g = &p->functions.at[f];
    for (uint32_t i = 0; i < g->edges.n && !g->is_model; i++) {
      const struct pv_edge *e = &g->edges.at[i];
      bool asks = e->op == PV_OP_CALL && e->callee != PV_NO_FUNC && e->args.n &&
                  p->functions.at[e->callee].is_model && is_at(p, e, s);
      const char *text = asks ? constant_text(p, pv_arg(p, e->args, 0)) : NULL;
      if (asks && (!text || (name && strcmp(name, text) != 0))) return NULL;
      if (text) name = text;
    }
  }
  return name ? pv_strdup(name) : NULL;
}

static struct pv_given_text *add_named(const struct reader *r, pv_given_texts *list,
                                       const struct pv_source *s) {
  struct pv_given_text t = {.name = name_at(r->p, s),
                            .place = pv_format("%s:%" PRIu32, s->file, s->line)};
  pv_vec_push(list, t);
  return &list->at[list->n - 1];
}

/* ---- inputs -----------------------------------------------------------------------------------
 */
/* The text with that number. NULL: the text is given byte by byte, or is none of them. */
static const struct pv_text *tried(const struct reader *r, enum pv_text_kind kind,
                                   uint64_t number) {
  return number < r->p->texts[kind].n ? &r->p->texts[kind].at[number] : NULL;
}

static struct pv_given_text *add(pv_given_texts *list) {
  pv_vec_push(list, (struct pv_given_text){0});
  return &list->at[list->n - 1];
}

static void read_arguments(struct reader *r, uint64_t number) {
  const struct pv_text *t = tried(r, PV_TEXT_ARGUMENTS, number);
  r->out->has_arguments = true;
  for (uint32_t i = 0; t && i < t->n; i += (uint32_t)strlen((char *)t->bytes + i) + 1)
    pv_str_add(&add(&r->out->arguments)->bytes, (char *)t->bytes + i);
}

static void read_text(struct reader *r, struct pv_str *to, enum pv_text_kind kind,
                      uint64_t number) {
  const struct pv_text *t = tried(r, kind, number);
  if (t) pv_str_addn(to, (char *)t->bytes, t->n);
}

/* The file that inputs belong to; NULL: not known. */
static struct pv_given_text *file_of(struct reader *r) {
  uint32_t entry = r->file ? r->entry[r->file - 1] : 0;
  return entry ? &r->out->files.at[entry - 1] : NULL;
}

/* Returns false if the input does not belong to a file. */
static bool read_file(struct reader *r, const struct pv_source *s, uint64_t value) {
  struct pv_given_text *f = file_of(r);
  if (is(s, "number of a file")) {
    r->file = value < MOST_FILES ? (uint32_t)value + 1 : 0;
  } else if (is(s, "file exists") && r->file) {
    add_named(r, &r->out->files, s)->missing = !value;
    r->entry[r->file - 1] = r->out->files.n;
  } else if (is(s, "file may be written") || is(s, "file may be made or removed")) {
    if (f) f->refuses |= !value;
  } else if (is(s, "a file") && f) {
    read_text(r, &f->bytes, PV_TEXT_FILE, value);
  } else if (is(s, "byte of a file") && f) {
    if (value <= 255) pv_str_addc(&f->bytes, (char)value);
  } else {
    return false;
  }
  return true;
}

static void read_input(struct reader *r, const struct pv_source *s, uint64_t value) {
  struct pv_given *g = r->out;
  if (read_file(r, s, value)) return;
  if (is(s, "the arguments")) {
    read_arguments(r, value);
  } else if (is(s, "argc")) {
    g->has_arguments = true;
    for (uint64_t i = 1; i < value; i++) pv_str_add(&add(&r->out->arguments)->bytes, "a");
  } else if (is(s, "variable is set")) {
    add_named(r, &r->out->variables, s)->missing = !value;
  } else if (is(s, "the value of a variable") && g->variables.n) {
    read_text(r, &g->variables.at[g->variables.n - 1].bytes, PV_TEXT_VARIABLE, value);
  } else if (is(s, "length of an argument")) {
    add(&g->arguments);
  } else if (is(s, "byte of an argument") && g->arguments.n) {
    pv_str_addc(&g->arguments.at[g->arguments.n - 1].bytes, (char)value);
  } else if (is(s, "byte of a value") && g->variables.n) {
    pv_str_addc(&g->variables.at[g->variables.n - 1].bytes, (char)value);
  } else if (is(s, "standard input")) {
    g->has_stdin = true;
    read_text(r, &g->standard_input, PV_TEXT_STDIN, value);
  } else if (is(s, "byte of standard input")) {
    g->has_stdin = true;
    if (value <= 255) pv_str_addc(&g->standard_input, (char)value);
  } else if (is(s, "number from standard input")) {
    pv_str_addf(&g->standard_input, "%" PRId32, (int32_t)value);
  }
}

void pv_given_find(const struct pv_program *p, const struct pv_error_path *path,
                   struct pv_given *out) {
  struct reader r = {.p = p, .path = path, .out = out};
  *out = (struct pv_given){0};
  for (uint32_t i = 0; i < path->inputs.n; i++) {
    const struct pv_input *in = &path->inputs.at[i];
    if (in->source && in->source <= path->sources.n)
      read_input(&r, &path->sources.at[in->source - 1], in->value[0]);
  }
}

void pv_given_clear(struct pv_given *g) {
#define CLEAR(LIST)                                                                                \
  for (uint32_t i = 0; i < g->LIST.n; i++) {                                                       \
    pv_str_free(&g->LIST.at[i].bytes);                                                             \
    free(g->LIST.at[i].name);                                                                      \
    free(g->LIST.at[i].place);                                                                     \
  }                                                                                                \
  pv_vec_free(&g->LIST)
  CLEAR(arguments);
  CLEAR(variables);
  CLEAR(files);
#undef CLEAR
  pv_str_free(&g->standard_input);
}

/* ---- as a shell reads it ----------------------------------------------------------------------
 */
enum { LONGEST = 100 };

static bool is_plain(const struct pv_str *s) {
  for (size_t i = 0; i < s->n; i++)
    if ((unsigned char)s->at[i] < ' ' || (unsigned char)s->at[i] > '~') return false;
  return true;
}

/* Escapes for printf(1), or for bash's $'...': octal numbers have three digits. */
static void add_escaped(const struct pv_str *s, size_t n, bool percent, struct pv_str *out) {
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s->at[i];
    if (c == '\n')
      pv_str_add(out, "\\n");
    else if (c < ' ' || c > '~' || c == '\'')
      pv_str_addf(out, "\\%03o", c);
    else if (c == '\\')
      pv_str_add(out, "\\\\");
    else if (c == '%' && percent)
      pv_str_add(out, "%%");
    else
      pv_str_addc(out, (char)c);
  }
}

static size_t shown(const struct pv_str *s, bool whole) {
  return whole || s->n <= LONGEST ? s->n : LONGEST - 20;
}

static void add_rest(const struct pv_str *s, size_t n, struct pv_str *out) {
  if (n < s->n) pv_str_addf(out, "[... %zu bytes in all]", s->n);
}

static void add_quoted(const struct pv_str *s, bool whole, struct pv_str *out) {
  size_t n = shown(s, whole);
  bool plain = is_plain(s) && (!s->n || !memchr(s->at, '\'', s->n));
  pv_str_add(out, plain ? "'" : "$'");
  if (plain && n)
    pv_str_addn(out, s->at, n);
  else
    add_escaped(s, n, false, out);
  pv_str_addc(out, '\'');
  add_rest(s, n, out);
}

static bool is_word(const char *s) {
  return *s && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

/* "env -u HOME USER='x' ", preceded by variables without a known name: "(variable asked for at
 * x.c:5: 'x') " */
static void add_variables(const struct pv_given *g, bool whole, struct pv_str *assignments,
                          struct pv_str *out) {
  for (int unset = 1; unset >= 0; unset--)
    for (uint32_t i = 0; i < g->variables.n; i++) {
      const struct pv_given_text *v = &g->variables.at[i];
      if (v->missing != (unset != 0)) continue;
      if (!v->name || !is_word(v->name)) {
        pv_str_addf(out, "(variable asked for at %s: ", v->place);
        if (!unset) add_quoted(&v->bytes, whole, out);
        pv_str_add(out, unset ? "unset) " : ") ");
      } else if (unset) {
        pv_str_addf(assignments, "%s-u %s ", assignments->n ? "" : "env ", v->name);
      } else {
        pv_str_addf(assignments, "%s=", v->name);
        add_quoted(&v->bytes, whole, assignments);
        pv_str_addc(assignments, ' ');
      }
    }
}

/* "(file app.cfg: 'x') " */
static void add_files(const struct pv_given *g, bool whole, struct pv_str *out) {
  for (uint32_t i = 0; i < g->files.n; i++) {
    const struct pv_given_text *f = &g->files.at[i];
    pv_str_addf(out, "(file %s%s", f->name ? "" : "looked for at ", f->name ? f->name : f->place);
    if (f->refuses) {
      pv_str_add(out, f->missing ? " cannot be made" : " cannot be written");
    } else if (f->missing) {
      pv_str_add(out, " missing");
    } else {
      pv_str_add(out, ": ");
      add_quoted(&f->bytes, whole, out);
    }
    pv_str_add(out, ") ");
  }
}

bool pv_given_command(const struct pv_given *g, const char *name, bool whole, struct pv_str *out) {
  if (!g->has_arguments && !g->has_stdin && !g->variables.n && !g->files.n) return false;
  struct pv_str assignments = {0};
  add_variables(g, whole, &assignments, out);
  add_files(g, whole, out);
  if (g->has_stdin) {
    size_t n = shown(&g->standard_input, whole);
    pv_str_add(out, "printf '");
    add_escaped(&g->standard_input, n, true, out);
    pv_str_addc(out, '\'');
    add_rest(&g->standard_input, n, out);
    pv_str_add(out, " | ");
  }
  pv_str_add(out, pv_str_cstr(&assignments));
  pv_str_free(&assignments);
  pv_str_add(out, name);
  for (uint32_t i = 0; i < g->arguments.n; i++) {
    pv_str_addc(out, ' ');
    add_quoted(&g->arguments.at[i].bytes, whole, out);
  }
  return true;
}

bool pv_given_tells(const struct pv_source *source) {
  static const char *const names[] = {"the arguments",          "argc",
                                      "length of an argument",  "byte of an argument",
                                      "variable is set",        "the value of a variable",
                                      "byte of a value",        "standard input",
                                      "byte of standard input", "number from standard input"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is(source, names[i])) return true;
  return false;
}
