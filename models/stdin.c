/* stdin.c -- the bytes that a program reads: inputs that nobody knows.
 *
 * A byte is chosen when it is read. What a decimal conversion of scanf leaves behind is known
 * only in part (after a number comes no digit), and is remembered as such: the number itself is one
 * input, not the product of its digits. The end of input is final until clearerr. */
#include "model.h"

enum class { ANY, END, NO_DIGIT, NO_NUMBER /* no digit, sign, space or end */ };
static enum class ahead; /* what is known of the next byte */
static int pushed = EOF; /* by ungetc: comes before it */

static bool allowed(int c, enum class class) {
  if (class == NO_DIGIT) return !pv_is_digit(c);
  if (class == NO_NUMBER)
    return c != EOF && !pv_is_digit(c) && !pv_is_space(c) && c != '-' && c != '+';
  return true;
}

int __proviso_stdin_get(void) {
  int c = EOF;
  __proviso_atomic_begin();
  if (pushed != EOF) {
    c = pushed;
    pushed = EOF;
  } else if (ahead != END) {
    c = __proviso_choose(EOF, 255);
    __proviso_assume(allowed(c, ahead));
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
