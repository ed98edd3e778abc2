#include "cli/entries.h"

#include "cli/outputs.h"
#include "frontend/compiled.h"
#include "proviso_internal.h"

#include <stdlib.h>
#include <string.h>

/* "dir/a.json" and "f" make "dir/a-f.json". */
static void insert(struct pv_texts *path, const char *entry) {
  if (!path->n || !strcmp(path->at[0], "-")) return;
  char *old = path->at[0], *slash = strrchr(old, '/'), *dot = strrchr(old, '.');
  if (!dot || (slash && dot < slash)) dot = old + strlen(old);
  path->at[0] = pv_format("%.*s-%s%s", (int)(dot - old), old, entry, dot);
  free(old);
}

/* From the best to the worst. */
static int rank(int status) {
  switch (status) {
  case 0: return 0;
  case 20: return 1;
  case 10: return 2;
  case PV_EXIT_INPUT: return 3;
  case PV_EXIT_INTERRUPTED: return 4;
  default: return 5;
  }
}

static int check_one(const struct pv_command *self, const char *entry, int argc, char **argv,
                     int (*check)(proviso *p), struct pv_compiled *compiled, struct pv_str *line) {
  proviso *p = proviso_new();
  p->compiled = compiled;
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status) {
    for (uint32_t i = 0; i < p->options.entry.n; i++) free(p->options.entry.at[i]);
    p->options.entry.n = 0;
    pv_vec_push(&p->options.entry, pv_strdup(entry));
    for (unsigned i = 0; i < pv_outputs_count(); i++)
      insert(pv_outputs_path(&p->options, i), entry);
    insert(&p->options.proviso, entry);
    insert(&p->options.work, entry);
    status = check(p);
    pv_str_add(line, p->checked ? proviso_result_line(p) : "unknown");
  }
  proviso_free(p);
  return status;
}

int pv_cli_check_entries(const struct pv_command *self, const struct pv_options *all, int argc,
                         char **argv, int (*check)(proviso *p)) {
  struct pv_str summary = {0}, worst_line = {0};
  struct pv_compiled *compiled = pv_compiled_new(); /* all entries need the same files */
  int worst = 0;
  for (uint32_t i = 0; i < all->entry.n; i++) {
    struct pv_str line = {0};
    char *title = pv_format("%s==== %s ====\n", i ? "\n" : "", all->entry.at[i]);
    pv_cli_print(title, 0);
    free(title);
    int status = check_one(self, all->entry.at[i], argc, argv, check, compiled, &line);
    pv_str_addf(&summary, "  %-24s %s\n", all->entry.at[i], pv_str_cstr(&line));
    if (!i || rank(status) > rank(worst)) {
      worst = status;
      pv_str_clear(&worst_line);
      pv_str_add(&worst_line, pv_str_cstr(&line));
    }
    pv_str_free(&line);
    if (status == PV_EXIT_INTERRUPTED) break;
  }
  char *text = pv_format("\n%u entries:\n%sVerification result: %s\n", all->entry.n,
                         pv_str_cstr(&summary), pv_str_cstr(&worst_line));
  worst = pv_cli_print(text, worst);
  free(text);
  pv_compiled_free(compiled);
  pv_str_free(&summary);
  pv_str_free(&worst_line);
  return worst;
}
