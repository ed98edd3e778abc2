#include "ir/exclusion.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "label ";

/* The name of the label that the edge marks, or NULL. */
static const char *label_of(const struct pv_edge *e) {
  if (e->op != PV_OP_SKIP && e->op != PV_OP_ATOMIC_BEGIN) return NULL;
  return e->text && !strncmp(e->text, prefix, strlen(prefix)) ? e->text + strlen(prefix) : NULL;
}

static bool find_function(const struct pv_program *p, const char *name, struct pv_exclusion *out) {
  bool found = false;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *fn = &p->functions.at[f];
    if (!fn->defined || fn->is_model || strcmp(fn->name, name) != 0) continue;
    out->functions[f] = 1;
    found = true;
  }
  return found;
}

static bool find_label(const struct pv_program *p, const char *name, struct pv_exclusion *out) {
  bool found = false;
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      const char *label = label_of(e);
      size_t n = strlen(name), star = n && name[n - 1] == '*';
      bool fits = label && (star ? !strncmp(label, name, n - 1) : !strcmp(label, name));
      if (!fits) continue;
      struct pv_label_place place = {f, e->from, label};
      pv_vec_push(&out->labels, place);
      found = true;
    }
  return found;
}

enum pv_status pv_exclusion_find(const struct pv_program *p, const struct pv_texts *regions,
                                 struct pv_exclusion *out, struct pv_str *err) {
  *out = (struct pv_exclusion){.functions = pv_alloc((size_t)p->functions.n + 1)};
  for (uint32_t i = 0; regions && i < regions->n; i++)
    for (const char *at = regions->at[i]; *at;) {
      size_t n = strcspn(at, ",");
      char *name = pv_format("%.*s", (int)n, at);
      bool function = find_function(p, name, out), label = find_label(p, name, out);
      if (!function && !label)
        pv_str_addf(err, "option `--mutex-region`: `%s` is neither a function nor a label", name);
      free(name);
      if (!function && !label) {
        pv_exclusion_clear(out);
        return PV_E_INPUT;
      }
      at += n + (at[n] == ',');
    }
  return PV_OK;
}

bool pv_exclusion_find_one(const struct pv_program *p, const char *name, struct pv_exclusion *out) {
  *out = (struct pv_exclusion){.functions = pv_alloc((size_t)p->functions.n + 1)};
  bool function = find_function(p, name, out), label = find_label(p, name, out);
  size_t n = strlen(name);
  return function || label || (n && name[n - 1] == '*');
}

void pv_exclusion_clear(struct pv_exclusion *x) {
  free(x->functions);
  pv_vec_free(&x->labels);
  *x = (struct pv_exclusion){0};
}

/* Inserts an empty atomic section before the edge. */
static void put_section(struct pv_function *f, uint32_t edge) {
  pv_loc inside = pv_loc_add(f), behind = pv_loc_add(f);
  struct pv_edge *e = &f->edges.at[edge];
  struct pv_edge begin = pv_edge_of(PV_OP_ATOMIC_BEGIN, e->from, inside);
  struct pv_edge end = pv_edge_of(PV_OP_ATOMIC_END, inside, behind);
  begin.span = end.span = e->span;
  begin.stmt = end.stmt = e->stmt;
  if (label_of(e)) {
    begin.text = e->text;
    e->text = NULL;
  }
  e->from = behind;
  pv_vec_push(&f->edges, begin);
  pv_vec_push(&f->edges, end);
}

static bool is_named(const struct pv_exclusion *x, const struct pv_edge *e) {
  const char *label = label_of(e);
  for (uint32_t i = 0; label && i < x->labels.n; i++)
    if (!strcmp(x->labels.at[i].name, label)) return true;
  return false;
}

void pv_exclusion_mark_found(struct pv_program *p, const struct pv_exclusion *x) {
  for (uint32_t f = 0; f < p->functions.n; f++) {
    struct pv_function *fn = &p->functions.at[f];
    uint32_t n = fn->edges.n;
    for (uint32_t i = 0; i < n; i++) {
      const struct pv_edge *e = &fn->edges.at[i];
      if ((x->functions[f] && e->op == PV_OP_RETURN) || is_named(x, e)) put_section(fn, i);
    }
    if (fn->edges.n > n) pv_function_finish(p, fn);
  }
}

enum pv_status pv_exclusion_mark(struct pv_program *p, const struct pv_texts *regions,
                                 struct pv_str *err) {
  struct pv_exclusion x;
  PV_TRY(pv_exclusion_find(p, regions, &x, err));
  pv_exclusion_mark_found(p, &x);
  pv_exclusion_clear(&x);
  return PV_OK;
}
