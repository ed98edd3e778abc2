#include "witness/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sha256.h"
#include "witness/statements.h"
#include "witness/witness.h"

/* ---- texts ------------------------------------------------------------------------------------
 */

/* A scalar in double quotes. */
static void put(const char *text, struct pv_str *out) {
  pv_str_addc(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c == '"' || *c == '\\')
      pv_str_addf(out, "\\%c", *c);
    else if (*c < 0x20 || *c >= 0x7f)
      pv_str_addf(out, "\\x%02x", *c); /* not UTF-8, but a name that can be compared */
    else
      pv_str_addc(out, (char)*c);
  pv_str_addc(out, '"');
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void put_place(const char *indent, const char *file, const char *function, uint32_t line,
                      struct pv_str *out) {
  pv_str_addf(out, "%slocation:\n%s  file_name: ", indent, indent);
  put(base_name(file), out);
  pv_str_addf(out, "\n%s  line: %" PRIu32 "\n", indent, line);
  if (!function) return;
  pv_str_addf(out, "%s  function: ", indent);
  put(function, out);
  pv_str_addc(out, '\n');
}

/* ---- metadata ---------------------------------------------------------------------------------
 */

static void put_time(struct pv_str *out) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm tm;
  char text[40];
  gmtime_r(&now, &tm);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &tm);
  pv_str_add(out, text);
}

static void put_files(const struct pv_options *o, struct pv_str *out) {
  pv_str_add(out, "      input_files:\n");
  for (uint32_t i = 0; i < o->files.n; i++) {
    pv_str_add(out, "        - ");
    put(o->files.at[i], out);
    pv_str_addc(out, '\n');
  }
  pv_str_add(out, "      input_file_hashes:\n");
  for (uint32_t i = 0; i < o->files.n; i++) {
    char *text, hash[65];
    size_t n;
    if (pv_read_file(o->files.at[i], SIZE_MAX, &text, &n, NULL) != PV_OK) continue;
    pv_sha256(text, n, hash);
    free(text);
    pv_str_add(out, "        ");
    put(o->files.at[i], out);
    pv_str_addf(out, ": \"%s\"\n", hash);
  }
}

/* The specification; `about`: the properties. */
static void put_specification(pv_properties about, struct pv_str *out) {
  struct pv_str text = {0};
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (about & PV_PROP_BIT(i) && *pv_property_table[i].formula)
      pv_str_addf(&text, "%sCHECK( init(main()), LTL(%s) )", text.n ? " " : "",
                  pv_property_table[i].formula);
  put(pv_str_cstr(&text), out);
  pv_str_free(&text);
}

/* The identifier is a hash of what follows, so the same result has the same one. */
static void put_identifier(const struct pv_str *content, const struct pv_options *o,
                           struct pv_str *out) {
  struct pv_str all = {0};
  char hash[65];
  pv_str_add(&all, pv_str_cstr(content));
  for (uint32_t i = 0; i < o->files.n; i++) pv_str_add(&all, o->files.at[i]);
  pv_sha256(all.at, all.n, hash);
  pv_str_free(&all);
  pv_str_addf(out, "%.8s-%.4s-4%.3s-8%.3s-%.12s", hash, hash + 8, hash + 13, hash + 17, hash + 20);
}

static void put_entry(const char *type, const char *version, pv_properties about,
                      const struct pv_options *o, const struct pv_str *content,
                      struct pv_str *out) {
  pv_str_addf(out, "- entry_type: %s\n  metadata:\n    format_version: \"%s\"\n    uuid: ", type,
              version);
  put_identifier(content, o, out);
  pv_str_add(out, "\n    creation_time: ");
  put_time(out);
  pv_str_add(out, "\n    producer:\n      name: proviso\n      version: \"" PROVISO_VERSION
                  "\"\n    task:\n");
  put_files(o, out);
  pv_str_add(out, "      specification: ");
  put_specification(about, out);
  pv_str_addf(out, "\n      data_model: %s\n      language: C\n  content:%s\n",
              o->ilp32 ? "ILP32" : "LP64", content->n ? "" : " []");
  if (content->n) pv_str_add(out, content->at);
}

/* ---- violations -------------------------------------------------------------------------------
 */

struct writer {
  const struct pv_violation *v;
  const char *version;
  bool threads;        /* they are named */
  bool turns;          /* and may be interrupted wherever a waypoint is */
  uint32_t *number;    /* by thread: of the witness */
  uint32_t born, next; /* next: the first input that is not written yet */
  struct pv_str *out;
};

