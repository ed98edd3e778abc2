#include "report/coverage.h"
#include "report/given.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80 };

/* Appends text, wrapped at 80 columns, with further lines indented. */
static void add_paragraph(const char *text, unsigned indent, struct pv_str *out) {
  size_t at = 0;
  while (*text) {
    size_t n = strcspn(text, " ");
    if (at && at + 1 + n > WIDTH) {
      pv_str_addf(out, "\n%*s", (int)indent, "");
      at = indent;
    } else if (at) {
      pv_str_addc(out, ' ');
      at++;
    }
    pv_str_addn(out, text, n);
    at += n;
    text += n + strspn(text + n, " ");
  }
  pv_str_addc(out, '\n');
}

static void add_coloured(const struct pv_report *r, const char *code, const char *text,
                         struct pv_str *out) {
  if (r->colour) pv_str_addf(out, "\033[%sm", code);
  pv_str_add(out, text);
  if (r->colour) pv_str_add(out, "\033[0m");
}

static void add_property_list(pv_properties set, struct pv_str *out) {
  struct pv_str names = {0};
  pv_properties_print(set, &names);
  for (const char *c = pv_str_cstr(&names); *c; c++) {
    pv_str_addc(out, *c);
    if (*c == ',') pv_str_addc(out, ' ');
  }
  pv_str_free(&names);
}

