// A copy of what was never set is no error: it is one where the value is used. The value is followed through members, variables,
// parameters, results, arithmetic and memory of every kind.
// expect: true
// run: --engine dpor => true
// run: --indeterminate read => false(def-behavior)
// run: --engine kinduction => true or conditional
// run: -- -DBRANCH => false(def-behavior)
// run: --engine dpor -- -DBRANCH => false(def-behavior)
// run: --engine kinduction -- -DBRANCH => false(def-behavior) or conditional or unknown
// run: -- -DSWITCH => false(def-behavior)
// run: -- -DCHOICE => false(def-behavior)
// run: -- -DBOTH => false(def-behavior)
// run: -- -DINDEX => false(def-behavior)
// run: -- -DPOINTER => false(def-behavior)
// run: -- -DCALLED => false(def-behavior)
// run: -- -DDIVISOR => false(def-behavior)
// run: -- -DADDED => false(def-behavior)
// run: -- -DMASKED => true
// run: -- -DLENGTH => false(def-behavior)
// run: -- -DSIZE => false(def-behavior)
// run: -- -DPRINTED => false(def-behavior)
// run: -- -DWRITTEN => true
// run: -- -DFLOATING => false(def-behavior)
// run: -- -DLOCAL => false(def-behavior)
// run: -- -DBYTES => false(def-behavior)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  int key, value;
  char *text;
  int (*call)(void);
  double weight;
  long long wide;
};
static struct item kept;
static int value_of(const struct item *p) {
  int v = p->value;
  return v;
}
static void give(struct item *p, int v, char *text) {
  p->value = v;
  p->text = text;
}

int main(void) {
  struct item *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) return 0;
  a->key = 1;
  b->key = a->key;
  give(b, value_of(a), a->text);
  b->call = a->call;
  b->weight = a->weight;
  b->wide = a->wide;
  kept = *b;
  kept.value = b->value;
  b = realloc(b, 2 * sizeof *b);
  if (!b) return 0;
  int local, other = local;
  kept.key = b->key;
  int v = kept.value, swapped = v ^ 1;
  int one = (v & 0) | b->key;
  const unsigned char *from = (const unsigned char *)&kept;
  unsigned char bytes[sizeof kept];
  for (unsigned i = 0; i < sizeof kept; i++) bytes[i] = from[i];
  if (one != 1 || b->key != 1) return 1;
#ifdef MASKED
  v = (int)((((unsigned)v << 4) | 3) & 15);
  if (v & 1) one++;
#endif
#ifdef BRANCH
  if (v) one++;
#elif defined SWITCH
  switch (v) {
  case 7: return 1;
  default: break;
  }
#elif defined CHOICE
  one = v > 3 ? 1 : 2;
#elif defined BOTH
  if (one && v) one++;
#elif defined INDEX
  one = "abc"[v & 1];
#elif defined POINTER
  one = *kept.text;
#elif defined CALLED
  one = kept.call();
#elif defined DIVISOR
  one = 7 / v;
#elif defined ADDED
  unsigned sum = (unsigned)v + 1u;
  while (sum * 2u == 6) sum++;
#elif defined LENGTH
  one = (int)strlen(kept.text);
#elif defined SIZE
  memset(bytes, 0, (unsigned)v & 3);
#elif defined PRINTED
  printf("%d\n", v);
#elif defined WRITTEN
  write(1, &kept.value, sizeof kept.value);
#elif defined FLOATING
  if (kept.weight * 2 > 1) one++;
#elif defined LOCAL
  if (other) one++;
#elif defined BYTES
  int again;
  memcpy(&again, bytes + 4, sizeof again);
  if (again == 3) one++;
#endif
  (void)swapped, (void)other;
  free(a);
  free(b);
  return 0;
}
