#include "condition/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"

#define MAGIC        "proviso condition 3"
#define MAGIC_BEFORE "proviso condition 2" /* without `outlines`; read, too */
#define MAGIC_OLD    "proviso condition 1" /* without lines `about`; read, too */

const char *pv_condition_differing_option(const struct pv_options *a, const struct pv_options *b) {
  if (a->malloc_may_fail != b->malloc_may_fail) return "malloc-may-fail";
  if (a->calls_may_fail != b->calls_may_fail) return "calls-may-fail";
  if (a->undefined_functions != b->undefined_functions) return "undefined-functions";
  if (a->writers_first != b->writers_first) return "writers-first";
  if (a->indeterminate != b->indeterminate) return "indeterminate";
  if (a->atomic != b->atomic) return "atomic";
  if (a->scheduler != b->scheduler) return "scheduler";
  if (a->order != b->order) return "order";
  return NULL;
}

/* ---- words ----------------------------------------------------------------------------------- */
/* Appends a quoted word. Everything except printable ASCII, and also quotes and backslashes, is
 * written as \xHH. */
static void put_quoted(const char *text, struct pv_str *out) {
  pv_str_add(out, " \"");
  for (; text && *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ' || c > '~' || c == '"' || c == '\\')
      pv_str_addf(out, "\\x%02x", c);
    else
      pv_str_addc(out, (char)c);
  }
  pv_str_addc(out, '"');
}

