/* scan.h -- the lexer of the automata language, for automaton.c. */
#ifndef PV_SCAN_H
#define PV_SCAN_H

#include "base/base.h"

struct pv_text_place {
  uint32_t line, column; /* 1-based */
};

enum pv_word_kind {
  PV_WORD_END,
  PV_WORD_NAME,   /* keywords, too */
  PV_WORD_NUMBER, /* text: digits */
  PV_WORD_STRING, /* "..." */
  PV_WORD_CURLY,  /* {...} */
  PV_WORD_SQUARE, /* [...] */
  PV_WORD_SIGN    /* -> == != && || and single characters */
};
struct pv_word {
  enum pv_word_kind kind;
  struct pv_str text;              /* without quotes and braces, escapes resolved */
  struct pv_text_place at, inside; /* inside: of the first character between quotes */
};
struct pv_includes;
struct pv_scanner {
  const char *path, *text;
  size_t n, i;
  struct pv_text_place at; /* of text[i] */
  struct pv_word word;
  struct pv_str *err;           /* the first error; nothing is read after it */
  bool inside;                  /* of an automaton: no file begins or ends there */
  struct pv_includes *includes; /* NULL: `#include` is an error */
};

/* Reads the next word into s->word. At the end, or after an error, its kind is END. The words of an
 * included file take the place of its `#include`. */
void pv_scan(struct pv_scanner *s);
bool pv_scan_failed(const struct pv_scanner *s);
/* Records an error at a position, unless there was one before. */
void pv_scan_wrong(struct pv_scanner *s, struct pv_text_place at, const char *fmt, ...)
    PV_PRINTF(3, 4);
bool pv_word_is(const struct pv_scanner *s, const char *text); /* a name or sign */

/* ---- included files (include.c) ---------------------------------------------------------------
 * A file is relative to the one that includes it. Each file is read once: where it is included
 * again nothing happens, so that files may include each other (as in CPAchecker). */
struct pv_includes *pv_includes_new(const char *path); /* path: of the first file */
void pv_includes_free(struct pv_includes *x);          /* with the texts of the included files */
/* Goes on with that file. An error is recorded at `at`. */
void pv_scan_include(struct pv_scanner *s, const char *name, struct pv_text_place at);
/* After the end of an included file: goes on with the one that includes it. False: there is none.
 */
bool pv_scan_leave(struct pv_scanner *s);

#endif
