/* text_formats.c -- texts that match formats of scanf. */
#include "frontend/text_values.h"

#include <string.h>
struct conversion {
  bool number;    /* otherwise text */
  char letter;    /* a character that the text may contain */
  uint64_t width; /* 0: unbounded */
};

/* A character of a set in brackets; moves *f behind the set. */
static char letter_of_set(const char **f) {
  bool negated = **f == '^';
  const char *set = *f += negated, *end = *set ? strchr(set + 1, ']') : NULL;
  *f = end ? end + 1 : set + strlen(set);
  if (!negated) return *set;
  for (char letter = 'a'; letter <= 'z'; letter++)
    if (!memchr(set, letter, (size_t)(*f - set))) return letter;
  return 'a';
}

/* The conversion after the `%` before *f. Returns false if nothing is converted. */
static bool next_conversion(const char **f, struct conversion *out) {
  *out = (struct conversion){.letter = 'a'};
  while (**f && strchr("*hlLjztm0123456789", **f)) {
    if (**f >= '0' && **f <= '9') out->width = out->width * 10 + (uint64_t)(**f - '0');
    ++*f;
  }
  char kind = **f;
  if (kind) ++*f;
  if (kind == '[') out->letter = letter_of_set(f);
  out->number = kind && strchr("diouxXeEfFgGaAp", kind);
  return kind && kind != 'n';
}

/* Writes the format with `value` for conversion `which` and ordinary values for the others, up to
 * conversion `end`. Returns the number of conversions filled in. */
static unsigned fill_in(struct pv_str *s, const char *f, unsigned which, const struct pv_str *value,
                        unsigned end) {
  struct conversion c;
  unsigned n = 0;
  while (*f) {
    char letter = *f++;
    if (letter != '%' || *f == '%') {
      f += letter == '%';
      pv_str_addc(s, letter);
    } else if (next_conversion(&f, &c)) {
      if (n == end) return n;
      if (n == which)
        pv_str_addn(s, value->at, value->n);
      else
        pv_str_addc(s, c.number ? '1' : c.letter);
      n++;
    }
  }
  return n;
}

static struct conversion conversion(const char *f, unsigned which) {
  struct conversion c = {0};
  for (unsigned n = 0; *f;) {
    if (*f++ != '%') continue;
    if (*f == '%')
      f++;
    else if (next_conversion(&f, &c) && n++ == which)
      return c;
  }
  return c;
}

/* Value number `v` for a conversion. Returns false if there is none. */
static bool value_for(const struct conversion *conversion, const struct pv_clues *c,
                      const struct pv_text_list *numbers, uint32_t v, struct pv_str *out) {
  pv_str_clear(out);
  if (conversion->number) {
    if (v >= numbers->list.n) return false;
    pv_str_addn(out, (char *)numbers->list.at[v].bytes, numbers->list.at[v].n);
    return true;
  }
  if (v >= 1 + 3 * c->n_sizes) return false;
  uint64_t n = v ? c->size[(v - 1) / 3] + (v - 1) % 3 - 1 : pv_texts_longest(c, 16);
  if (conversion->width && v < 2) n = conversion->width;
  pv_texts_repeat(out, &conversion->letter, 1, n);
  return true;
}

void pv_texts_add_formats(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  struct pv_text_list numbers = {.most = 0};
  struct pv_str s = {0}, value = {0};
  (void)least;
  pv_texts_few_numbers(&numbers, c);
  for (uint32_t v = 0; v < PV_TEXTS_FEW + 3 * c->n_sizes; v++)
    for (uint32_t i = 0; i < c->n_formats; i++) {
      unsigned n = fill_in(&s, c->format[i], UINT32_MAX, &value, UINT32_MAX);
      pv_texts_add_str(t, &s);
      for (unsigned k = 0; k < n; k++) {
        struct conversion which = conversion(c->format[i], k);
        if (v == 0) fill_in(&s, c->format[i], UINT32_MAX, &value, k), pv_texts_add_str(t, &s);
        if (!value_for(&which, c, &numbers, v, &value)) continue;
        fill_in(&s, c->format[i], k, &value, UINT32_MAX);
        pv_texts_add_str(t, &s);
      }
    }
  pv_str_free(&s);
  pv_str_free(&value);
  pv_texts_free(&numbers);
}
