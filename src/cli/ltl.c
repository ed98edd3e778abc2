/* ltl.c -- `proviso ltl FORMULA`: prints the automaton of a formula. */
#include <string.h>

#include "cli/cli.h"
#include "ltl/automaton.h"

static enum pv_buchi_format format_of(const struct pv_options *o) {
  const char *name = pv_options_choice_name("format", o->format);
  return !strcmp(name, "dot")     ? PV_BUCHI_DOT
         : !strcmp(name, "hoa")   ? PV_BUCHI_HOA
         : !strcmp(name, "never") ? PV_BUCHI_SPIN
                                  : PV_BUCHI_TEXT;
}

/* Nothing is printed, because the work was too much. */
static int give_up(const struct pv_options *o) {
  struct pv_str text = {0};
  enum pv_limit hit = o->limits.hit;
  pv_str_add(&text, "the automaton is too large");
  if (hit != PV_LIMIT_NONE)
    pv_str_addf(&text, ": a limit (%s) was reached before it was complete", pv_limit_name(hit));
  int status = pv_cli_complain(pv_str_cstr(&text), PV_EXIT_INPUT);
  pv_str_free(&text);
  return status;
}

static int print(struct pv_options *o) {
  enum pv_buchi_format format = format_of(o);
  bool by_state = !o->generalised || format == PV_BUCHI_SPIN;
  struct pv_ltl l;
  struct pv_labels labels;
  struct pv_buchi a;
  struct pv_str text = {0};
  pv_formula f;
  int status = PV_EXIT_INPUT;
  pv_ltl_init(&l);
  l.budget.limits = &o->limits;
  pv_labels_init(&labels);
  pv_limits_start(&o->limits);
  if (pv_ltl_parse(&l, o->files.at[0], &f, &text) != PV_OK) {
    if (o->limits.hit != PV_LIMIT_NONE)
      give_up(o);
    else
      pv_cli_complain(pv_str_cstr(&text), status);
  } else if (pv_ltl_buchi(&l, &labels, f, by_state, &a) != PV_OK) {
    give_up(o);
  } else {
    pv_buchi_print(&a, &l, o->files.at[0], format, &text);
    status = l.budget.over ? give_up(o) : pv_cli_print(pv_str_cstr(&text), 0);
    pv_buchi_clear(&a);
  }
  pv_labels_free(&labels);
  pv_ltl_free(&l);
  pv_str_free(&text);
  return status;
}

int pv_cli_ltl(const struct pv_command *self, int argc, char **argv) {
  struct pv_options o;
  pv_options_init(&o);
  int status = pv_cli_parse(self, &o, argc, argv);
  if (!status && (o.limits.states || o.limits.depth))
    status = pv_cli_complain("option `--limit`: only time and memory bound the work on a formula",
                             PV_EXIT_INPUT);
  if (!status) status = print(&o);
  pv_options_free(&o);
  return status;
}
