// Evaluates "1 + 2 * 3" given as arguments, left to right.
// bug: def-behavior: division by zero (the divisor comes from the command line)
// expect: false(def-behavior)
// args: 6 / 3
// stdin:
// trigger args: 6 / 0
// trigger stdin:
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int parse(const char *text, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0';
}

static int apply(long a, char op, long b, long *result) {
  switch (op) {
  case '+':
    return !__builtin_add_overflow(a, b, result);
  case '-':
    return !__builtin_sub_overflow(a, b, result);
  case 'x':
    return !__builtin_mul_overflow(a, b, result);
  case '/':
    if (a == LONG_MIN && b == -1)
      return 0;
    *result = a / b;
    return 1;
  default:
    return 0;
  }
}

int main(int argc, char **argv) {
  long total, operand;
  if (argc < 2 || argc % 2 != 0) {
    fprintf(stderr, "usage: calculator NUMBER [OP NUMBER]...\n");
    return 2;
  }
  if (!parse(argv[1], &total)) {
    fprintf(stderr, "not a number: %s\n", argv[1]);
    return 1;
  }
  for (int i = 2; i + 1 < argc; i += 2) {
    if (argv[i][0] == '\0' || argv[i][1] != '\0' || !parse(argv[i + 1], &operand) ||
        !apply(total, argv[i][0], operand, &total)) {
      fprintf(stderr, "cannot compute\n");
      return 1;
    }
  }
  printf("%ld\n", total);
  return 0;
}
