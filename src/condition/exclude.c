#include "condition/exclude.h"

#include <stdlib.h>
#include <string.h>

/* Is the path the file, or does it end with it after a slash? */
static bool is_file(const char *path, const char *name) {
  size_t n = strlen(path), m = strlen(name);
  return n >= m && !strcmp(path + n - m, name) && (n == m || path[n - m - 1] == '/');
}

static bool is_named(const struct pv_program *p, const struct pv_function *f, const char *name) {
  if (!f->defined || f->is_library) return false;
  return !strcmp(f->name, name) || is_file(pv_span_file(p, f->span), name);
}

/* The function's body becomes the end of the path. */
static void cut(struct pv_program *p, struct pv_function *f) {
  char *text = pv_format("no error lies in or behind a call of `%s`, which is excluded", f->name);
  f->edges.n = f->locs.n = f->labels.n = 0;
  f->entry = pv_loc_add(f);
  f->exit = pv_loc_add(f);
  struct pv_edge stop = pv_edge_of(PV_OP_STOP, f->entry, f->exit);
  stop.aux = PV_STOP_OBSERVER;
  stop.span = f->span;
  stop.text = pv_program_string(p, text);
  pv_vec_push(&f->edges, stop);
  pv_function_finish(p, f);
  free(text);
}

enum pv_status pv_exclude(struct pv_program *p, const char *name, const char *start,
                          struct pv_str *err) {
  bool any = false;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    struct pv_function *f = &p->functions.at[i];
    if (!is_named(p, f, name) || (!strcmp(f->name, start) && strcmp(name, start) != 0)) continue;
    if (!strcmp(f->name, start)) {
      pv_str_addf(err, "option `--exclude`: the program starts with `%s`", name);
      return PV_E_INPUT;
    }
    cut(p, f);
    any = true;
  }
  if (any) return PV_OK;
  pv_str_addf(err, "option `--exclude`: no function, and no file with one, is called `%s`", name);
  return PV_E_INPUT;
}
