/* stdin.c -- the bytes that a program reads: those of a file (--stdin), or inputs that nobody
 * knows.
 *
 * At the first byte is chosen how the others are found. The machine tries whole texts; beside them,
 * it takes any byte for the first one, and goes no further. The symbolic engines take any bytes,
 * each chosen when it is read. What a decimal conversion of scanf leaves behind is known
 * only in part (after a number comes no digit), and is remembered as such: the number itself is one
 * input, not the product of its digits. The end of input is final until clearerr. */
#include "model.h"

enum class { ANY, END, NO_DIGIT, NO_NUMBER /* no digit, sign, space or end */ };
static enum class ahead; /* what is known of the next byte */
static int pushed = EOF; /* by ungetc: comes before it */

/* Set by the frontend, with --stdin. */
const unsigned char *__proviso_stdin_bytes;
size_t __proviso_stdin_length;
_Bool __proviso_stdin_given;

static int how = -1;    /* see __proviso_any_text; -1: not chosen yet */
static size_t at;       /* in the text that is given or tried */
static bool any_chosen; /* the machine chose the one byte that it takes any value for */

static bool allowed(int c, enum class class) {
  if (class == NO_DIGIT) return !pv_is_digit(c);
  if (class == NO_NUMBER)
    return c != EOF && !pv_is_digit(c) && !pv_is_space(c) && c != '-' && c != '+';
  return true;
}

/* A byte of a known text. */
static int known_byte(void) {
  if (__proviso_stdin_given) return at < __proviso_stdin_length ? __proviso_stdin_bytes[at++] : EOF;
  int c = __proviso_text(PV_TEXT_STDIN, how, (int)at);
  if (c != EOF) at++;
  return c;
}
static int any_byte(void) {
  if (how == __proviso_texts(PV_TEXT_STDIN)) {
    if (any_chosen) __proviso_tried(PV_TEXT_STDIN);
    any_chosen = true;
  }
  int c = __proviso_pick(EOF, 255, "byte of standard input");
  __proviso_assume(allowed(c, ahead));
  return c;
}
static bool is_known(void) {
  if (__proviso_stdin_given) return true;
  if (how < 0) how = __proviso_any_text(PV_TEXT_STDIN);
  return how < __proviso_texts(PV_TEXT_STDIN);
}

bool __proviso_stdin_is_known(void) {
  __proviso_atomic_begin();
  bool known = is_known();
  __proviso_atomic_end();
  return known;
}

int __proviso_stdin_get(void) {
  int c = EOF;
  __proviso_atomic_begin();
  if (pushed != EOF) {
    c = pushed;
    pushed = EOF;
  } else if (ahead != END) {
    c = is_known() ? known_byte() : any_byte();
    ahead = c == EOF ? END : ANY;
  }
  __proviso_atomic_end();
  return c;
}

void __proviso_stdin_unget(int c) {
  if (c == EOF) return;
  __proviso_atomic_begin();
  if (pushed != EOF) __proviso_unsupported("ungetc of a second byte");
  pushed = c;
  __proviso_atomic_end();
}

bool __proviso_stdin_at_end(void) {
  __proviso_atomic_begin();
  bool end = ahead == END && pushed == EOF;
  __proviso_atomic_end();
  return end;
}
void __proviso_stdin_clear(void) {
  __proviso_atomic_begin();
  if (ahead == END) ahead = ANY;
  __proviso_atomic_end();
}

enum pv_stdin_number __proviso_stdin_number(void) {
  enum pv_stdin_number outcome = PV_STDIN_END;
  __proviso_atomic_begin();
  if (ahead != END && is_known()) {
    __proviso_atomic_end();
    return PV_STDIN_SPELLED;
  }
  if (pushed != EOF) __proviso_unsupported("scanf of a number after ungetc");
  if (ahead == NO_NUMBER) {
    outcome = PV_STDIN_MISMATCH;
  } else if (ahead != END) {
    /* after digits further blanks may come, so that nothing is excluded */
    switch (__proviso_choose(0, 3)) {
    case 0:
      outcome = PV_STDIN_NUMBER;
      ahead = NO_DIGIT;
      break;
    case 1: /* a sign was read, and no digit follows */
      outcome = PV_STDIN_MISMATCH;
      ahead = NO_DIGIT;
      break;
    case 2:
      outcome = PV_STDIN_MISMATCH;
      ahead = NO_NUMBER;
      break;
    default: ahead = END;
    }
  }
  __proviso_atomic_end();
  return outcome;
}
