/* switch: ranges, fall through, default first, nested, on chars, longs and enums, in a loop. */
#include <stdio.h>

enum color { RED = -1, GREEN, BLUE = 100 };

static const char *class_of(int c) {
  switch (c) {
  case 'a' ... 'z': return "lower";
  case 'A' ... 'Z': return "upper";
  case '0' ... '9': return "digit";
  case ' ':
  case '\t': return "space";
  default: return "other";
  }
}

static int fall(int n) {
  int r = 0;
  switch (n) {
  default: r += 1000; /* fall through */
  case 3: r += 3;     /* fall through */
  case 2: r += 2; break;
  case 1: r += 1; break;
  case 0: return -1;
  }
  return r;
}

static int wide(unsigned long long x) {
  switch (x) {
  case 0: return 0;
  case 0xffffffffffULL: return 1;
  case 1ULL << 63: return 2;
  case 5 ... 1000: return 3;
  }
  return 4;
}

static int colored(enum color c, signed char k) {
  switch (c) {
  case RED:
    switch (k) {
    case -128: return 1;
    case 127: return 2;
    }
    return 3;
  case GREEN: return 4;
  case BLUE: return 5;
  }
  return 6;
}

static int duff(int n) {
  int count = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { count++; /* fall through */
    case 3: count++;    /* fall through */
    case 2: count++;    /* fall through */
    case 1: count++;
    } while (--rounds > 0);
  }
  return count;
}

int main(void) {
  for (const char *s = "aZ5 \t-"; *s; s++) printf("%s ", class_of(*s));
  printf("\n");
  for (int i = 0; i < 5; i++) printf("%d ", fall(i));
  printf("\n%d %d %d %d %d\n", wide(0), wide(0xffffffffffULL), wide(1ULL << 63), wide(77), wide(4));
  printf("%d %d %d %d %d\n", colored(RED, -128), colored(RED, 127), colored(RED, 0),
         colored(GREEN, 0), colored(BLUE, 1));
  printf("%d %d %d\n", duff(1), duff(8), duff(11));
  return fall(9) & 0xff;
}
