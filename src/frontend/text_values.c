#include "frontend/text_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LIST = 80, MOST_FAMILIES = 16 };

static bool pv_texts_full(const struct pv_text_list *t) {
  return t->list.n >= t->most;
}

bool pv_texts_add(struct pv_text_list *t, const void *bytes, size_t n) {
  bool is_new;
  if (pv_texts_full(t) || n > PV_TEXTS_LONGEST) return false;
  struct pv_text text = {pv_alloc(n + 1), (uint32_t)n};
  memcpy(text.bytes, bytes, n);
  text.bytes[n] = '.'; /* so that the key of the empty text is not empty */
  pv_map_put(&t->known, text.bytes, n + 1, 1, &is_new);
  if (is_new)
    pv_vec_push(&t->list, text);
  else
    free(text.bytes);
  return is_new;
}

void pv_texts_add_str(struct pv_text_list *t, struct pv_str *s) {
  pv_texts_add(t, s->n ? s->at : "", s->n);
  pv_str_clear(s);
}

void pv_texts_add_all(struct pv_text_list *t, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++) pv_texts_add(t, words[i], strlen(words[i]));
}

void pv_texts_repeat(struct pv_str *s, const char *what, size_t n, uint64_t times) {
  for (uint64_t i = 0; i < times && s->n < PV_TEXTS_LONGEST; i++) pv_str_addn(s, what, n);
}

void pv_texts_add_repeated(struct pv_text_list *t, const char *before, const char *what,
                           uint64_t times, const char *behind) {
  struct pv_str s = {0};
  pv_str_add(&s, before);
  pv_texts_repeat(&s, what, strlen(what), times);
  pv_str_add(&s, behind);
  pv_texts_add_str(t, &s);
  pv_str_free(&s);
}

void pv_texts_add_joined(struct pv_text_list *t, const char *a, const char *b, const char *c) {
  struct pv_str s = {0};
  pv_str_add(&s, a);
  pv_str_add(&s, b);
  pv_str_add(&s, c);
  pv_texts_add_str(t, &s);
  pv_str_free(&s);
}

void pv_texts_free(struct pv_text_list *t) {
  for (uint32_t i = 0; i < t->list.n; i++) free(t->list.at[i].bytes);
  pv_vec_free(&t->list);
  pv_map_free(&t->known);
}

/* Adds the texts of all families: in each turn `share[i]` new ones of family i. */
void pv_texts_take_turns(struct pv_text_list *out, const struct pv_text_list *family,
                         const unsigned *share, unsigned n) {
  uint32_t next[MOST_FAMILIES] = {0};
  for (bool any = true; any && !pv_texts_full(out);) {
    any = false;
    for (unsigned i = 0; i < n; i++)
      for (unsigned taken = 0; taken < share[i] && next[i] < family[i].list.n; next[i]++) {
        const struct pv_text *text = &family[i].list.at[next[i]];
        taken += pv_texts_add(out, text->bytes, text->n);
        any = true;
      }
  }
}

/* ---- families of values: for arguments, environment variables, lines
 * -------------------------- */
const char *pv_texts_string(const struct pv_text_list *t, uint32_t i, char out[32]) {
  snprintf(out, 32, "%.*s", (int)t->list.at[i].n, (char *)t->list.at[i].bytes);
  return out;
}

static const char *special(const struct pv_clues *c, uint32_t i, char out[2]) {
  out[0] = (char)c->special[i];
  out[1] = 0;
  return out;
}

uint64_t pv_texts_longest(const struct pv_clues *c, uint64_t least) {
  uint64_t n = least;
  for (uint32_t i = 0; i < c->n_sizes; i++)
    if (c->size[i] + 8 > n) n = c->size[i] + 8;
  return n;
}

/* Texts longer than the largest array; then texts around the size of each array, also divided by
 * two, three and four, for programs that expand a byte to so many (escapes, hexadecimal digits,
 * runs). */
static void add_plain(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  pv_texts_add(t, "a", 1);
  pv_texts_add_repeated(t, "", "a", pv_texts_longest(c, least), "");
  pv_texts_add_repeated(t, "", "a", least, "");
  pv_texts_add(t, "", 0);
  for (uint64_t share = 1; share <= 4; share++)
    for (uint32_t i = 0; i < c->n_sizes; i++)
      for (uint64_t d = 0; d < 3; d++)
        if (c->size[i] / share + d > 0)
          pv_texts_add_repeated(t, "", "a", c->size[i] / share + d - 1, "");
  for (uint64_t i = 2; i < least; i++) pv_texts_add_repeated(t, "", "a", i, "");
}

static void add_number(struct pv_text_list *t, int64_t n) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, n);
  pv_texts_add(t, text, strlen(text));
}