static void put_waypoint(struct writer *w, const char *type, uint32_t thread) {
  pv_str_addf(w->out, "      - waypoint:\n          type: %s\n          action: follow\n", type);
  if (w->threads) pv_str_addf(w->out, "          thread_id: %" PRIu32 "\n", w->number[thread % 64]);
}

static const char *const indent = "          ";

/* The value as a number in C; false: there is none. */
static bool put_value(const struct pv_source *s, const struct pv_input *in, struct pv_str *out) {
  uint64_t low = in->value[0];
  if (s->type == PV_SOURCE_FLOAT) {
    double value = 0;
    float small = 0;
    if (s->bits == 32) memcpy(&small, &low, sizeof small), value = (double)small;
    if (s->bits == 64) memcpy(&value, &low, sizeof value);
    if (!isfinite(value) || (s->bits != 32 && s->bits != 64)) return false;
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    pv_str_addf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
    return true;
  }
  if (s->type == PV_SOURCE_POINTER || s->bits > 64 || !s->bits) return false;
  if (s->type == PV_SOURCE_UNSIGNED) {
    pv_str_addf(out, "%" PRIu64, low);
    return true;
  }
  int64_t value = (int64_t)(low << (64 - s->bits)) >> (64 - s->bits);
  pv_str_addf(out, "%" PRId64, value);
  return true;
}

static void put_input(struct writer *w, const struct pv_input *in) {
  struct pv_str value = {0};
  if (!in->source) return;
  const struct pv_source *s = &w->v->path.sources.at[in->source - 1];
  bool call = s->origin == PV_ORIGIN_FUNCTION && s->name && !strchr(s->name, ' ') && s->line;
  if (call && put_value(s, in, &value)) {
    pv_str_add(w->out, "  - segment:\n");
    put_waypoint(w, "function_return", in->thread);
    put_place(indent, s->file, s->function, s->line, w->out);
    pv_str_addf(w->out,
                "          constraint:\n            value: \"\\\\result == %s\"\n"
                "            format: %s\n",
                value.at, strcmp(w->version, "2.0") ? "ext_c_expression" : "acsl_expression");
  }
  pv_str_free(&value);
}

/* Every creation has a waypoint, because threads are numbered by these. */
static void put_creation(struct writer *w, const struct pv_step *s, uint32_t thread) {
  pv_str_add(w->out, "  - segment:\n");
  put_waypoint(w, "function_enter", s->thread);
  put_place(indent, s->file, s->function, s->line, w->out);
  w->number[thread % 64] = ++w->born;
}

/* The thread that is at the place of the error. Of a deadlock it is the first one that the message
 * tells of; others may have stopped at the same line after it. */
static uint32_t thread_of(const struct pv_violation *v) {
  static const char deadlock[] = "deadlock: thread ";
  uint32_t thread = v->path.steps.n ? pv_vec_last(&v->path.steps).thread : 0;
  bool is_deadlock = v->message && !strncmp(v->message, deadlock, sizeof deadlock - 1);
  uint32_t first = is_deadlock ? (uint32_t)strtoul(v->message + sizeof deadlock - 1, NULL, 10) : 0;
  for (uint32_t i = 0; i < v->path.steps.n; i++) {
    const struct pv_step *s = &v->path.steps.at[i];
    if (s->line != v->line || strcmp(s->file, v->file) != 0) continue;
    if (is_deadlock && s->thread == first) return first;
    thread = s->thread;
  }
  return thread;
}

/* ---- the order of the threads ---- */

/* Steps of a path whose order is told: validators test each waypoint wherever its line is reached,
 * and of a longer path a part would be no help. */
enum { TOLD_MOST = 256 };

/* The names of the functions that the path was in. */
static void functions_of(const struct pv_error_path *path, struct pv_map *names) {
  for (uint32_t i = 0; i < path->steps.n; i++)
    pv_map_put_str(names, path->steps.at[i].function, 0, NULL);
}

static bool same_line(const struct pv_step *a, const struct pv_step *b) {
  return a->line == b->line && !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
}

/* Is the thread at a target where it made its last step? */
static bool ends_there(const struct pv_violation *v, uint32_t thread, uint32_t last) {
  bool race = v->property == PV_PROP_NO_DATA_RACE && last + 2 >= v->path.steps.n;
  return race || thread == thread_of(v);
}

