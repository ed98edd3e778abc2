/* Control flow: an interpreter with computed goto in a loop, tables of labels, case ranges,
 * fallthrough, a switch into a loop, nested switches, switches on wide and narrow values. */
#include <stdio.h>

static int run(const unsigned char *code, int x) {
  static const void *const table[] = {&&add, &&mul, &&jnz, &&dec, &&halt};
  int acc = 0;
  const unsigned char *pc = code;
#define NEXT goto *table[*pc++]
  NEXT;
add:
  acc += *pc++;
  NEXT;
mul:
  acc = acc * *pc++ % 10007;
  NEXT;
jnz:
  pc = x ? code + *pc : pc + 1;
  NEXT;
dec:
  x--;
  NEXT;
halt:
  return acc;
}
static int range(long long v) {
  int r = 0;
  switch (v) {
  case -10 ... - 1: r += 1; /* fallthrough */
  case 0: r += 2; break;
  case 1 ... 9: r += 4; /* fallthrough */
  default: r += 8; break;
  case 10 ... 1000000000000LL: r += 16;
  case 'a' + 1000000000000LL: r += 32;
  }
  return r;
}
static int duff(char *to, const char *from, int n) {
  int rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
    } while (--rounds > 0);
  }
  return n;
}
static int nested(int a, unsigned char b) {
  for (int i = 0;; i++) {
    switch (a) {
    case 0:
      switch (b) {
      case 255: return 100 + i;
      case 1: continue;
      default: a = b ? 2 : 3;
      }
      break;
    case 1: a = 0; continue;
    case 2: return 200 + i;
    default: return 300 + i;
    }
    if (i > 5) break;
  }
  return -1;
}

int main(void) {
  unsigned char code[] = {0, 3, 1, 7, 0, 2, 3, 2, 0, 4};
  for (int i = 1; i < 6; i++) printf("%d ", run(code, i));
  printf("\n");
  long long values[] = {
      -11, -10, -1, 0, 1, 9, 10, 11, 1000000000000LL, 1000000000001LL, 1000000000097LL};
  for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) printf("%d ", range(values[i]));
  char to[16] = {0};
  printf("\n%d %s\n", duff(to, "duff's device", 13), to);
  printf("%d %d %d %d %d\n", nested(0, 255), nested(1, 255), nested(1, 0), nested(0, 7),
         nested(9, 1));
  _Bool t = 7;
  switch (t) {
  case 1: printf("true\n"); break;
  case 0: printf("false\n");
  }
  int i = 0;
  do {
    if (i == 3) continue;
    printf("%d", i);
  } while (++i < 6);
  printf("\n");
  void *where = i > 5 ? &&high : &&low;
  goto *where;
low:
  return 1;
high:
  return 6;
}