static void add_numbers(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  static const char *const always[] = {"0", "1", "-1", "2147483647", "-2147483648", "9", "10"};
  static const char *const rare[] = {"9223372036854775807",
                                     "-9223372036854775808",
                                     "99999999999999999999",
                                     "2147483648",
                                     "4294967295",
                                     "4294967296",
                                     "2",
                                     "127",
                                     "128",
                                     "255",
                                     "256",
                                     "65535",
                                     "65536"};
  (void)least;
  PV_TEXTS_ADD_ALL(t, always);
  for (int d = 0; d < 3; d++)
    for (uint32_t i = 0; i < c->n_sizes + c->n_numbers; i++) {
      int64_t n = i < c->n_sizes ? (int64_t)c->size[i] : c->number[i - c->n_sizes];
      if (n != INT64_MAX && n != INT64_MIN) add_number(t, n + (d == 2 ? -1 : d));
    }
  PV_TEXTS_ADD_ALL(t, rare);
}

/* A few numbers, for combinations with something else. */
void pv_texts_few_numbers(struct pv_text_list *t, const struct pv_clues *c) {
  static const char *const first[] = {"1", "0", "-1"};
  t->most = PV_TEXTS_FEW;
  PV_TEXTS_ADD_ALL(t, first);
  for (uint32_t i = 0; i < c->n_numbers && t->list.n < PV_TEXTS_FEW - 3; i++)
    add_number(t, c->number[i]);
  for (uint32_t i = 0; i < c->n_sizes; i++) add_number(t, (int64_t)c->size[i]);
  pv_texts_add(t, "2147483647", 10);
}

/* Numbers in other spellings, and texts that are almost numbers. */
static void add_spellings(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  static const char *const all[] = {"1a", "-",   "+1", " 1",    "1 ",  "01",  "0x1f",
                                    "a1", "1.5", "+",  "1e400", "nan", "-0.0"};
  static const char *const floats[] = {"1.5",  "1e400", "-1e400", "nan", "1e10",
                                       "-0.5", "0.1",   "1e-400", ".",   "-1e10"};
  (void)least;
  if (c->floats) PV_TEXTS_ADD_ALL(t, floats);
  PV_TEXTS_ADD_ALL(t, all);
}

static void add_words(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  for (uint32_t i = 0; i < c->n_words; i++) pv_texts_add(t, c->word[i], strlen(c->word[i]));
  for (uint32_t i = 0; i < c->n_words; i++) {
    size_t n = strlen(c->word[i]);
    pv_texts_add_repeated(t, c->word[i], "a", least, "");
    if (n > 1) pv_texts_add(t, c->word[i], n - 1);
    pv_texts_add_joined(t, c->word[i], "a", "");
    pv_texts_add_joined(t, c->word[i], c->word[i], "");
  }
}

static void add_long_value(struct pv_text_list *t, const char *word, const char *separator,
                           uint64_t n) {
  struct pv_str before = {0};
  pv_str_add(&before, word);
  pv_str_add(&before, separator);
  pv_texts_add_repeated(t, before.at, "a", n, "");
  pv_str_free(&before);
}

/* A word, a separator, and a value. */
static void add_assignments(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  struct pv_text_list numbers = {.most = 0};
  char one[2] = " ", text[32];
  pv_texts_few_numbers(&numbers, c);
  for (uint32_t v = 0; v < numbers.list.n + 3; v++)
    for (uint32_t i = 0; i <= c->n_words && i < 10; i++)
      for (uint32_t k = 0; k <= c->n_specials + 1 && k < 8; k++) {
        const char *word = i < c->n_words ? c->word[i] : "a";
        const char *separator = k == 0 ? "=" : k == 1 ? " " : special(c, k - 2, one);
        if (v == 0)
          pv_texts_add_joined(t, word, separator, "");
        else if (v == 1)
          pv_texts_add_joined(t, word, separator, "a");
        else if (v == 2)
          add_long_value(t, word, separator, pv_texts_longest(c, least));
        else
          pv_texts_add_joined(t, word, separator, pv_texts_string(&numbers, v - 3, text));
      }
  pv_texts_free(&numbers);
}

/* Characters that the program compares with, between others. */
static void add_characters(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  static const char *const patterns[] = {"c",   "ac",   "ca",    "aca", "cc",  "acac",
                                         "cac", "acca", "acaca", "c1",  "ac1", "aacaa"};
  (void)least;
  for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
    for (uint32_t i = 0; i < c->n_specials; i++) {
      char text[8] = {0};
      for (size_t j = 0; patterns[k][j]; j++)
        text[j] = patterns[k][j] == 'c' ? (char)c->special[i] : patterns[k][j];
      pv_texts_add(t, text, strlen(text));
    }
}

