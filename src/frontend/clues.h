/* clues.h -- hints about a program's input, taken from its code: the characters and words that it
 * compares with, its numbers, the sizes of its arrays, the formats of its scanf calls.
 *
 * The lists have no duplicates, are in the order of the program, and are bounded. They only suggest
 * texts to try (texts.h); nothing relies on their completeness. */
#ifndef PV_FRONTEND_CLUES_H
#define PV_FRONTEND_CLUES_H

#include "frontend/frontend_internal.h"

enum {
  PV_CLUES_CHARACTERS = 24,
  PV_CLUES_WORDS = 32,
  PV_CLUES_NUMBERS = 40,
  PV_CLUES_SIZES = 12,
  PV_CLUES_FORMATS = 8,
};

struct pv_clues {
  /* Never contains 'a', which represents all other characters. */
  uint8_t special[PV_CLUES_CHARACTERS];
  uint32_t n_specials;
  char *word[PV_CLUES_WORDS]; /* owned; without blanks */
  uint32_t n_words;
  int64_t number[PV_CLUES_NUMBERS];
  uint32_t n_numbers;
  uint64_t size[PV_CLUES_SIZES];
  uint32_t n_sizes;
  char *format[PV_CLUES_FORMATS]; /* owned; of the scanf family */
  uint32_t n_formats;
  bool floats; /* does the program convert texts to floating-point numbers? */
};

/* Collects the clues of all functions and variables of the module. *c must be empty. */
void pv_clues_find(struct pv_clues *c, LLVMModuleRef m);
void pv_clues_add_special(struct pv_clues *c, uint64_t byte);
void pv_clues_free(struct pv_clues *c);
/* The bytes of a constant string, with their number; NULL if it is no constant string. */
const char *pv_clues_string(LLVMValueRef v, size_t *n);

#endif