/* By step: is it told where its thread is? These are the first and the last step between two
 * switches of threads, where the step begins a statement: there was another line of the function
 * before it, or nothing. A step that continues a statement after a switch, or after a call, is no
 * place that a waypoint can name. A thread's last step at the target is not told. Not for
 * cooperative schedulers: there a thread may have come to the statement one turn earlier. */
static bool *find_order(const struct pv_violation *v) {
  const struct pv_error_path *path = &v->path;
  uint32_t n = path->steps.n, last[64], told = 0;
  bool *tell = pv_alloc((n + 1) * sizeof *tell);
  struct pv_statements statements = {0};
  struct pv_map names = {0};
  functions_of(path, &names);
  memset(last, 0xff, sizeof last);
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_step *s = &path->steps.at[i], *before = NULL;
    uint32_t thread = s->thread % 64;
    if (last[thread] != UINT32_MAX) before = &path->steps.at[last[thread]];
    bool first = i && path->steps.at[i - 1].thread != s->thread;
    bool final = i + 1 < n && path->steps.at[i + 1].thread != s->thread;
    bool moves = before ? !same_line(before, s) && !strcmp(before->function, s->function) : true;
    tell[i] = (first || final) && moves &&
              pv_statements_begin(&statements, s->file, s->line, s->column, &names);
    last[thread] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_step *s = &path->steps.at[i];
    uint32_t end = last[s->thread % 64];
    if (ends_there(v, s->thread, end) && same_line(s, &path->steps.at[end])) tell[i] = false;
  }
  for (uint32_t i = 0; i < n; i++) told += tell[i];
  if (told > TOLD_MOST || path->left_out) memset(tell, 0, n * sizeof *tell);
  pv_map_free(&names);
  pv_statements_clear(&statements);
  return tell;
}

/* Its thread is at the begin of the statement. */
static void put_turn(struct writer *w, const struct pv_step *s) {
  if (s->thread && !w->number[s->thread % 64]) return; /* a thread without a name */
  pv_str_add(w->out, "  - segment:\n");
  put_waypoint(w, "assumption", s->thread);
  put_place(indent, s->file, s->function, s->line, w->out);
  pv_str_addf(w->out, "          constraint:\n            value: \"1\"\n"
                      "            format: ext_c_expression\n");
}

static void put_path(struct writer *w) {
  const struct pv_error_path *path = &w->v->path;
  bool *tell = w->turns ? find_order(w->v) : NULL;
  for (uint32_t i = 0; i < path->steps.n; i++) {
    const struct pv_step *s = &path->steps.at[i];
    if (tell && tell[i]) put_turn(w, s);
    for (uint32_t k = 0; k < s->inputs && w->next < path->inputs.n; k++)
      put_input(w, &path->inputs.at[w->next++]);
    for (uint32_t k = 0; w->threads && k < s->interactions.n; k++)
      if (s->interactions.at[k].kind == PV_INTERACTION_CREATES)
        put_creation(w, s, s->interactions.at[k].thread);
  }
  free(tell);
}

static void put_access(struct writer *w, uint32_t thread, const char *file, uint32_t line) {
  const struct pv_error_path *path = &w->v->path;
  const char *function = NULL;
  for (uint32_t i = 0; i < path->steps.n; i++) {
    const struct pv_step *s = &path->steps.at[i];
    if (s->thread == thread && s->line == line && !strcmp(s->file, file)) function = s->function;
  }
  put_waypoint(w, "target", thread);
  put_place(indent, file, function, line, w->out);
}

/* The message is "data race on NAME: write by thread 1 and read by thread 2 at FILE:LINE"; the
 * violation is where the first one is. */
static bool put_race(struct writer *w) {
  static const char by[] = " by thread ", and[] = " and ", at[] = " at ";
  const char *message = w->v->message ? w->v->message : "", *one = NULL, *two, *place, *colon;
  for (const char *c = message; (c = strstr(c, by)); c++)
    if (strstr(c + 1, by)) one = c + sizeof by - 1; /* the last but one */
  two = one ? strstr(one, and) : NULL;
  two = two ? strstr(two, by) : NULL;
  place = two ? strstr(two, at) : NULL;
  colon = place ? strrchr(place, ':') : NULL;
  if (!colon || !w->v->line || !w->v->file) return false;
  char *file = pv_format("%.*s", (int)(colon - place - (sizeof at - 1)), place + sizeof at - 1);
  pv_str_add(w->out, "  - segment:\n");
  put_access(w, (uint32_t)strtoul(one, NULL, 10), w->v->file, w->v->line);
  put_access(w, (uint32_t)strtoul(two + sizeof by - 1, NULL, 10), file,
             (uint32_t)strtoul(colon + 1, NULL, 10));
  free(file);
  return true;
}

