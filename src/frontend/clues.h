/* clues.h -- what a program's input may have to look like, read off the program's own code: the
 * characters and words that it compares with, its numbers, the sizes of its arrays, the formats of
 * its scanf.
 *
 * The lists are without duplicates, in the order of the program, and bounded. They only say what is
 * worth trying (texts.h): nothing depends on their being complete. */
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
  uint8_t special[PV_CLUES_CHARACTERS]; /* never 'a', which stands for all others */
  uint32_t n_specials;
  char *word[PV_CLUES_WORDS]; /* owned; no blanks */
  uint32_t n_words;
  int64_t number[PV_CLUES_NUMBERS];
  uint32_t n_numbers;
  uint64_t size[PV_CLUES_SIZES];
  uint32_t n_sizes;
  char *format[PV_CLUES_FORMATS]; /* owned; of the scanf family */
  uint32_t n_formats;
  bool floats; /* texts become floating-point numbers */
};

/* Looks at all functions and variables of the module. Frees nothing that is in *c before. */
void pv_clues_find(struct pv_clues *c, LLVMModuleRef m);
void pv_clues_add_special(struct pv_clues *c, uint64_t byte);
void pv_clues_free(struct pv_clues *c);
/* The text of a constant string, with its length; NULL if it is none. */
const char *pv_clues_string(LLVMValueRef v, size_t *n);

#endif
