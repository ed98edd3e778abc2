/* sets.c -- variables of automata that are sets. A set is one global for each element that it may
 * have, made when the element is first named, and one that counts. */
#include "observer/weave.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements -------------------------------------------------------------------------------- */

/* Is it `(x)` with one token inside, neither the argument of a call nor a cast? */
static bool is_wrapped(const struct pv_tokens *t, uint32_t i) {
  static const char *const after[] = {")", "]", ",", ".", "->", "["};
  if (i + 2 >= t->n || !pv_token_is(t, i, "(") || !pv_token_is(t, i + 2, ")")) return false;
  if (i && (pv_token_is_name(t, i - 1) || pv_token_is(t, i - 1, ")") || pv_token_is(t, i - 1, "]")))
    return false;
  bool ends = i + 3 == t->n;
  for (size_t k = 0; k < sizeof after / sizeof *after; k++) ends |= pv_token_is(t, i + 3, after[k]);
  return ends;
}

/* Numbers are equal if their values are. */
static void add_token(const char *text, size_t n, struct pv_str *out) {
  char *word = pv_format("%.*s", (int)n, text), *end;
  unsigned long long value = strtoull(word, &end, 0);
  if (out->n) pv_str_addc(out, ' ');
  if (isdigit((unsigned char)*word) && !*end && value < UINT64_MAX)
    pv_str_addf(out, "%llu", value);
  else
    pv_str_add(out, word);
  free(word);
}

char *pv_weave_element(struct pv_tokens t) {
  struct pv_str out = {0};
  t = pv_tokens_inner(t);
  for (uint32_t i = 0; i < t.n; i++) {
    bool wrapped = is_wrapped(&t, i);
    const struct pv_token *at = &t.at[i + wrapped];
    add_token(t.text + at->at, at->n, &out);
    i += wrapped ? 2 : 0;
  }
  return out.at ? out.at : pv_strdup("");
}

char *pv_weave_substitute(const char *text, const struct pv_bindings *b, bool wraps,
                          char *missing) {
  struct pv_str out = {0};
  for (const char *c = text; *c; c++) {
    if (c[0] == '$' && c[1] == '$') {
      pv_str_add(&out, "$$");
      c++;
    } else if (*c == '$' && c[1] >= '1' && c[1] <= '9') {
      const struct pv_tokens *t = &b->wildcard[c[1] - '1'];
      *missing = c[1];
      if (!t->n) {
        pv_str_free(&out);
        return NULL;
      }
      if (wraps) pv_str_addc(&out, '(');
      pv_tokens_text(t, &out);
      if (wraps) pv_str_addc(&out, ')');
      c++;
    } else {
      pv_str_addc(&out, *c);
    }
  }
  return out.at ? out.at : pv_strdup("");
}

/* ---- variables ------------------------------------------------------------------------------- */

/* The global of an element, made if there is none yet. */
static uint32_t element(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t variable,
                        const char *text, bool initial) {
  for (uint32_t i = 0; i < a->elements.n; i++)
    if (a->elements.at[i].variable == variable && !strcmp(a->elements.at[i].text, text))
      return a->elements.at[i].global;
  struct pv_woven_element x = {.variable = variable, .text = pv_strdup(text)};
  char *name = pv_format("%s_%u", a->a->variables.at[variable].name, a->elements.n);
  x.global = pv_weave_add_global(w, a->a->name, name, initial);
  free(name);
  pv_vec_push(&a->elements, x);
  return x.global;
}

void pv_weave_set_begin(struct pv_weave *w, struct pv_woven_automaton *a) {
  for (uint32_t i = 0; i < a->a->variables.n; i++) {
    const struct pv_automaton_variable *v = &a->a->variables.at[i];
    uint32_t before = a->elements.n;
    for (uint32_t k = 0; k < v->elements.n; k++) {
      pv_token_list list = {0};
      const char *text = v->elements.at[k];
      pv_tokenise(text, 0, strlen(text), &list);
      char *canonical = pv_weave_element((struct pv_tokens){text, list.at, list.n});
      element(w, a, i, canonical, true);
      free(canonical);
      pv_vec_free(&list);
    }
    w->p->globals.at[a->first + i].init[0] |= (uint8_t)(a->elements.n - before);
    w->p->globals.at[a->first + i].init[1] |= (uint8_t)((a->elements.n - before) >> 8);
  }
}

pv_expr pv_weave_set_has(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t variable,
                         const char *text) {
  return pv_weave_load(w, pv_weave_global(w, element(w, a, variable, text, false)), PV_INT(32));
}

void pv_weave_set_act(struct pv_weave *w, struct pv_woven_automaton *a,
                      const struct pv_automaton_transition *t,
                      const struct pv_automaton_action *action, const struct pv_bindings *b) {
  struct pv_program *p = w->p;
  pv_type type = PV_INT(32);
  char missing = 0, *text = pv_weave_substitute(action->element, b, false, &missing);
  pv_token_list list = {0};
  if (!text) {
    pv_weave_wrong(w, a, t->at, "`$%c` is not matched by this trigger", missing);
    return;
  }
  if (strstr(text, "$$"))
    pv_weave_wrong(w, a, t->at, "the element `%.40s` is not known before the program runs", text);
  pv_tokenise(text, 0, strlen(text), &list);
  char *canonical = pv_weave_element((struct pv_tokens){text, list.at, list.n});
  uint32_t global = element(w, a, action->variable, canonical, false);
  pv_expr is = pv_weave_load(w, pv_weave_global(w, global), type);
  pv_expr n = pv_weave_load(w, pv_weave_global(w, a->first + action->variable), type);
  pv_expr one = pv_mk_const(p, type, action->value);
  n = pv_mk_binary(p, PV_X_SUB, 0, type, pv_mk_binary(p, PV_X_ADD, 0, type, n, one), is);
  pv_weave_store(w, a->first + action->variable, n);
  pv_weave_store(w, global, one);
  free(canonical);
  free(text);
  pv_vec_free(&list);
}