/* Repetitions of a character that the program compares with, before, after or between others. */
static void add_runs(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  char one[2] = "", pair[] = "ac";
  for (uint32_t k = 0; k <= c->n_sizes; k++)
    for (uint32_t i = 0; i < c->n_specials; i++) {
      uint64_t n = k < c->n_sizes ? c->size[k] : least;
      pair[1] = *special(c, i, one);
      pv_texts_add_repeated(t, "", one, n + 1, "");
      pv_texts_add_repeated(t, "", pair, n + 1, "");
      pv_texts_add_repeated(t, "", "a", n, one);
      pv_texts_add_repeated(t, "", "a", n - 1, one);
      pv_texts_add_repeated(t, pair, "a", n, "");
    }
  for (uint64_t share = 1; share <= 4; share++) /* exactly as many as fit */
    for (uint32_t k = 0; k < c->n_sizes; k++)
      for (uint32_t i = 0; i < c->n_specials; i++) {
        pair[1] = *special(c, i, one);
        pv_texts_add_repeated(t, "", one, c->size[k] / share, "");
        if (c->size[k] >= share) pv_texts_add_repeated(t, "", one, c->size[k] / share - 1, "");
        pv_texts_add_repeated(t, "", pair, c->size[k] / share, "");
        pv_texts_add_repeated(t, "", pair, c->size[k] / share, "a");
      }
}

/* An opening bracket, a text, and the closing bracket. */
static void add_brackets(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  static const char brackets[] = "()[]{}<>\"\"''``";
  for (size_t b = 0; b + 1 < sizeof brackets; b += 2) {
    if (!memchr(c->special, brackets[b], c->n_specials)) continue;
    char open[] = {brackets[b], 0}, close[] = {brackets[b + 1], 0};
    pv_texts_add_joined(t, open, "a", close);
    pv_texts_add_joined(t, open, close, "");
    pv_texts_add_joined(t, close, open, "");
    for (uint32_t k = 0; k <= c->n_sizes; k++)
      for (uint64_t d = 0; d < 2; d++) {
        uint64_t n = (k < c->n_sizes ? c->size[k] : least) + d;
        struct pv_str s = {0};
        pv_texts_add_repeated(t, open, "a", n, close);
        pv_texts_repeat(&s, open, 1, n);
        pv_str_addc(&s, 'a');
        pv_texts_repeat(&s, close, 1, n);
        pv_texts_add_str(t, &s);
        pv_str_free(&s);
      }
  }
}

/* Characters of each kind: first and last letters, digits, blanks, signs, bytes that are negative
 * as a `char`, control characters, complete and truncated sequences of UTF-8. */
static void add_kinds(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  static const char *const kinds[] = {"\xe9",
                                      "\xff",
                                      "\x80",
                                      "Z",
                                      "z",
                                      "A",
                                      "{",
                                      "9",
                                      " ",
                                      "\t",
                                      "\x01",
                                      "\x7f",
                                      "_",
                                      "\xc3\xa9",
                                      "\xc3",
                                      "\xe2\x82\xac",
                                      "~",
                                      ".",
                                      "%",
                                      "\xe2\x82",
                                      "\xf0\x9f\x98\x80",
                                      "\xf0",
                                      "\xc0\x80",
                                      "\\"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    pv_texts_add(t, kinds[i], strlen(kinds[i]));
    pv_texts_add_joined(t, "a", kinds[i], "");
    pv_texts_add_joined(t, kinds[i], "a", "");
    pv_texts_add_repeated(t, "", kinds[i], least, "");
  }
  for (uint32_t k = 0; k < c->n_sizes; k++)
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      pv_texts_add_repeated(t, "", kinds[i], c->size[k], "");
      pv_texts_add_repeated(t, "", "a", c->size[k] - 1, kinds[i]);
    }
}

/* All letters different, and all digits: as many as fit in arrays. */
static void add_different(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  char text[300];
  for (unsigned digits = 0; digits < 2; digits++) {
    for (size_t i = 0; i < sizeof text; i++)
      text[i] = digits ? (char)('0' + (i + 1) % 10) : letters[i % (sizeof letters - 1)];
    pv_texts_add(t, text, 3);
    pv_texts_add(t, text, least);
    for (uint64_t share = 1; share <= 4; share++)
      for (uint32_t k = 0; k < c->n_sizes; k++)
        for (uint64_t d = 0; d < 3; d++) {
          uint64_t n = c->size[k] / share + d - 1;
          if (n <= sizeof text) pv_texts_add(t, text, n);
        }
  }
}

