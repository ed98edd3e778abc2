/* text_values.h -- lists of texts to try, and the families of values that texts.c puts into them.
 *
 * Each family is made from one kind of clue (clues.h): numbers, words, filled-in formats. It is not
 * known which family is useful for the program. So families take turns until a list is full. */
#ifndef PV_FRONTEND_TEXT_VALUES_H
#define PV_FRONTEND_TEXT_VALUES_H

#include "frontend/clues.h"

enum {
  PV_TEXTS_LONGEST = 4200,
  PV_TEXTS_FEW = 12, /* numbers, if they are combined with something else */
};

/* A list without duplicates of at most `most` texts. Further texts are dropped. */
struct pv_text_list {
  struct pv_map known; /* bytes -> 1 */
  PV_VEC(struct pv_text) list;
  uint32_t most;
};
void pv_texts_free(struct pv_text_list *t);

/* Adds a copy of a text. Returns true if it is new. */
bool pv_texts_add(struct pv_text_list *t, const void *bytes, size_t n);
/* Adds the text of a string, and empties the string. */
void pv_texts_add_str(struct pv_text_list *t, struct pv_str *s);
void pv_texts_add_all(struct pv_text_list *t, const char *const *words, size_t n);
#define PV_TEXTS_ADD_ALL(T, LIST) pv_texts_add_all(T, LIST, sizeof(LIST) / sizeof *(LIST))
/* Adds the text a b c, without blanks. */
void pv_texts_add_joined(struct pv_text_list *t, const char *a, const char *b, const char *c);
/* Adds `what`, repeated, between `before` and `after`. */
void pv_texts_add_repeated(struct pv_text_list *t, const char *before, const char *what,
                           uint64_t times, const char *behind);
/* Appends n bytes, `times` times, or until the string has PV_TEXTS_LONGEST bytes. */
void pv_texts_repeat(struct pv_str *s, const char *what, size_t n, uint64_t times);
/* Writes the beginning of text i to `out`, and returns it. */
const char *pv_texts_string(const struct pv_text_list *t, uint32_t i, char out[32]);

/* Adds the texts of all lists (at most 16): in each turn `share[i]` new ones of list i. */
void pv_texts_take_turns(struct pv_text_list *out, const struct pv_text_list *list,
                         const unsigned *share, unsigned n);

/* `least` is the minimal length of a value that shall be long. */
struct pv_text_family {
  void (*add)(struct pv_text_list *t, const struct pv_clues *c, uint64_t least);
  unsigned share;
};
void pv_texts_add_families(struct pv_text_list *out, const struct pv_text_family *list, unsigned n,
                           const struct pv_clues *c, uint64_t least);

/* Adds values of an argument, an environment variable, or a line: all families. */
void pv_texts_add_values(struct pv_text_list *t, const struct pv_clues *c, uint64_t least);
/* Adds the formats of scanf, filled in: one of these families. */
void pv_texts_add_formats(struct pv_text_list *t, const struct pv_clues *c, uint64_t least);

/* Adds a few numbers, for combinations with something else. Sets the bound of the list. */
void pv_texts_few_numbers(struct pv_text_list *t, const struct pv_clues *c);
/* A length greater than that of all arrays. */
uint64_t pv_texts_longest(const struct pv_clues *c, uint64_t least);

#endif