/* ---- writing --------------------------------------------------------------------------------- */
/* Is it an option that changes neither the meaning of the program nor the examination? */
static bool is_left_out(const char *name) {
  static const char *const names[] = {
      "json",      "harness",  "proviso", "given",  "limit", "quiet", "verbose", "property", "spec",
      "condition", "coverage", "work",    "report", "sarif", "junit", "load",    "witness"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void put_option(const char *name, const char *value, struct pv_str *out) {
  pv_str_addf(out, "option %s", name);
  put_quoted(value, out);
  pv_str_addc(out, '\n');
}

static void put_options(const struct pv_options *o, struct pv_str *out) {
  char number[24];
  for (size_t i = 0; i < pv_option_count; i++) {
    const struct pv_option_info *info = &pv_option_table[i];
    const char *at = (const char *)o + info->offset;
    if (is_left_out(info->name) || !(info->commands & PV_FOR_CHECK)) continue;
    switch (info->kind) {
    case PV_OPTION_CHOICE: {
      const char *value = pv_options_choice_name(info->name, *(const int *)at);
      if (strcmp(value, info->dflt) != 0) put_option(info->name, value, out);
      break;
    }
    case PV_OPTION_NUMBER:
      snprintf(number, sizeof number, "%ld", *(const long *)at);
      if (*(const long *)at != info->number) put_option(info->name, number, out);
      break;
    case PV_OPTION_SWITCH:
      if (*(const bool *)at) put_option(info->name, "1", out);
      break;
    case PV_OPTION_TEXT: {
      const struct pv_texts *t = (const struct pv_texts *)at;
      for (uint32_t k = 0; k < t->n; k++) put_option(info->name, t->at[k], out);
      break;
    }
    }
  }
}

static void put_files(const struct pv_options *o, struct pv_str *out) {
  for (uint32_t i = 0; i < o->files.n; i++) {
    pv_str_add(out, "file");
    put_quoted(o->files.at[i], out);
    put_quoted(pv_options_file_flags(o, i), out);
    pv_str_addc(out, '\n');
  }
  for (uint32_t i = 0; i < o->clang_args.n; i++) {
    pv_str_add(out, "clang");
    put_quoted(o->clang_args.at[i], out);
    pv_str_addc(out, '\n');
  }
}

static void put_binary(const char *what, const void *bytes, size_t n, struct pv_str *out) {
  pv_str_addf(out, "%s %zu\n", what, n);
  if (n) pv_str_addn(out, bytes, n);
  pv_str_addc(out, '\n');
}

/* Writes each prefix: twice the number of levels that the tree goes back, plus 1 if it is open; the
 * choice; the sleep set. */
static void put_prefixes(const struct pv_open_part *p, struct pv_str *out) {
  struct pv_str bytes = {0};
  uint32_t depth = 0, sleeping = 0;
  for (uint32_t i = 0; i < p->prefixes.n; i++) {
    const struct pv_prefix *x = &p->prefixes.at[i];
    pv_put_number(&bytes, (uint64_t)(depth + 1 - x->depth) << 1 | x->is_open);
    pv_put_number(&bytes, x->choice.thread);
    pv_put_number(&bytes, x->choice.alternative);
    if (x->is_open) pv_put_number(&bytes, x->sleeping);
    for (uint32_t k = 0; k < x->sleeping; k++) {
      const struct pv_choice *c = &p->sleeping.at[sleeping++];
      pv_put_number(&bytes, c->thread);
      pv_put_number(&bytes, ((uint64_t)c->alternative + 1) & UINT32_MAX);
    }
    depth = x->depth;
  }
  put_binary("prefixes", bytes.at, bytes.n, out);
  pv_str_free(&bytes);
}

/* Which of them are deferred: for each how many prefixes lie between it and the last one. */
static void put_deferred(const struct pv_open_part *p, struct pv_str *out) {
  struct pv_str bytes = {0};
  uint32_t next = 0;
  for (uint32_t i = 0; i < p->prefixes.n; i++) {
    if (!p->prefixes.at[i].is_deferred) continue;
    pv_put_number(&bytes, i - next);
    next = i + 1;
  }
  if (bytes.n) put_binary("deferred", bytes.at, bytes.n, out);
  pv_str_free(&bytes);
}

static void put_part(const struct pv_open_part *p, struct pv_str *out) {
  pv_str_addf(out, "part %s", pv_open_kind_names[p->kind]);
  switch (p->kind) {
  case PV_OPEN_BOUND:
    pv_str_addf(out, " %s %" PRIu64 " %" PRIu32 " %" PRIu32 "\n", pv_bound_kind_names[p->bound],
                p->number, p->function, p->place);
    break;
  case PV_OPEN_INPUTS:
    pv_str_addf(out, " %" PRIu32 " %" PRIu32, p->function, p->place);
    for (uint32_t i = 0; i < p->tried.n; i++)
      pv_str_addf(out, " %" PRIu64 " %" PRIu64, p->tried.at[i].low, p->tried.at[i].high);
    pv_str_addc(out, '\n');
    break;
  case PV_OPEN_FRONTIER:
    pv_str_addf(out, " %s\n", p->circular ? "circular" : "acyclic");
    put_prefixes(p, out);
    put_deferred(p, out);
    break;
  case PV_OPEN_AUTOMATON:
    pv_str_addf(out, " %" PRIu32 " %s\n", p->states, p->otherwise ? "open" : "verified");
    for (uint32_t i = 0; i < p->moves.n; i++) {
      const struct pv_automaton_move *m = &p->moves.at[i];
      pv_str_addf(out, "move %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
                  m->from, m->to, m->thread, m->function, m->edge);
    }
    break;
  case PV_OPEN_COUNT: break;
  }
}

void pv_condition_print(const struct pv_condition_file *file, struct pv_str *out) {
  size_t begin = out->n;
  const struct pv_condition *c = &file->condition;
  pv_str_add(out, MAGIC "\n");
  pv_str_addf(out, "program %016" PRIx64 "\n", file->program);
  put_files(&file->options, out);
  put_options(&file->options, out);
  pv_str_add(out, "properties \"");
  pv_properties_print(file->checked, out);
  pv_str_add(out, "\"\nengine");
  put_quoted(file->engine, out);
  pv_str_addc(out, '\n');
  for (uint32_t i = 0; i < file->functions.n; i++)
    pv_str_addf(out, "function %016" PRIx64 "\n", file->functions.function[i]);
  if (file->functions.outlines.n)
    put_binary("outlines", file->functions.outlines.at, file->functions.outlines.n, out);
  for (uint32_t i = 0; i < c->parts.n; i++) put_part(&c->parts.at[i], out);
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    pv_str_addf(out, "proviso %s %" PRIu32 " %" PRIu64, pv_proviso_kind_names[p->kind], p->part,
                p->times);
    put_quoted(p->sentence, out);
    if (p->file) {
      put_quoted(p->file, out);
      pv_str_addf(out, " %" PRIu32, p->line);
    }
    pv_str_addc(out, '\n');
    if (!p->about) continue;
    pv_str_add(out, "about \"");
    pv_properties_print(p->about, out);
    pv_str_add(out, "\"\n");
  }
  for (uint32_t i = 0; i < file->errors.n; i++) {
    const struct pv_known_error *e = &file->errors.at[i];
    pv_str_addf(out, "error %s", pv_property_table[e->property].name);
    put_quoted(e->sentence, out);
    pv_str_addc(out, '\n');
  }
  for (uint32_t i = 0; i < c->states.n; i++) {
    const struct pv_engine_state *s = &c->states.at[i];
    pv_str_addf(out, "state %s ", s->engine);
    put_binary("bytes", s->bytes.at, s->bytes.n, out);
  }
  pv_str_addf(out, "end %016" PRIx64 "\n", pv_hash(out->at + begin, out->n - begin));
}

/* ---- reading --------------------------------------------------------------------------------- */
struct parser {
  const char *at, *end;
  uint32_t line;
  bool is_old; /* of version 1 */
  struct pv_condition_file *out;
  struct pv_str word; /* the last one read */
  struct pv_str *err;
};

static enum pv_status wrong(struct parser *p, const char *what) {
  if (p->err && !p->err->n) pv_str_addf(p->err, "line %" PRIu32 ": %s", p->line, what);
  return PV_E_INPUT;
}

static int hex_digit(char c) {
  const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* Reads one character of a quoted word; -1: there is none. */
static int quoted_char(struct parser *p) {
  if (p->at == p->end || *p->at == '"' || *p->at == '\n') return -1;
  if (*p->at != '\\') return (unsigned char)*p->at++;
  if (p->end - p->at < 4 || p->at[1] != 'x') return -1;
  int high = hex_digit(p->at[2]), low = hex_digit(p->at[3]);
  p->at += 4;
  return high < 0 || low < 0 || !(high | low) ? -1 : high << 4 | low;
}

/* Reads the next word of the line into p->word. Returns false if there is none. */
static bool next_word(struct parser *p) {
  pv_str_clear(&p->word);
  while (p->at < p->end && *p->at == ' ') p->at++;
  if (p->at == p->end || *p->at == '\n') return false;
  if (*p->at != '"') {
    while (p->at < p->end && *p->at != ' ' && *p->at != '\n') pv_str_addc(&p->word, *p->at++);
    return !memchr(p->word.at, '\0', p->word.n);
  }
  p->at++;
  for (int c; (c = quoted_char(p)) >= 0;) pv_str_addc(&p->word, (char)c);
  if (p->at == p->end || *p->at != '"' || (p->word.n && memchr(p->word.at, '\0', p->word.n)))
    return false;
  p->at++;
  return true;
}

static bool next_number(struct parser *p, uint64_t most, uint64_t *out) {
  if (!next_word(p) || p->word.n > 20) return false;
  char *end;
  errno = 0;
  *out = strtoull(pv_str_cstr(&p->word), &end, 10);
  bool digits = p->word.at[0] >= '0' && p->word.at[0] <= '9';
  return digits && !*end && !errno && *out <= most;
}

static bool next_u32(struct parser *p, uint32_t *out) {
  uint64_t x = 0;
  bool right = next_number(p, UINT32_MAX, &x);
  *out = (uint32_t)x;
  return right;
}

static bool next_hash(struct parser *p, uint64_t *out) {
  if (!next_word(p) || p->word.n != 16) return false;
  *out = 0;
  for (size_t i = 0; i < 16; i++) {
    int digit = hex_digit(p->word.at[i]);
    if (digit < 0) return false;
    *out = *out << 4 | (unsigned)digit;
  }
  return true;
}

static bool next_name(struct parser *p, const char *const *names, unsigned n, unsigned *out) {
  if (!next_word(p)) return false;
  for (*out = 0; *out < n; ++*out)
    if (!strcmp(names[*out], pv_str_cstr(&p->word))) return true;
  return false;
}

/* Reads the number of bytes at the end of the line, and the bytes after it. */
static bool next_binary(struct parser *p, struct pv_bytes *out) {
  uint64_t n;
  if (!next_number(p, (uint64_t)(p->end - p->at), &n) || p->at == p->end || *p->at != '\n')
    return false;
  p->at++;
  if ((uint64_t)(p->end - p->at) <= n || p->at[n] != '\n') return false;
  *out = (struct pv_bytes){.at = (const uint8_t *)p->at, .n = (size_t)n};
  p->at += n;
  return true;
}

static enum pv_status read_prefixes(struct parser *p) {
  struct pv_bytes b;
  struct pv_condition *c = &p->out->condition;
  struct pv_open_part *part = c->parts.n ? &pv_vec_last(&c->parts) : NULL;
  if (!part || part->kind != PV_OPEN_FRONTIER || part->prefixes.n || !next_binary(p, &b))
    return wrong(p, "prefixes belong to a frontier");
  uint64_t depth = 0;
  while (b.n && !b.wrong) {
    uint64_t back = pv_take_number(&b);
    struct pv_prefix x = {.is_open = back & 1};
    back >>= 1;
    bool root = !part->prefixes.n;
    if (root ? back != 1 : back > depth) break;
    depth = root ? 0 : depth + 1 - back;
    x.depth = (uint32_t)depth;
    x.choice.thread = (uint32_t)pv_take_up_to(&b, UINT32_MAX);
    x.choice.alternative = (uint32_t)pv_take_up_to(&b, UINT32_MAX);
    if (x.is_open) x.sleeping = pv_take_count(&b);
    for (uint32_t i = 0; i < x.sleeping && !b.wrong; i++) {
      struct pv_choice s = {.thread = (uint32_t)pv_take_up_to(&b, UINT32_MAX)};
      s.alternative = (uint32_t)pv_take_up_to(&b, UINT32_MAX) - 1;
      pv_vec_push(&part->sleeping, s);
    }
    pv_vec_push(&part->prefixes, x);
  }
  return b.n || b.wrong ? wrong(p, "the prefixes are damaged") : PV_OK;
}

static enum pv_status read_deferred(struct parser *p) {
  struct pv_bytes b;
  struct pv_condition *c = &p->out->condition;
  struct pv_open_part *part = c->parts.n ? &pv_vec_last(&c->parts) : NULL;
  if (!part || part->kind != PV_OPEN_FRONTIER || !next_binary(p, &b))
    return wrong(p, "deferred prefixes belong to a frontier");
  uint64_t i = 0;
  for (; b.n && !b.wrong; i++) {
    i += pv_take_up_to(&b, UINT32_MAX);
    b.wrong |= i >= part->prefixes.n || !part->prefixes.at[i].is_open;
    if (!b.wrong) part->prefixes.at[i].is_deferred = 1;
  }
  return b.n || b.wrong ? wrong(p, "the deferred prefixes are damaged") : PV_OK;
}

static enum pv_status read_part(struct parser *p) {
  static const char *const sinks[] = {
      [PV_AUTOMATON_VERIFIED] = "verified", [PV_AUTOMATON_OPEN] = "open"};
  static const char *const orders[] = {"acyclic", "circular"};
  unsigned kind, bound;
  struct pv_open_part part = {0};
  if (!next_name(p, pv_open_kind_names, PV_OPEN_COUNT, &kind)) return wrong(p, "no form of part");
  part.kind = (enum pv_open_kind)kind;
  bool right = true;
  struct pv_value_range range;
  switch (part.kind) {
  case PV_OPEN_BOUND:
    right = next_name(p, pv_bound_kind_names, PV_BOUND_COUNT, &bound) &&
            next_number(p, UINT64_MAX, &part.number) && next_u32(p, &part.function) &&
            next_u32(p, &part.place);
    if (right) part.bound = (enum pv_bound_kind)bound;
    break;
  case PV_OPEN_INPUTS:
    right = next_u32(p, &part.function) && next_u32(p, &part.place);
    while (right && p->at < p->end && *p->at == ' ') {
      right = next_number(p, UINT64_MAX, &range.low) && next_number(p, UINT64_MAX, &range.high);
      pv_vec_push(&part.tried, range);
    }
    break;
  case PV_OPEN_AUTOMATON:
    right = next_u32(p, &part.states) && next_name(p, sinks, 2, &bound);
    if (right) part.otherwise = bound;
    break;
  case PV_OPEN_FRONTIER:
    right = next_name(p, orders, 2, &bound);
    if (right) part.circular = bound;
    break;
  case PV_OPEN_COUNT: break;
  }
  pv_vec_push(&p->out->condition.parts, part);
  return right ? PV_OK : wrong(p, "the part is damaged");
}

static enum pv_status read_move(struct parser *p) {
  struct pv_condition *c = &p->out->condition;
  struct pv_automaton_move m;
  if (!c->parts.n || pv_vec_last(&c->parts).kind != PV_OPEN_AUTOMATON || !next_u32(p, &m.from) ||
      !next_u32(p, &m.to) || !next_u32(p, &m.thread) || !next_u32(p, &m.function) ||
      !next_u32(p, &m.edge))
    return wrong(p, "no transition of an automaton");
  pv_vec_push(&pv_vec_last(&c->parts).moves, m);
  return PV_OK;
}

static enum pv_status read_proviso(struct parser *p) {
  struct pv_proviso x = {0};
  unsigned kind;
  if (!next_name(p, pv_proviso_kind_names, PV_PROVISO_COUNT, &kind) || !next_u32(p, &x.part) ||
      !next_number(p, UINT64_MAX, &x.times) || !next_word(p))
    return wrong(p, "the proviso is damaged");
  x.kind = (enum pv_proviso_kind)kind;
  x.sentence = pv_strdup(pv_str_cstr(&p->word));
  bool right = true;
  if (p->at < p->end && *p->at == ' ') {
    right = next_word(p);
    x.file = pv_strdup(pv_str_cstr(&p->word));
    right = right && next_u32(p, &x.line);
  }
  pv_vec_push(&p->out->condition.provisos, x);
  return right ? PV_OK : wrong(p, "the proviso is damaged");
}

/* The properties that the latest proviso is about. */
static enum pv_status read_about(struct parser *p) {
  struct pv_condition *c = &p->out->condition;
  struct pv_str why = {0};
  pv_properties about = 0;
  if (!c->provisos.n || pv_vec_last(&c->provisos).about || !next_word(p))
    return wrong(p, "properties without their proviso");
  enum pv_status status = pv_properties_parse(pv_str_cstr(&p->word), &about, &why);
  if (status != PV_OK) wrong(p, pv_str_cstr(&why));
  pv_str_free(&why);
  if (status == PV_OK && !(about & p->out->checked))
    return wrong(p, "a proviso about none of the properties");
  pv_vec_last(&c->provisos).about = about & p->out->checked;
  return status;
}

static enum pv_status read_error(struct parser *p) {
  struct pv_known_error e = {PV_PROP_COUNT, NULL};
  if (!next_word(p)) return wrong(p, "an error without its property");
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (!strcmp(pv_property_table[i].name, pv_str_cstr(&p->word))) e.property = i;
  if (e.property == PV_PROP_COUNT || !next_word(p)) return wrong(p, "the error is damaged");
  e.sentence = pv_strdup(pv_str_cstr(&p->word));
  pv_vec_push(&p->out->errors, e);
  return PV_OK;
}

static enum pv_status read_state(struct parser *p) {
  struct pv_bytes b;
  struct pv_str bytes = {0};
  if (!next_word(p)) return wrong(p, "the state of the engine is damaged");
  char *engine = pv_strdup(pv_str_cstr(&p->word));
  bool right = next_word(p) && !strcmp(pv_str_cstr(&p->word), "bytes") && next_binary(p, &b) &&
               b.n < UINT32_MAX;
  if (right) {
    pv_str_addn(&bytes, (const char *)b.at, b.n);
    pv_condition_add_state(&p->out->condition, engine, &bytes);
  }
  free(engine);
  return right ? PV_OK : wrong(p, "the state of the engine is damaged");
}

static enum pv_status read_option(struct parser *p) {
  struct pv_str why = {0};
  if (!next_word(p)) return wrong(p, "an option without a name");
  char *name = pv_strdup(pv_str_cstr(&p->word));
  enum pv_status status = PV_E_INPUT;
  if (next_word(p) && !is_left_out(name))
    status = pv_options_set(&p->out->options, name, pv_str_cstr(&p->word), &why);
  if (status != PV_OK) wrong(p, why.n ? why.at : "the option is damaged");
  pv_str_free(&why);
  free(name);
  return status;
}

static enum pv_status read_file_name(struct parser *p) {
  struct pv_options *o = &p->out->options;
  if (!next_word(p)) return wrong(p, "a file without a name");
  pv_vec_push(&o->files, pv_strdup(pv_str_cstr(&p->word)));
  if (!next_word(p)) return wrong(p, "a file without its flags");
  pv_vec_push(&o->file_flags, pv_strdup(pv_str_cstr(&p->word)));
  return PV_OK;
}

static enum pv_status read_properties(struct parser *p) {
  struct pv_str why = {0};
  if (!next_word(p)) return wrong(p, "no properties are named");
  enum pv_status status = pv_properties_parse(pv_str_cstr(&p->word), &p->out->checked, &why);
  p->out->options.properties = p->out->checked;
  if (status != PV_OK) wrong(p, pv_str_cstr(&why));
  pv_str_free(&why);
  return status;
}

static enum pv_status read_function(struct parser *p) {
  struct pv_fingerprints *f = &p->out->functions;
  uint64_t hash;
  if (!next_hash(p, &hash)) return wrong(p, "no hash of a function");
  if (!(f->n & (f->n - 1)))
    f->function = pv_realloc(f->function, (f->n ? 2 * f->n : 1) * sizeof *f->function);
  f->function[f->n++] = hash;
  return PV_OK;
}

static enum pv_status read_outlines(struct parser *p) {
  struct pv_bytes b;
  struct pv_str *outlines = &p->out->functions.outlines;
  if (outlines->n || !next_binary(p, &b)) return wrong(p, "the outlines are damaged");
  pv_str_addn(outlines, (const char *)b.at, b.n);
  return PV_OK;
}

static enum pv_status read_line(struct parser *p) {
  if (!next_word(p)) return wrong(p, "the line is empty");
  const char *key = pv_str_cstr(&p->word);
  if (!strcmp(key, "program"))
    return next_hash(p, &p->out->program) ? PV_OK : wrong(p, "no hash of a program");
  if (!strcmp(key, "function")) return read_function(p);
  if (!strcmp(key, "outlines")) return read_outlines(p);
  if (!strcmp(key, "file")) return read_file_name(p);
  if (!strcmp(key, "option")) return read_option(p);
  if (!strcmp(key, "properties")) return read_properties(p);
  if (!strcmp(key, "part")) return read_part(p);
  if (!strcmp(key, "prefixes")) return read_prefixes(p);
  if (!strcmp(key, "deferred")) return read_deferred(p);
  if (!strcmp(key, "move")) return read_move(p);
  if (!strcmp(key, "proviso")) return read_proviso(p);
  if (!strcmp(key, "about") && !p->is_old) return read_about(p);
  if (!strcmp(key, "error")) return read_error(p);
  if (!strcmp(key, "state")) return read_state(p);
  if (!strcmp(key, "clang") && next_word(p)) {
    pv_vec_push(&p->out->options.clang_args, pv_strdup(pv_str_cstr(&p->word)));
    return PV_OK;
  }
  if (!strcmp(key, "engine") && next_word(p)) {
    free(p->out->engine);
    p->out->engine = pv_strdup(pv_str_cstr(&p->word));
    return PV_OK;
  }
  return wrong(p, "it begins with an unknown word");
}

/* The last line: a hash of all bytes before it. */
static bool is_whole(const char *bytes, size_t n, size_t *body) {
  enum { LAST = sizeof "end 0123456789abcdef\n" - 1 };
  if (n < LAST || memcmp(bytes + n - LAST, "end ", 4) != 0) return false;
  struct parser p = {.at = bytes + n - LAST + 4, .end = bytes + n};
  uint64_t hash;
  *body = n - LAST;
  bool right = next_hash(&p, &hash) && hash == pv_hash(bytes, *body);
  pv_str_free(&p.word);
  return right;
}

static enum pv_status parse(struct parser *p) {
  while (p->at < p->end) {
    PV_TRY(read_line(p));
    if (p->at == p->end || *p->at != '\n') return wrong(p, "words are left over");
    p->at++;
    p->line++;
  }
  if (!p->out->engine || !p->out->options.files.n) return wrong(p, "the file is incomplete");
  bool claims = p->out->errors.n && pv_condition_openness(&p->out->condition) != PV_OPEN_EVERYTHING;
  if (claims) return wrong(p, "it claims something beside an error");
  return pv_condition_is_valid(&p->out->condition) ? PV_OK : wrong(p, "the condition is damaged");
}

enum pv_status pv_condition_parse(const char *bytes, size_t n, struct pv_condition_file *out,
                                  struct pv_str *err) {
  size_t body, magic = sizeof MAGIC "\n" - 1;
  pv_options_init(&out->options);
  if (n < magic || memcmp(bytes, "proviso condition ", 18) != 0) {
    if (err) pv_str_add(err, "this is no condition of proviso");
    return PV_E_INPUT;
  }
  bool is_old = !memcmp(bytes, MAGIC_OLD "\n", magic);
  bool is_known = is_old || !memcmp(bytes, MAGIC_BEFORE "\n", magic);
  if (!is_known && memcmp(bytes, MAGIC "\n", magic) != 0) {
    if (err) pv_str_add(err, "the condition has a format that this version does not read");
    return PV_E_INPUT;
  }
  if (!is_whole(bytes, n, &body)) {
    if (err) pv_str_add(err, "the condition is incomplete or was changed");
    return PV_E_INPUT;
  }
  struct parser p = {.at = bytes + magic,
                     .end = bytes + body,
                     .line = 2,
                     .is_old = is_old,
                     .out = out,
                     .err = err};
  enum pv_status status = parse(&p);
  pv_str_free(&p.word);
  return status;
}

char *pv_condition_path(const char *word) {
  struct stat info;
  bool is_directory = stat(word, &info) == 0 && S_ISDIR(info.st_mode);
  return is_directory ? pv_format("%s/%s", word, PV_CONDITION_NAME) : pv_strdup(word);
}

enum pv_status pv_condition_read(const char *path, struct pv_condition_file *out,
                                 struct pv_str *err) {
  char *bytes;
  size_t n;
  struct pv_str why = {0};
  char *file = pv_condition_path(path);
  enum pv_status status = pv_read_file(file, SIZE_MAX, &bytes, &n, err);
  free(file);
  PV_TRY(status);
  status = pv_condition_parse(bytes, n, out, &why);
  free(bytes);
  if (status != PV_OK && err) pv_str_addf(err, "%s: %s", path, pv_str_cstr(&why));
  pv_str_free(&why);
  return status;
}

void pv_condition_file_clear(struct pv_condition_file *file) {
  pv_options_free(&file->options);
  pv_condition_clear(&file->condition);
  for (uint32_t i = 0; i < file->errors.n; i++) free(file->errors.at[i].sentence);
  pv_vec_free(&file->errors);
  pv_fingerprints_free(&file->functions);
  free(file->engine);
  file->engine = NULL;
}