static const char *put_target(struct writer *w) {
  const struct pv_violation *v = w->v;
  if (v->property == PV_PROP_NO_DATA_RACE)
    return put_race(w) ? NULL : "the two accesses of the race are not known";
  if (!v->line || !v->file || !v->function) return "the place of the error is not known";
  pv_str_add(w->out, "  - segment:\n");
  put_waypoint(w, "target", thread_of(v));
  put_place(indent, v->file, v->function, v->line, w->out);
  return NULL;
}

static bool has_threads(const struct pv_violation *v) {
  for (uint32_t i = 0; i < v->path.steps.n; i++) {
    const struct pv_step *s = &v->path.steps.at[i];
    if (s->thread) return true;
    for (uint32_t k = 0; k < s->interactions.n; k++)
      if (s->interactions.at[k].kind == PV_INTERACTION_CREATES) return true;
  }
  return false;
}

static const char *write_violation(const struct pv_options *o, const struct pv_violation *v,
                                   const char *version, bool preemptive, struct pv_str *out) {
  struct pv_str content = {0};
  uint32_t number[64] = {0};
  bool threads = has_threads(v), automatic = !strcmp(version, "auto");
  if (!*pv_property_table[v->property].formula || v->path.is_lasso)
    return "witnesses have no form for this property";
  if (threads && !automatic && strcmp(version, "2.2") != 0)
    return "a program with threads needs version 2.2";
  if (automatic) version = threads ? "2.2" : "2.0";
  struct writer w = {v, version, threads, threads && preemptive, number, 0, 0, &content};
  put_path(&w);
  const char *why = put_target(&w);
  if (!why) put_entry("violation_sequence", version, PV_PROP_BIT(v->property), o, &content, out);
  pv_str_free(&content);
  return why;
}

/* ---- proofs -----------------------------------------------------------------------------------
 */

/* Can validators read it? Not if parts have no name in the source. */
static bool is_plain(const struct pv_invariant *v) {
  return !v->larger && v->line && v->file && v->function && !strstr(v->formula, "/*") &&
         !strchr(v->formula, '@') && !strstr(v->formula, "::");
}

static bool same_place(const struct pv_invariant *a, const struct pv_invariant *b) {
  return a->line == b->line && !strcmp(a->file, b->file) && !strcmp(a->function, b->function);
}

static void put_invariant(const struct pv_invariant *v, const char *formula, struct pv_str *out) {
  pv_str_add(out, "  - invariant:\n      type: loop_invariant\n");
  put_place("      ", v->file, v->function, v->line, out);
  pv_str_add(out, "      value: ");
  put(formula, out);
  pv_str_add(out, "\n      format: c_expression\n");
}

/* Invariants of one place in several contexts are alternatives. */
static void put_invariants(const struct pv_proof_result *p, struct pv_str *out) {
  for (uint32_t i = 0; i < p->invariants.n; i++) {
    const struct pv_invariant *v = &p->invariants.at[i];
    struct pv_str formula = {0};
    bool plain = true, first = true;
    for (uint32_t k = 0; k < p->invariants.n; k++) {
      const struct pv_invariant *other = &p->invariants.at[k];
      if (!same_place(v, other)) continue;
      first &= k >= i;
      plain &= is_plain(other);
      pv_str_addf(&formula, "%s(%s)", formula.n ? " || " : "", other->formula);
    }
    if (first && plain) put_invariant(v, formula.at, out);
    pv_str_free(&formula);
  }
}

const char *pv_witness_write(const struct pv_options *o, const struct pv_result *r,
                             const char *version, bool preemptive, struct pv_str *out) {
  struct pv_str content = {0};
  if (r->violations.n) return write_violation(o, &r->violations.at[0], version, preemptive, out);
  if (r->verdict != PV_TRUE) return "there is neither an error nor a proof without provisos";
  pv_properties formless = 0;
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (!*pv_property_table[i].formula) formless |= PV_PROP_BIT(i);
  if (!(r->checked & ~formless)) return "witnesses have no form for these properties";
  put_invariants(&r->proof, &content);
  put_entry("invariant_set", !strcmp(version, "auto") ? "2.0" : version, r->checked, o, &content,
            out);
  pv_str_free(&content);
  return NULL;
}
