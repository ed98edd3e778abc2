// Recognises numbers such as -12.5e3 in an argument.
// bug: none
// expect: true
// args: 1.5 -3
// stdin:
#include <stdio.h>

enum state { START, SIGN, WHOLE, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, POWER, BAD, STATES };
enum kind { DIGIT, PLUS_MINUS, DOT, LETTER_E, OTHER, KINDS };

static const enum state next_state[STATES][KINDS] = {
    [START] = {WHOLE, SIGN, POINT, BAD, BAD},
    [SIGN] = {WHOLE, BAD, POINT, BAD, BAD},
    [WHOLE] = {WHOLE, BAD, FRACTION, EXPONENT, BAD},
    [POINT] = {FRACTION, BAD, BAD, BAD, BAD},
    [FRACTION] = {FRACTION, BAD, BAD, EXPONENT, BAD},
    [EXPONENT] = {POWER, EXPONENT_SIGN, BAD, BAD, BAD},
    [EXPONENT_SIGN] = {POWER, BAD, BAD, BAD, BAD},
    [POWER] = {POWER, BAD, BAD, BAD, BAD},
    [BAD] = {BAD, BAD, BAD, BAD, BAD},
};

static enum kind kind_of(char c) {
  if (c >= '0' && c <= '9')
    return DIGIT;
  if (c == '+' || c == '-')
    return PLUS_MINUS;
  if (c == '.')
    return DOT;
  return c == 'e' || c == 'E' ? LETTER_E : OTHER;
}

static int is_number(const char *s) {
  enum state state = START;
  while (*s)
    state = next_state[state][kind_of(*s++)];
  return state == WHOLE || state == FRACTION || state == POWER;
}

int main(int argc, char **argv) {
  int numbers = 0;
  for (int i = 1; i < argc; i++)
    numbers += is_number(argv[i]);
  printf("%d of %d\n", numbers, argc - 1);
  return 0;
}
