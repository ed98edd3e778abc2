#include "ltl/spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define STUCK  "(no thread can move)"
#define INSIDE "(inside of an instant)"

static void add_claim(struct pv_ltl_spec *s, const struct pv_options *o, enum pv_property property,
                      const char *text, pv_formula f) {
  bool fair = property == PV_PROP_NO_LIVELOCK || property == PV_PROP_STARVATION_FREE;
  struct pv_claim c = {property, pv_strdup(text), f, fair || o->fair};
  pv_vec_push(&s->claim, c);
}

static pv_formula named(struct pv_ltl *l, const char *name, bool positive) {
  return pv_ltl_prop(l, pv_ltl_name(l, name, strlen(name)), positive);
}

/* The ready-made properties. */
static void add_ready_made(struct pv_ltl_spec *s, const struct pv_options *o) {
  struct pv_ltl *l = &s->ltl;
  if (o->properties & PV_PROP_BIT(PV_PROP_TERMINATION))
    add_claim(s, o, PV_PROP_TERMINATION, "<> end", pv_ltl_finally(l, named(l, "end", true)));
  if (o->properties & PV_PROP_BIT(PV_PROP_NO_LIVELOCK)) {
    pv_formula f = pv_ltl_or(l, named(l, "@progress*", true), named(l, STUCK, true));
    add_claim(s, o, PV_PROP_NO_LIVELOCK, "[] <> progress",
              pv_ltl_globally(l, pv_ltl_finally(l, f)));
  }
  if (o->properties & PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT)) {
    pv_formula f = pv_ltl_or(l, named(l, INSIDE, false), named(l, STUCK, true));
    add_claim(s, o, PV_PROP_NO_ENDLESS_INSTANT, "[] <> the instant ends",
              pv_ltl_globally(l, pv_ltl_finally(l, f)));
  }
  bool starves = o->properties & PV_PROP_BIT(PV_PROP_STARVATION_FREE);
  for (uint32_t i = 0; i < o->starvation_free.n && starves; i++)
    for (unsigned t = 0; t < PV_STARVING_THREADS; t++) {
      char *name = pv_format("%u@%s", t, o->starvation_free.at[i]);
      char *text = pv_format("thread %u in `%s`", t, o->starvation_free.at[i]);
      pv_formula f = pv_ltl_finally(l, named(l, name, false));
      add_claim(s, o, PV_PROP_STARVATION_FREE, text, pv_ltl_globally(l, f));
      free(name);
      free(text);
    }
}

/* The proposition that a name or its definition stands for. */
static struct pv_proposition meaning(const char *name, const char *expression) {
  const char *text = expression ? expression : name, *at = strchr(text, '@');
  struct pv_proposition p = {.kind = PV_IS_EXPRESSION, .thread = PV_ANY_THREAD};
  if (!expression && !strcmp(name, "end")) p.kind = PV_IS_END;
  if (!expression && !strcmp(name, STUCK)) p.kind = PV_IS_STUCK;
  if (!expression && !strcmp(name, INSIDE)) p.kind = PV_IS_INSIDE;
  size_t digits = strspn(text, "0123456789");
  if (at && text + digits == at && digits < 4) {
    p.kind = PV_IS_PLACE;
    if (digits) p.thread = (uint32_t)strtoul(text, NULL, 10);
    text = at + 1;
  }
  p.text = pv_strdup(text);
  return p;
}

/* Splits NAME = EXPR. Returns the expression, or NULL. */
static const char *definition(const char *text, const char **name, size_t *n) {
  text += strspn(text, " \t\n");
  *name = text;
  for (*n = 0; isalnum((unsigned char)text[*n]) || text[*n] == '_';) ++*n;
  const char *equals = text + *n + strspn(text + *n, " \t\n");
  if (!*n || isdigit((unsigned char)*text) || equals[0] != '=' || equals[1] == '=') return NULL;
  equals++;
  equals += strspn(equals, " \t\n");
  return *equals ? equals : NULL;
}

static const char *defined_as(const struct pv_options *o, const char *wanted) {
  for (uint32_t i = 0; i < o->ap.n; i++) {
    const char *name;
    size_t n;
    const char *expression = definition(o->ap.at[i], &name, &n);
    if (expression && strlen(wanted) == n && !strncmp(wanted, name, n)) return expression;
  }
  return NULL;
}

static enum pv_status check_definitions(const struct pv_options *o, const struct pv_ltl_spec *s,
                                        struct pv_str *err) {
  const char *name, *other;
  size_t n, m;
  for (uint32_t i = 0; i < o->ap.n; i++) {
    if (!definition(o->ap.at[i], &name, &n)) {
      pv_str_addf(err, "option `--ap`: `%s` is not `NAME = EXPR`", o->ap.at[i]);
      return PV_E_INPUT;
    }
    for (uint32_t k = 0; k < i; k++)
      if (definition(o->ap.at[k], &other, &m) && n == m && !strncmp(name, other, n)) {
        pv_str_addf(err, "option `--ap`: `%.*s` is defined more than once", (int)n, name);
        return PV_E_INPUT;
      }
    bool used = false;
    for (uint32_t k = 0; k < s->ltl.names.n; k++)
      used |= strlen(s->ltl.names.at[k]) == n && !strncmp(s->ltl.names.at[k], name, n);
    if (!used) {
      pv_str_addf(err, "option `--ap`: `%.*s` occurs in no formula", (int)n, name);
      return PV_E_INPUT;
    }
  }
  return PV_OK;
}

enum pv_status pv_ltl_spec_read(const struct pv_options *o, struct pv_ltl_spec *out,
                                struct pv_str *err) {
  pv_formula f;
  *out = (struct pv_ltl_spec){0};
  pv_ltl_init(&out->ltl);
  for (uint32_t i = 0; i < o->ltl.n && (o->properties & PV_PROP_BIT(PV_PROP_LTL)); i++) {
    PV_TRY(pv_ltl_parse(&out->ltl, o->ltl.at[i], &f, err));
    add_claim(out, o, PV_PROP_LTL, o->ltl.at[i], f);
  }
  add_ready_made(out, o);
  if (out->ltl.names.n > PV_MOST_PROPOSITIONS) {
    pv_str_addf(err, "option `--ltl`: there are more than %d propositions", PV_MOST_PROPOSITIONS);
    return PV_E_INPUT;
  }
  PV_TRY(check_definitions(o, out, err));
  for (uint32_t i = 0; i < out->ltl.names.n; i++) {
    const char *name = out->ltl.names.at[i];
    pv_vec_push(&out->proposition, meaning(name, defined_as(o, name)));
  }
  return PV_OK;
}

void pv_ltl_spec_clear(struct pv_ltl_spec *s) {
  for (uint32_t i = 0; i < s->proposition.n; i++) free(s->proposition.at[i].text);
  for (uint32_t i = 0; i < s->claim.n; i++) free(s->claim.at[i].text);
  pv_vec_free(&s->proposition);
  pv_vec_free(&s->claim);
  pv_ltl_free(&s->ltl);
}