/* All texts of up to four relevant characters, with and without ordinary ones. */
static void add_short(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  uint8_t letters[PV_CLUES_CHARACTERS + 3];
  unsigned n = 0, lengths = 4;
  (void)least;
  for (uint32_t i = 0; i < c->n_specials; i++)
    if (c->special[i] != ' ' && c->special[i] != '-') letters[n++] = c->special[i];
  for (unsigned round = 0; round < 2; round++, lengths = 3) {
    for (unsigned length = 2; length <= lengths && n; length++) {
      unsigned digit[4] = {0}, at = 0;
      while (at < length && !pv_texts_full(t)) {
        uint8_t text[4];
        for (unsigned i = 0; i < length; i++) text[length - 1 - i] = letters[digit[i]];
        pv_texts_add(t, text, length);
        for (at = 0; at < length && ++digit[at] == n; at++) digit[at] = 0;
      }
    }
    if (round) break;
    letters[n++] = 'a';
    letters[n++] = '0';
    letters[n++] = '1';
  }
}

/* Numbers with separators; the first ones contain a number other than 1. */
static void add_separated(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  struct pv_text_list few = {.most = 0};
  char text[32], other[32], one[2];
  (void)least;
  pv_texts_few_numbers(&few, c);
  for (unsigned form = 0; form < 6; form++)
    for (uint32_t v = 0; v < few.list.n; v++)
      for (uint32_t i = 0; i < c->n_specials; i++) {
        struct pv_str s = {0};
        const char *sign = special(c, i, one), *n = pv_texts_string(&few, v, text);
        if (form == 0) pv_str_addf(&s, "%s%s", sign, n);
        if (form == 1) pv_str_addf(&s, "1%s%s", sign, n);
        if (form == 2) pv_str_addf(&s, "%s%s1", n, sign);
        if (form == 3) pv_str_addf(&s, "%s%s", n, sign);
        if (form == 4) pv_str_addf(&s, "%s%s%s", n, sign, n);
        if (form == 5) pv_str_addf(&s, "%s%sa", n, sign);
        pv_texts_add_str(t, &s);
        pv_str_free(&s);
      }
  for (uint32_t v = 0; v < few.list.n; v++)
    for (uint32_t w = 0; w < few.list.n; w++)
      for (uint32_t i = 0; i < c->n_specials; i++)
        if (!strchr("0123456789", c->special[i]))
          pv_texts_add_joined(t, pv_texts_string(&few, v, text), special(c, i, one),
                              pv_texts_string(&few, w, other));
  pv_texts_free(&few);
}

/* Items with a separator: a,a,a. */
static void add_lists(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  char pair[3] = {0};
  (void)least;
  for (uint32_t k = 0; k <= c->n_sizes; k++)
    for (uint32_t i = 0; i < c->n_specials; i++) {
      uint64_t times = k < c->n_sizes ? c->size[k] : 4;
      if (times >= LONGEST_LIST) continue;
      for (uint64_t n = times; n <= times + 1; n++) {
        pair[1] = (char)c->special[i];
        pair[0] = 'a';
        pv_texts_add_repeated(t, "", pair, n - 1, "a");
        pair[0] = '1';
        pv_texts_add_repeated(t, "", pair, n - 1, "1");
        pv_texts_add_repeated(t, "", pair, n, "");
      }
    }
}

/* ---- values, all together -------------------------------------------------------------------- */
static const struct pv_text_family value_families[] = {
    {add_plain, 2},
    {add_numbers, 2},
    {add_words, 2},
    {add_characters, 2},
    {add_runs, 1},
    {add_kinds, 1},
    {add_different, 1},
    {add_short, 2},
    {add_separated, 1},
    {add_assignments, 1},
    {pv_texts_add_formats, 2},
    {add_brackets, 1},
    {add_lists, 1},
    {add_spellings, 1},
};

void pv_texts_add_families(struct pv_text_list *out, const struct pv_text_family *list, unsigned n,
                           const struct pv_clues *c, uint64_t least) {
  struct pv_text_list family[MOST_FAMILIES];
  unsigned share[MOST_FAMILIES] = {0};
  memset(family, 0, sizeof family);
  for (unsigned i = 0; i < n; i++) {
    family[i].most = out->most;
    share[i] = list[i].share;
    list[i].add(&family[i], c, least);
  }
  pv_texts_take_turns(out, family, share, n);
  for (unsigned i = 0; i < n; i++) pv_texts_free(&family[i]);
}

void pv_texts_add_values(struct pv_text_list *t, const struct pv_clues *c, uint64_t least) {
  pv_texts_add_families(t, value_families, sizeof value_families / sizeof *value_families, c,
                        least);
}