/* "1 state", "2 states" */
static void add_counted(uint64_t n, const char *what, struct pv_str *out) {
  pv_str_addf(out, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

/* "7 transitions with 2 context switches" */
static void add_cost(struct pv_path_cost cost, struct pv_str *out) {
  add_counted(cost.transitions, "transition", out);
  pv_str_addf(out, " with %u context switch%s", cost.switches, cost.switches == 1 ? "" : "es");
}

static void add_what(const struct pv_report *r, struct pv_str *out) {
  const struct pv_options *o = r->options;
  struct pv_str text = {0};
  pv_str_add(&text, strcmp(r->command, "replay") ? "Checked" : "Replayed");
  for (uint32_t i = 0; i < o->files.n; i++) {
    pv_str_add(&text, i ? ", " : " ");
    pv_report_clean(o->files.at[i], 0, true, &text);
    const char *flags = pv_options_file_flags(o, i);
    if (*flags) pv_str_addc(&text, ':');
    pv_report_clean(flags, 0, true, &text);
  }
  pv_str_addf(&text, " (%s data model", o->ilp32 ? "32-bit" : "64-bit");
  if (o->entry.n) pv_str_addf(&text, ", starting in %s", o->entry.at[0]);
  pv_str_add(&text, ") for ");
  add_property_list(r->result->checked ? r->result->checked : o->properties, &text);
  pv_str_addc(&text, '.');
  add_paragraph(pv_str_cstr(&text), 2, out);
  pv_str_free(&text);
}

/* Lengths are given in transitions. A step of the path is a source line; one transition may take
 * several steps, and one step several transitions. */
static void add_minimised(const struct pv_violation *v, struct pv_str *out) {
  struct pv_path_cost now = pv_path_cost(v->path.choices.at, v->path.choices.n);
  struct pv_str text = {0};
  pv_str_add(&text, "Minimised: ");
  add_cost(now, &text);
  if (pv_path_less(now, v->found)) {
    pv_str_add(&text, " instead of ");
    add_cost(v->found, &text);
  }
  pv_str_add(&text, v->shortest ? "; no path is shorter." : ".");
  pv_str_addc(out, '\n');
  add_paragraph(pv_str_cstr(&text), 2, out);
  pv_str_free(&text);
}

/* How the program must be called to reproduce the error. */
static void add_given(const struct pv_report *r, const struct pv_violation *v, struct pv_str *out) {
  struct pv_str text = {0};
  struct pv_given given;
  if (!r->program) return;
  pv_given_find(r->program, &v->path, &given);
  if (pv_given_command(&given, "./program", r->options->verbose, &text))
    pv_str_addf(out, "\nRun it with: %s\n", pv_str_cstr(&text));
  pv_given_clear(&given);
  pv_str_free(&text);
}

static void add_violation(const struct pv_report *r, const struct pv_violation *v,
                          struct pv_str *out) {
  struct pv_str text = {0};
  pv_str_addc(out, '\n');
  pv_report_clean(v->message ? v->message : "error", 0, true, &text);
  add_coloured(r, "1;31", "Error: ", out);
  add_coloured(r, "1", pv_str_cstr(&text), out);
  pv_str_addc(out, '\n');
  pv_str_clear(&text);
  if (v->file) {
    pv_report_clean(v->file, 0, true, &text);
    pv_str_addf(out, "  at %s:%u", pv_str_cstr(&text), v->line);
    if (v->function) pv_str_addf(out, " in %s", v->function);
  }
  pv_str_addf(out, "%s property %s\n", v->file ? "," : " ", pv_property_table[v->property].name);
  pv_str_free(&text);
  if (!v->path.steps.n) return;
  pv_str_add(out, "\nError path (");
  pv_report_path_size(&v->path, out);
  pv_str_addf(out, "%s):\n\n", v->replayed ? "; replayed" : "");
  struct pv_path_style style = {
      .colour = r->colour, .width = r->width, .whole = r->options->verbose};
  pv_report_path(&v->path, &style, out);
  if (v->minimised) add_minimised(v, out);
  add_given(r, v, out);
}

static void add_summary(const struct pv_report *r, struct pv_str *out) {
  const struct pv_result *result = r->result;
  uint32_t n = result->violations.n;
  switch (result->verdict) {
  case PV_TRUE:
    pv_str_add(out, "\nNo error is possible: every schedule and every input was covered.\n");
    break;
  case PV_CONDITIONAL:
    pv_str_add(out, "\nNo error was found, and none is possible under the conditions below.\n");
    break;
  case PV_FALSE:
    if (n > 1) pv_str_addf(out, "\n%u errors; each path was replayed.\n", n);
    break;
  case PV_UNKNOWN: pv_str_add(out, "\nNothing is proven.\n"); break;
  }
}

/* An error that was found is unconditional; with --keep-going the completeness of the list is
 * not. */
static bool provisos_matter(const struct pv_report *r) {
  return r->result->verdict != PV_FALSE || r->options->keep_going;
}

/* The position of the place in the proviso's sentence, "FILE:LINE"; NULL if it does not occur, or
 * more than once. */
static const char *place_in(const struct pv_proviso *p, size_t *n) {
  if (!p->file) return NULL;
  struct pv_str place = {0};
  pv_str_addf(&place, " at %s:%u", p->file, p->line);
  const char *at = strstr(p->sentence, pv_str_cstr(&place));
  *n = place.n;
  if (at && ((at[*n] >= '0' && at[*n] <= '9') || strstr(at + 1, pv_str_cstr(&place)))) at = NULL;
  pv_str_free(&place);
  return at;
}

/* Are the sentences equal except for the place? */
static bool is_same_elsewhere(const struct pv_proviso *a, const struct pv_proviso *b) {
  size_t n, m;
  if (a->about != b->about) return false;
  const char *x = place_in(a, &n), *y = place_in(b, &m);
  return a->kind == b->kind && x && y && x - a->sentence == y - b->sentence &&
         !strncmp(a->sentence, b->sentence, (size_t)(x - a->sentence)) && !strcmp(x + n, y + m);
}

static bool is_repetition(const struct pv_condition *c, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (is_same_elsewhere(&c->provisos.at[k], &c->provisos.at[i])) return true;
  return false;
}

/* Writes the sentence once with the places of all equal ones: "the operation at each of a.c:1, 2
 * and b.c:3 ...". */
static void add_sentence(const struct pv_condition *c, uint32_t i, bool whole, struct pv_str *out) {
  enum { MOST = 8 };
  const struct pv_proviso *p = &c->provisos.at[i];
  size_t n = 0;
  uint32_t same = 1, shown = 1;
  for (uint32_t k = i + 1; k < c->provisos.n; k++) same += is_same_elsewhere(p, &c->provisos.at[k]);
  const char *place = place_in(p, &n);
  if (!place || same == 1) {
    pv_str_add(out, p->sentence);
    return;
  }
  pv_str_addn(out, p->sentence, (size_t)(place - p->sentence));
  pv_str_addf(out, " at each of %s:%u", p->file, p->line);
  const char *file = p->file;
  uint32_t most = whole || same <= MOST ? same : MOST;
  for (uint32_t k = i + 1; k < c->provisos.n && shown < most; k++) {
    const struct pv_proviso *other = &c->provisos.at[k];
    if (!is_same_elsewhere(p, other)) continue;
    pv_str_add(out, ++shown == same ? " and " : ", ");
    if (strcmp(file, other->file) != 0) pv_str_addf(out, "%s:", other->file);
    pv_str_addf(out, "%u", other->line);
    file = other->file;
  }
  if (shown < same) pv_str_addf(out, " and %u more places", same - shown);
  pv_str_add(out, place + n);
}

void pv_report_about(const struct pv_proviso *p, pv_properties checked, struct pv_str *out) {
  if (!(p->about & checked) || !(checked & ~p->about)) return;
  pv_str_add(out, "for ");
  add_property_list(p->about & checked, out);
  pv_str_add(out, ", ");
}

/* Which properties need no proviso, if not all do. */
static void add_unconditional(const struct pv_report *r, struct pv_str *out) {
  pv_properties set = pv_condition_unconditional(&r->result->condition, r->result->checked);
  if (r->result->verdict != PV_CONDITIONAL || !set) return;
  pv_str_add(out, "Without a proviso: ");
  add_property_list(set, out);
  pv_str_add(out, ".\n");
}

static void add_provisos(const struct pv_report *r, struct pv_str *out) {
  const struct pv_condition *c = &r->result->condition;
  if (r->result->verdict == PV_UNKNOWN && r->result->reason) {
    pv_str_add(out, "Reason: ");
    pv_report_clean(r->result->reason, 0, true, out);
    pv_str_addc(out, '\n');
  }
  if (!provisos_matter(r)) return;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    struct pv_str sentence = {0};
    if (is_repetition(c, i)) continue;
    add_sentence(c, i, r->options->verbose, &sentence);
    add_coloured(r, "1;33", "Proviso:", out);
    pv_str_addc(out, ' ');
    if (r->result->verdict == PV_FALSE) pv_str_add(out, "there are no further errors, ");
    pv_report_about(&c->provisos.at[i], r->result->checked, out);
    pv_str_add(out, "provided that ");
    pv_report_clean(pv_str_cstr(&sentence), 0, true, out);
    pv_str_add(out, sentence.n && sentence.at[sentence.n - 1] == '.' ? "\n" : ".\n");
    pv_str_free(&sentence);
  }
}

/* Only where something is open: the rest is verified by the verdict. */
static void add_coverage(const struct pv_report *r, struct pv_str *out) {
  struct pv_coverage_table t;
  if (r->result->verdict != PV_CONDITIONAL) return;
  if (!pv_coverage_is_known(r->program, &r->result->coverage)) return;
  pv_coverage_table_fill(r->program, &r->result->coverage, &t);
  pv_str_add(out, "Verified by complete executions: ");
  pv_coverage_summary(&t, out);
  pv_str_add(out, t.lines.verified < t.lines.all && r->options->verbose ? "; open:\n" : ".\n");
  if (r->options->verbose) pv_coverage_open_lines(&t, out);
  double share = r->result->coverage.share;
  if (share > 0 && share < 1)
    pv_str_addf(out,
                "Examined: about %.2g %% of all executions, up to equivalence (an estimate).\n",
                100 * share);
  pv_coverage_table_clear(&t);
}

static void add_notes(const struct pv_report *r, struct pv_str *out) {
  for (uint32_t i = 0; i < r->result->notes.n; i++) {
    pv_str_add(out, "Note: ");
    pv_report_clean(r->result->notes.at[i], 0, true, out);
    pv_str_add(out, ".\n");
  }
}

/* "Taken for granted: allocation never fails (--malloc-may-fail); ...": assumptions that a user who
 * reads `true` should know. */
static void add_assumed(const struct pv_report *r, struct pv_str *out) {
  const char *before = "Taken for granted: ";
  if (r->result->verdict != PV_TRUE && r->result->verdict != PV_CONDITIONAL) return;
  for (unsigned i = 0; i < PV_ASSUMES_COUNT; i++) {
    if (!(r->result->assumed >> i & 1)) continue;
    pv_str_addf(out, "%s%s (%s)", before, pv_assumption_table[i].holds,
                pv_assumption_table[i].option);
    before = "; ";
  }
  if (*before == ';') pv_str_add(out, ".\n");
}

static void add_invariant(const struct pv_invariant *i, struct pv_str *out) {
  struct pv_str text = {0};
  pv_report_clean(i->file ? i->file : "?", 0, true, &text);
  pv_str_addf(&text, ":%u", i->line);
  if (i->function) pv_str_addf(&text, " in %s", i->function);
  if (i->calls) pv_str_addf(&text, " (%s)", i->calls);
  pv_str_add(&text, ": ");
  pv_report_clean(i->formula, 0, true, &text);
  if (i->larger) pv_str_addf(&text, " (%" PRIu64 " more parts)", i->larger);
  add_paragraph(pv_str_cstr(&text), 6, out);
  pv_str_free(&text);
}

/* "Proof: checked, by induction over 3 segments; invariants:" */
static void add_proof(const struct pv_report *r, struct pv_str *out) {
  const struct pv_proof_result *proof = &r->result->proof;
  if (proof->state == PV_PROOF_NONE) return;
  pv_str_addf(out, "Proof: %s", pv_proof_state_names[proof->state]);
  if (proof->induction) {
    pv_str_add(out, ", by induction over ");
    add_counted(proof->induction, "segment", out);
  }
  pv_str_add(out, proof->invariants.n ? "; invariants:\n" : "\n");
  for (uint32_t i = 0; i < proof->invariants.n; i++) add_invariant(&proof->invariants.at[i], out);
}

/* "Store: 17.1 bytes/state (roots 62 %, nodes 30 %, components 8 %)"; parts in percent. */
static void add_store(const struct pv_report *r, struct pv_str *out) {
  struct pv_table_bytes table[PV_TABLES];
  uint64_t sum = pv_report_tables(r, table), states = r->result->stats.states;
  if (!sum || !states) return;
  pv_str_addf(out, "Store: %.1f bytes/state", (double)sum / (double)states);
  const char *before = " (";
  for (int i = 0; i < PV_TABLES; i++) {
    unsigned percent = (unsigned)(100.0 * (double)table[i].bytes / (double)sum + 0.5);
    if (!percent) continue;
    pv_str_addf(out, "%s%s %u %%", before, table[i].name, percent);
    before = ", ";
  }
  pv_str_add(out, ")\n");
}

/* For directed search: "Search: 142 states generated, 55 expanded; distances on 174 nodes". */
static void add_search(const struct pv_stats *s, struct pv_str *out) {
  pv_str_add(out, "Search: ");
  add_counted(s->generated, "state", out);
  pv_str_addf(out, " generated, %" PRIu64 " expanded", s->expanded);
  if (s->first_error) pv_str_addf(out, ", the first error after %" PRIu64, s->first_error);
  if (s->distance_nodes) {
    pv_str_add(out, "; distances on ");
    add_counted(s->distance_nodes, "node", out);
  }
  pv_str_addc(out, '\n');
}

static void add_statistics(const struct pv_report *r, struct pv_str *out) {
  const struct pv_stats *s = &r->result->stats;
  pv_str_add(out, "Statistics: ");
  if (!s->threads && !s->component_bytes) { /* a symbolic engine executed nothing */
    add_counted(s->states, "abstract state", out);
    pv_str_add(out, ", ");
    add_counted(s->refinements, "refinement", out);
    pv_str_add(out, ", ");
    add_counted(s->predicates, "predicate", out);
    pv_str_addc(out, '\n');
    return;
  }
  /* The first execution may have ended with an error. */
  bool stateless = !s->states && s->transitions;
  add_counted(stateless ? s->executions : s->states, stateless ? "execution" : "state", out);
  pv_str_add(out, ", ");
  if (s->blocked) pv_str_addf(out, "%" PRIu64 " given up, ", s->blocked);
  add_counted(s->transitions, "transition", out);
  pv_str_addf(out, ", longest path %" PRIu64 ", at most ", s->depth);
  add_counted(s->threads, "thread", out);
  pv_str_addc(out, '\n');
  if (!stateless && r->options->search > PV_SEARCH_BFS) add_search(s, out);
  if (!r->options->verbose) return;
  add_store(r, out);
#define X(N, T) pv_str_addf(out, "  %-55s %20" PRIu64 "\n", T, s->N);
  PV_STATS(X)
#undef X
  pv_str_addf(out, "  %-55s %20.2f\n", "seconds", s->seconds);
  pv_str_addf(out, "  %-55s %20.2f\n", "seconds of CPU time", s->cpu_seconds);
  pv_str_addf(out, "  %-55s %20.6f\n", "seconds for distances", s->distance_seconds);
  pv_str_addf(out, "  %-55s %20.1f\n", "peak memory in MB", (double)s->peak_memory / 1e6);
  if (r->engine) pv_str_addf(out, "  %-55s %20s\n", "engine", r->engine);
}

static void add_result_line(const struct pv_report *r, struct pv_str *out) {
  static const char *const colours[] = {"1;33", "1;32", "1;33", "1;31"};
  struct pv_str line = {0};
  pv_result_line(r->result, &line);
  pv_str_add(out, "Verification result: ");
  add_coloured(r, colours[r->result->verdict], pv_str_cstr(&line), out);
  pv_str_addc(out, '\n');
  pv_str_free(&line);
}

void pv_report_text(const struct pv_report *r, struct pv_str *out) {
  bool quiet = r->options->quiet;
  if (!quiet) {
    add_what(r, out);
    for (uint32_t i = 0; i < r->result->violations.n; i++)
      add_violation(r, &r->result->violations.at[i], out);
    add_summary(r, out);
    pv_str_addc(out, '\n');
  }
  add_provisos(r, out);
  add_unconditional(r, out);
  if (!quiet) add_assumed(r, out);
  if (!quiet) add_coverage(r, out);
  if (!quiet) add_notes(r, out);
  if (!quiet) add_proof(r, out);
  if (!quiet && strcmp(r->command, "replay") != 0) add_statistics(r, out);
  if (r->options->explain) {
    pv_report_explain(r, out);
    pv_str_addc(out, '\n');
  }
  add_result_line(r, out);
}
