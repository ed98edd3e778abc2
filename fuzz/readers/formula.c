/* formula.c -- the reader of formulas, for readers.c: what is read becomes an automaton, within a bound that is small. */
#include "ltl/automaton.h"

void pv_fuzz_formula(const char *text, size_t n, struct pv_str *err);

void pv_fuzz_formula(const char *text, size_t n, struct pv_str *err) {
  enum { STEPS = 1 << 16 };
  struct pv_ltl l;
  struct pv_labels labels;
  struct pv_automaton a;
  pv_formula f;
  struct pv_str out = {0};
  pv_ltl_init(&l);
  pv_labels_init(&labels);
  l.budget.most = STEPS;
  if (pv_ltl_parse(&l, text, &f, err) == PV_OK &&
      pv_ltl_buchi(&l, &labels, f, n % 2, &a) == PV_OK) {
    pv_automaton_print(&a, &l, text, PV_AUTOMATON_TEXT, &out);
    pv_automaton_clear(&a);
  }
  pv_labels_free(&labels);
  pv_ltl_free(&l);
  pv_str_free(&out);
}
