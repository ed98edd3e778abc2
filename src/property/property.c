#include "property/property.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct pv_property_info pv_property_table[PV_PROP_COUNT] = {
#define X(E, N, F, H) {N, F, H},
    PV_PROPERTIES(X)
#undef X
};

#define MEMSAFETY                                                                                  \
  (PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_VALID_FREE) |                            \
   PV_PROP_BIT(PV_PROP_VALID_MEMTRACK))

pv_properties pv_properties_default(void) {
  /* Invariants, observer automata, regions and formulas are checked if options add their property.
   */
  return (PV_PROP_BIT(PV_PROP_COUNT) - 1) &
         ~(PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) | PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP) |
           PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_OBSERVER) |
           PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION) | PV_PROP_TEMPORAL);
}

static pv_properties named(const char *name, size_t n) {
  static const char memsafety[] = "valid-memsafety";
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (strlen(pv_property_table[i].name) == n && !memcmp(pv_property_table[i].name, name, n))
      return PV_PROP_BIT(i);
  return n == strlen(memsafety) && !memcmp(name, memsafety, n) ? MEMSAFETY : 0;
}

enum pv_status pv_properties_parse(const char *list, pv_properties *set, struct pv_str *err) {
  pv_properties fresh = 0;
  for (;;) {
    size_t n = strcspn(list, ",");
    pv_properties one = named(list, n);
    if (!one) {
      if (!err) return PV_E_INPUT;
      pv_str_addf(err, "unknown property `%.*s`; there are ", (int)n, list);
      for (unsigned i = 0; i < PV_PROP_COUNT; i++)
        pv_str_addf(err, "%s, ", pv_property_table[i].name);
      pv_str_add(err, "valid-memsafety");
      return PV_E_INPUT;
    }
    fresh |= one;
    if (!list[n]) break;
    list += n + 1;
  }
  *set |= fresh;
  return PV_OK;
}

void pv_properties_print(pv_properties set, struct pv_str *out) {
  const char *separator = "";
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    if (!(set & PV_PROP_BIT(i))) continue;
    pv_str_addf(out, "%s%s", separator, pv_property_table[i].name);
    separator = ",";
  }
}

/* ---- property files --------------------------------------------------------------------------
 * CHECK( init(main()), LTL(FORMULA) ), any number of them, with blanks anywhere. The parser works
 * on the text without blanks. */
static bool same_without_blanks(const char *formula, const char *text, size_t n) {
  size_t i = 0;
  for (; *formula; formula++) {
    if (*formula == ' ') continue;
    if (i == n || text[i++] != *formula) return false;
  }
  return i == n;
}

static pv_properties of_formula(const char *text, size_t n) {
  static const struct {
    const char *formula;
    pv_properties set;
  } others[] = {{"G ! call(__VERIFIER_error())", PV_PROP_BIT(PV_PROP_UNREACH_CALL)},
                {"G ! label(ERROR)", PV_PROP_BIT(PV_PROP_UNREACH_CALL)},
                {"G no-deadlock", PV_PROP_BIT(PV_PROP_NO_DEADLOCK)},
                {"G no-overflow", PV_PROP_BIT(PV_PROP_NO_OVERFLOW)},
                {"G no-data-race", PV_PROP_BIT(PV_PROP_NO_DATA_RACE)},
                {"G valid-memsafety", MEMSAFETY}};
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (*pv_property_table[i].formula && same_without_blanks(pv_property_table[i].formula, text, n))
      return PV_PROP_BIT(i);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (same_without_blanks(others[i].formula, text, n)) return others[i].set;
  return 0;
}

/* Removes blanks in place, and line comments (# and //). */
static void strip_blanks(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++) {
    if (*from == '#' || (from[0] == '/' && from[1] == '/')) from += strcspn(from, "\n");
    if (!*from) break;
    if (!isspace((unsigned char)*from)) *to++ = *from;
  }
  *to = '\0';
}

/* Skips `word` if the text begins with it. */
static bool eat(const char **at, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*at, word, n) != 0) return false;
  *at += n;
  return true;
}

static void complain(const char *path, const char *what, const char *at, size_t n,
                     struct pv_str *err) {
  if (!err) return;
  pv_str_addf(err, "%s: %s: `", path, what);
  for (size_t i = 0; i < n && i < 60 && at[i]; i++)
    pv_str_addc(err, isprint((unsigned char)at[i]) ? at[i] : '?');
  pv_str_add(err, "`");
}

/* Parses one CHECK; *at is in the text without blanks. */
static enum pv_status read_check(const char *path, const char **at, pv_properties *set,
                                 struct pv_str *err) {
  const char *begin = *at;
  if (!eat(at, "CHECK(init(")) {
    complain(path, "not a property file: expected `CHECK( init(main()), LTL(...) )` at", begin, 60,
             err);
    return PV_E_INPUT;
  }
  if (!eat(at, "main()),")) {
    complain(path, "only init(main()) is known, not", begin, strcspn(begin, ","), err);
    return PV_E_INPUT;
  }
  if (!eat(at, "LTL(")) {
    complain(path, "expected LTL(...) at", *at, 60, err);
    return PV_E_INPUT;
  }
  const char *formula = *at;
  int depth = 1;
  for (; **at && depth; (*at)++) depth += **at == '(' ? 1 : **at == ')' ? -1 : 0;
  size_t n = (size_t)(*at - formula) - (depth ? 0 : 1);
  if (depth || !eat(at, ")")) {
    complain(path, "parentheses do not match in", begin, 60, err);
    return PV_E_INPUT;
  }
  pv_properties one = of_formula(formula, n);
  if (!one) complain(path, "this property is not supported", formula, n, err);
  *set |= one;
  return one ? PV_OK : PV_E_INPUT;
}

enum pv_status pv_properties_read_spec(const char *path, pv_properties *set, struct pv_str *err) {
  char *text;
  size_t n;
  pv_properties fresh = 0;
  PV_TRY(pv_read_file(path, 1 << 20, &text, &n, err));
  enum pv_status status = PV_OK;
  if (strlen(text) != n) {
    if (err) pv_str_addf(err, "%s: not a property file: it holds binary data", path);
    status = PV_E_INPUT;
  }
  if (status == PV_OK) {
    strip_blanks(text);
    const char *at = text;
    do status = read_check(path, &at, &fresh, err);
    while (status == PV_OK && *at);
  }
  free(text);
  if (status == PV_OK) *set |= fresh;
  return status;
}
