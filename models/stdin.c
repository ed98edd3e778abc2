/* stdin.c -- the bytes of standard input: those of a file (--stdin), or unknown inputs.
 *
 * The first read chooses how all bytes are determined. The VM tries whole texts; in addition it
 * tries any byte as the first one, and stops there. Symbolic engines use arbitrary bytes, each
 * chosen when it is read. What a decimal conversion of scanf leaves is known only in part (no digit
 * follows a number), and recorded so: the number itself is one input, not composed of its digits.
 * The end of input is final until clearerr. */
#include "model.h"

enum class { ANY, END, NO_DIGIT, NO_NUMBER /* no digit, sign, space or end */ };
static enum class ahead; /* what is known about the next byte */
static int pushed = EOF; /* set by ungetc: comes before it */

/* Set by the frontend, with --stdin. */
const unsigned char *__proviso_stdin_bytes;
size_t __proviso_stdin_length;
_Bool __proviso_stdin_given;

static int how = -1;    /* see __proviso_any_text; -1: not chosen yet */
static size_t at;       /* position in the text that is given or tried */
static bool any_chosen; /* the VM has chosen the single byte that may have any value */

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
    /* after digits blanks may follow, so nothing is excluded */
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
