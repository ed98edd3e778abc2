/* text_values.h -- lists of texts to try, and the families of values that texts.c puts into them.
 *
 * A family is made of one thing that the program looks for (clues.h): numbers, words, formats
 * filled in. It does not know how good it is for this program, so families take turns until a list
 * is full. */
#ifndef PV_FRONTEND_TEXT_VALUES_H
#define PV_FRONTEND_TEXT_VALUES_H

#include "frontend/clues.h"

enum {
  PV_TEXTS_LONGEST = 4200,
  PV_TEXTS_FEW = 12, /* numbers, where they are combined with something else */
};

/* Without duplicates, at most `most`; what does not fit any more is dropped. */
struct pv_text_list {
  struct pv_map known; /* bytes -> 1 */
  PV_VEC(struct pv_text) list;
  uint32_t most;
};
void pv_texts_free(struct pv_text_list *t);

/* true: it is new. Takes a copy. */
bool pv_texts_add(struct pv_text_list *t, const void *bytes, size_t n);
/* Empties the string. */
void pv_texts_add_str(struct pv_text_list *t, struct pv_str *s);
void pv_texts_add_all(struct pv_text_list *t, const char *const *words, size_t n);
#define PV_TEXTS_ADD_ALL(T, LIST) pv_texts_add_all(T, LIST, sizeof(LIST) / sizeof *(LIST))
void pv_texts_add_joined(struct pv_text_list *t, const char *a, const char *b, const char *c);
/* `what` so many times between the two others. */
void pv_texts_add_repeated(struct pv_text_list *t, const char *before, const char *what,
                           uint64_t times, const char *behind);
void pv_texts_repeat(struct pv_str *s, const char *what, size_t n, uint64_t times);
/* The beginning of text i. */
const char *pv_texts_string(const struct pv_text_list *t, uint32_t i, char out[32]);

/* The texts of all lists, `share[i]` new ones of list i in each turn. At most 16 lists. */
void pv_texts_take_turns(struct pv_text_list *out, const struct pv_text_list *list,
                         const unsigned *share, unsigned n);

/* `least` is the length that a value has at least when it is to be a long one. */
struct pv_text_family {
  void (*add)(struct pv_text_list *t, const struct pv_clues *c, uint64_t least);
  unsigned share;
};
void pv_texts_add_families(struct pv_text_list *out, const struct pv_text_family *list, unsigned n,
                           const struct pv_clues *c, uint64_t least);

/* Values of an argument, of a variable of the environment, of a line: all families. */
void pv_texts_add_values(struct pv_text_list *t, const struct pv_clues *c, uint64_t least);
/* Formats of scanf, filled in: one of those families. */
void pv_texts_add_formats(struct pv_text_list *t, const struct pv_clues *c, uint64_t least);

/* A few numbers, to be combined with something else: sets the bound of the list. */
void pv_texts_few_numbers(struct pv_text_list *t, const struct pv_clues *c);
/* Longer than all arrays. */
uint64_t pv_texts_longest(const struct pv_clues *c, uint64_t least);

#endif
