/* print.c -- automata as text, DOT, HOA (Babiak et al., "The Hanoi Omega-Automata Format", CAV
 * 2015) and SPIN's never claims. */
#include "ltl/automaton.h"

struct cube_text {
  const struct pv_ltl *l;
  struct pv_str *out;
  bool numbers; /* instead of names */
  const char *and, * or ;
  bool more;
};

static void add_cube(void *user, const uint8_t *value) {
  struct cube_text *c = user;
  bool first = true;
  if (c->more) pv_str_add(c->out, c->or);
  c->more = true;
  for (uint32_t i = 0; i < c->l->names.n; i++) {
    if (value[i] == 2) continue;
    if (!first) pv_str_add(c->out, c->and);
    first = false;
    if (!value[i]) pv_str_addc(c->out, '!');
    if (c->numbers)
      pv_str_addf(c->out, "%u", i);
    else
      pv_str_add(c->out, c->l->names.at[i]);
  }
  if (first) pv_str_add(c->out, c->numbers ? "t" : "1");
}

static void add_label(const struct pv_buchi *a, const struct pv_ltl *l, pv_label label,
                      enum pv_buchi_format format, struct pv_str *out) {
  bool numbers = format == PV_BUCHI_HOA, never = format == PV_BUCHI_SPIN;
  struct cube_text c = {l, out, numbers, never ? " && " : "&", never ? ") || (" : " | ", false};
  pv_label_cubes(a->labels, label, l->names.n, add_cube, &c);
}

static bool accepts(const struct pv_buchi *a, uint32_t q) {
  const struct pv_buchi_state *s = &a->state.at[q];
  return !a->marks || (a->by_state && s->out.n && s->out.at[0].marks);
}

static void add_marks(const struct pv_buchi *a, uint64_t marks, struct pv_str *out) {
  if (a->by_state || !marks) return;
  pv_str_add(out, " {");
  for (uint32_t m = 0, n = 0; m < a->marks; m++)
    if (marks >> m & 1) pv_str_addf(out, n++ ? " %u" : "%u", m);
  pv_str_addc(out, '}');
}

static void print_text(const struct pv_buchi *a, const struct pv_ltl *l, struct pv_str *out) {
  for (uint32_t q = 0; q < a->state.n; q++) {
    pv_str_addf(out, "state %u%s%s\n", q, q == a->initial ? ", initial" : "",
                a->by_state && accepts(a, q) ? ", accepting" : "");
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      pv_str_addf(out, "  to %u", t->to);
      add_marks(a, t->marks, out);
      pv_str_add(out, " if ");
      add_label(a, l, t->label, PV_BUCHI_TEXT, out);
      pv_str_addc(out, '\n');
    }
  }
}

static void print_dot(const struct pv_buchi *a, const struct pv_ltl *l, struct pv_str *out) {
  pv_str_add(out,
             "digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n  start [shape=point]\n");
  pv_str_addf(out, "  start -> %u\n", a->initial);
  for (uint32_t q = 0; q < a->state.n; q++) {
    if (a->by_state && accepts(a, q)) pv_str_addf(out, "  %u [shape=doublecircle]\n", q);
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      struct pv_str label = {0};
      add_label(a, l, t->label, PV_BUCHI_DOT, &label);
      add_marks(a, t->marks, &label);
      pv_str_addf(out, "  %u -> %u [label=\"", q, t->to);
      for (const char *c = pv_str_cstr(&label); *c; c++) {
        if (*c == '"' || *c == '\\') pv_str_addc(out, '\\');
        pv_str_addc(out, *c);
      }
      pv_str_add(out, "\"]\n");
      pv_str_free(&label);
    }
  }
  pv_str_add(out, "}\n");
}

static void add_quoted(const char *text, struct pv_str *out) {
  pv_str_addc(out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') pv_str_addc(out, '\\');
    pv_str_addc(out, *text);
  }
  pv_str_addc(out, '"');
}

static void print_hoa(const struct pv_buchi *a, const struct pv_ltl *l, const char *name,
                      struct pv_str *out) {
  pv_str_add(out, "HOA: v1\nname: ");
  add_quoted(name, out);
  pv_str_addf(out, "\nStates: %u\nStart: %u\nAP: %u", a->state.n, a->initial, l->names.n);
  for (uint32_t i = 0; i < l->names.n; i++) {
    pv_str_addc(out, ' ');
    add_quoted(l->names.at[i], out);
  }
  if (!a->marks)
    pv_str_add(out, "\nacc-name: all\nAcceptance: 0 t\n");
  else if (a->marks == 1)
    pv_str_add(out, "\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
  else {
    pv_str_addf(out, "\nacc-name: generalized-Buchi %u\nAcceptance: %u", a->marks, a->marks);
    for (uint32_t m = 0; m < a->marks; m++) pv_str_addf(out, m ? "&Inf(%u)" : " Inf(%u)", m);
    pv_str_addc(out, '\n');
  }
  pv_str_addf(out, "properties: trans-labels explicit-labels %s\n--BODY--\n",
              a->by_state ? "state-acc" : "trans-acc");
  for (uint32_t q = 0; q < a->state.n; q++) {
    pv_str_addf(out, "State: %u%s\n", q, a->marks && accepts(a, q) ? " {0}" : "");
    for (uint32_t i = 0; i < a->state.at[q].out.n; i++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[i];
      pv_str_addc(out, '[');
      add_label(a, l, t->label, PV_BUCHI_HOA, out);
      pv_str_addf(out, "] %u", t->to);
      add_marks(a, t->marks, out);
      pv_str_addc(out, '\n');
    }
  }
  pv_str_add(out, "--END--\n");
}

static void add_never_name(const struct pv_buchi *a, uint32_t q, struct pv_str *out) {
  pv_str_addf(out, "%s_%s%u", accepts(a, q) ? "accept" : "T0", q == a->initial ? "init" : "S", q);
}

/* For automata with marks on states. */
static void print_never(const struct pv_buchi *a, const struct pv_ltl *l, const char *name,
                        struct pv_str *out) {
  pv_str_addf(out, "never { /* %s */\n", name);
  for (uint32_t i = 0; i < a->state.n; i++) { /* the initial state comes first */
    uint32_t q = i == 0 ? a->initial : i <= a->initial ? i - 1 : i;
    add_never_name(a, q, out);
    pv_str_add(out, ":\n  if\n");
    for (uint32_t k = 0; k < a->state.at[q].out.n; k++) {
      const struct pv_buchi_transition *t = &a->state.at[q].out.at[k];
      pv_str_add(out, "  :: ((");
      add_label(a, l, t->label, PV_BUCHI_SPIN, out);
      pv_str_add(out, ")) -> goto ");
      add_never_name(a, t->to, out);
      pv_str_addc(out, '\n');
    }
    if (!a->state.at[q].out.n) pv_str_add(out, "  :: false\n");
    pv_str_add(out, "  fi;\n");
  }
  pv_str_add(out, "}\n");
}

void pv_buchi_print(const struct pv_buchi *a, const struct pv_ltl *l, const char *name,
                    enum pv_buchi_format format, struct pv_str *out) {
  switch (format) {
  case PV_BUCHI_TEXT: print_text(a, l, out); break;
  case PV_BUCHI_DOT: print_dot(a, l, out); break;
  case PV_BUCHI_HOA: print_hoa(a, l, name, out); break;
  case PV_BUCHI_SPIN: print_never(a, l, name, out); break;
  }
}
