#include "report/coverage.h"

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static bool is_own(const struct pv_function *f) {
  return f->defined && !f->is_library && !f->is_model;
}

/* Does the edge do something that the machine tells of? */
static bool counts(const struct pv_program *p, const struct pv_edge *e) {
  bool silent =
      e->op == PV_OP_SKIP || e->op == PV_OP_FENCE || e->op == PV_OP_LIVE || e->op == PV_OP_DEAD;
  return !silent && pv_span_of(p, e->span)->line;
}

static int by_place(const void *a, const void *b) {
  const struct pv_line_coverage *x = a, *y = b;
  int order = strcmp(x->file, y->file);
  if (order) return order;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* Joins what several edges say about a line. */
static void join_lines(struct pv_coverage_table *t) {
  uint32_t kept = 0;
  if (t->line.n) qsort(t->line.at, t->line.n, sizeof *t->line.at, by_place);
  for (uint32_t i = 0; i < t->line.n; i++) {
    struct pv_line_coverage *l = &t->line.at[i], *last = kept ? &t->line.at[kept - 1] : NULL;
    if (last && !by_place(last, l)) {
      last->verified |= l->verified;
      last->reached |= l->reached;
    } else {
      t->line.at[kept++] = *l;
    }
  }
  t->line.n = t->lines.all = kept;
  for (uint32_t i = 0; i < kept; i++) t->lines.verified += t->line.at[i].verified;
}

static void add_function(const struct pv_program *p, const struct pv_function *f,
                         const uint8_t *edges, struct pv_coverage_table *t) {
  enum { KNOWN = 1, VERIFIED = 2 };
  uint8_t *location = pv_alloc(f->locs.n + 1);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    bool verified = edges[i] & PV_EDGE_VERIFIED;
    if (!counts(p, e)) continue;
    location[e->from] |= verified ? KNOWN | VERIFIED : KNOWN;
    t->edges.all++;
    t->edges.verified += verified;
    struct pv_line_coverage line = {pv_span_file(p, e->span), pv_span_of(p, e->span)->line,
                                    verified, edges[i] & PV_EDGE_REACHED};
    pv_vec_push(&t->line, line);
  }
  for (uint32_t l = 0; l < f->locs.n; l++) {
    t->locations.all += (location[l] & KNOWN) != 0;
    t->locations.verified += (location[l] & VERIFIED) != 0;
  }
  free(location);
}

bool pv_coverage_is_known(const struct pv_program *p, const struct pv_coverage *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; p && i < p->functions.n; i++) n += p->functions.at[i].edges.n;
  return n && n == c->edges.n;
}

void pv_coverage_table_fill(const struct pv_program *p, const struct pv_coverage *c,
                            struct pv_coverage_table *out) {
  uint32_t first = 0;
  *out = (struct pv_coverage_table){0};
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (is_own(f)) add_function(p, f, c->edges.at + first, out);
    first += f->edges.n;
  }
  join_lines(out);
}

void pv_coverage_table_clear(struct pv_coverage_table *t) {
  pv_vec_free(&t->line);
}

/* ---- text ------------------------------------------------------------------------------------ */
void pv_coverage_summary(const struct pv_coverage_table *t, struct pv_str *out) {
  pv_str_addf(out, "%u of %u lines, %u of %u locations, %u of %u edges", t->lines.verified,
              t->lines.all, t->locations.verified, t->locations.all, t->edges.verified,
              t->edges.all);
}

/* Lists the open lines from number i on, in the same file, for one of the reasons. */
static void add_ranges(const struct pv_coverage_table *t, uint32_t i, bool reached,
                       struct pv_str *out) {
  const char *file = t->line.at[i].file, *before = ": ";
  struct pv_str lines = {0};
  while (i < t->line.n && !strcmp(t->line.at[i].file, file)) {
    uint32_t first = t->line.at[i].line, last = 0;
    for (; i < t->line.n && !strcmp(t->line.at[i].file, file); i++) {
      const struct pv_line_coverage *l = &t->line.at[i];
      if (l->verified || l->reached != reached) break;
      if (!last) first = l->line;
      last = l->line;
    }
    if (last) {
      pv_str_addf(&lines, last > first ? "%s%u-%u" : "%s%u", before, first, last);
      before = ", ";
    } else {
      i++;
    }
  }
  if (lines.n) {
    pv_str_add(out, "  ");
    pv_report_clean(file, 0, true, out);
    pv_str_addf(out, "%s (%s)\n", pv_str_cstr(&lines),
                reached ? "reached, but no complete execution was examined" : "not reached");
  }
  pv_str_free(&lines);
}

void pv_coverage_open_lines(const struct pv_coverage_table *t, struct pv_str *out) {
  for (uint32_t i = 0; i < t->line.n; i++) {
    if (i && !strcmp(t->line.at[i - 1].file, t->line.at[i].file)) continue;
    add_ranges(t, i, true, out);
    add_ranges(t, i, false, out);
  }
}

/* ---- lcov ------------------------------------------------------------------------------------ */
/* Functions of the file: where they begin, and whether one of their edges is verified. */
static void add_functions(const struct pv_program *p, const struct pv_coverage *c, const char *file,
                          struct pv_str *out) {
  uint32_t first = 0, all = 0, hit = 0;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    bool verified = false;
    for (uint32_t k = 0; k < f->edges.n; k++)
      verified |= (c->edges.at[first + k] & PV_EDGE_VERIFIED) != 0;
    first += f->edges.n;
    if (!is_own(f) || !pv_span_of(p, f->span)->line || strcmp(pv_span_file(p, f->span), file) != 0)
      continue;
    pv_str_addf(out, "FN:%u,%s\nFNDA:%d,%s\n", pv_span_of(p, f->span)->line, f->name, verified,
                f->name);
    all++;
    hit += verified;
  }
  pv_str_addf(out, "FNF:%u\nFNH:%u\n", all, hit);
}

void pv_coverage_lcov(const struct pv_program *p, const struct pv_coverage *c, struct pv_str *out) {
  struct pv_coverage_table t;
  pv_coverage_table_fill(p, c, &t);
  for (uint32_t i = 0; i < t.line.n;) {
    const char *file = t.line.at[i].file;
    uint32_t all = 0, hit = 0;
    pv_str_add(out, "TN:\nSF:");
    pv_report_clean(file, 0, true, out);
    pv_str_addc(out, '\n');
    add_functions(p, c, file, out);
    for (; i < t.line.n && !strcmp(t.line.at[i].file, file); i++) {
      pv_str_addf(out, "DA:%u,%d\n", t.line.at[i].line, t.line.at[i].verified);
      all++;
      hit += t.line.at[i].verified;
    }
    pv_str_addf(out, "LF:%u\nLH:%u\nend_of_record\n", all, hit);
  }
  pv_coverage_table_clear(&t);
}
