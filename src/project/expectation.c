#include "project/expectation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void pv_outcome_clear(struct pv_outcome *o) {
  free(o->line);
  for (uint32_t i = 0; i < o->provisos.n; i++) free(o->provisos.at[i]);
  pv_vec_free(&o->provisos);
  o->line = NULL;
}

/* A word as it stands beside any number: "states" as "state", "were" as "was". */
static void add_word(const char *word, size_t n, struct pv_str *out) {
  static const char *const plural[][2] = {{"were", "was"}, {"have", "has"}, {"are", "is"}};
  for (size_t i = 0; i < sizeof plural / sizeof *plural; i++)
    if (strlen(plural[i][0]) == n && !strncmp(word, plural[i][0], n)) {
      pv_str_add(out, plural[i][1]);
      return;
    }
  if (n > 3 && word[n - 1] == 's') n--;
  pv_str_addn(out, word, n);
}

char *pv_proviso_shape(const char *sentence) {
  struct pv_str out = {0};
  for (const char *c = sentence; *c;) {
    size_t n = 0;
    if (isdigit((unsigned char)*c)) {
      while (isdigit((unsigned char)*c) || (*c == '.' && isdigit((unsigned char)c[1]))) c++;
      pv_str_addc(&out, '#');
      continue;
    }
    while (isalpha((unsigned char)c[n]) || c[n] == '_') n++;
    if (n)
      add_word(c, n, &out);
    else
      pv_str_addc(&out, *c);
    c += n ? n : 1;
  }
  char *result = pv_strdup(pv_str_cstr(&out));
  pv_str_free(&out);
  return result;
}

static int rank(const char *line) {
  return !strcmp(line, "true") ? 3 : !strcmp(line, "conditional") ? 2 : !strcmp(line, "unknown");
}

/* The first proviso of `a` that `b` does not have, counted with repetitions; NULL: none. */
static const char *additional(const struct pv_outcome *a, const struct pv_outcome *b) {
  bool *used = pv_alloc((b->provisos.n + 1) * sizeof *used);
  const char *found = NULL;
  for (uint32_t i = 0; i < a->provisos.n && !found; i++) {
    char *shape = pv_proviso_shape(a->provisos.at[i]);
    bool is_there = false;
    for (uint32_t k = 0; k < b->provisos.n && !is_there; k++) {
      char *other = pv_proviso_shape(b->provisos.at[k]);
      if (!used[k] && !strcmp(shape, other)) used[k] = is_there = true;
      free(other);
    }
    if (!is_there) found = a->provisos.at[i];
    free(shape);
  }
  free(used);
  return found;
}

static enum pv_change_kind compare_errors(const char *before, const char *now, struct pv_str *why) {
  bool was_error = !strncmp(before, "false", 5), is_error = !strncmp(now, "false", 5);
  if (was_error && is_error) {
    if (!strcmp(before, now)) return PV_AS_BEFORE;
    pv_str_addf(why, "another error: %s instead of %s", now, before);
    return PV_WORSE;
  }
  if (is_error) {
    pv_str_addf(why, "%s instead of %s", now, before);
    return PV_WORSE;
  }
  bool is_lost = !strcmp(now, "unknown");
  pv_str_addf(why,
              is_lost ? "the error %s is neither found again nor excluded" : "the error %s is gone",
              before);
  return is_lost ? PV_WORSE : PV_BETTER;
}

enum pv_change_kind pv_outcome_compare(const struct pv_outcome *before,
                                       const struct pv_outcome *now, struct pv_str *why) {
  if (!before->line) return PV_NEW;
  if (!strncmp(before->line, "false", 5) || !strncmp(now->line, "false", 5))
    return compare_errors(before->line, now->line, why);
  int old = rank(before->line), new = rank(now->line);
  if (old != new) {
    pv_str_addf(why, "%s instead of %s", now->line, before->line);
    return new > old ? PV_BETTER : PV_WORSE;
  }
  const char *more = additional(now, before), *less = additional(before, now);
  if (more) pv_str_addf(why, "a new proviso: %s", more);
  if (more) return PV_WORSE;
  if (less) pv_str_addf(why, "a proviso is gone: %s", less);
  return less ? PV_BETTER : PV_AS_BEFORE;
}
