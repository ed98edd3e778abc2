// Two buffers are read by one function, so one array holds both. A buffer that begins its lifetime must
// not change what is in the other, and what it held in an earlier lifetime is gone.
// expect: true
// args: --engine bmc -- -DN=100
// proof: unchecked
// run: --engine bmc --integers bitvector -- -DN=100 => true
// run: --engine bmc -- -DN=4096 => true
// run: --engine bmc --integers bitvector -- -DN=4096 => true
// run: --engine bmc --32 -- -DN=4096 => true
// run: --engine bmc -- -DN=100 -DSTALE => false(def-behavior)
// run: --engine bmc --integers bitvector -- -DN=4096 -DSTALE => false(def-behavior)
// run: --engine bmc --integers bitvector -- -DN=4096 -DLONG => false(unreach-call)
// run: -- -DN=100 => true
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
static char kept[8];
static int copy(char *to, const char *from, int room) {
  int i = 0;
  for (; i < room - 1 && from[i]; i++) to[i] = from[i];
  to[i] = 0;
  return i;
}
static int twice(const char *s) {
  char a[N], b[N];
  int n = 0;
#ifdef STALE
  if (s[0] != 'q')
#endif
    n = copy(a, s, N);
  copy(b, a, N);
  return n + (int)strlen(b);
}
int main(void) {
  char text[4];
  int n = 0;
  for (int i = 0; i < 3; i++) text[i] = __VERIFIER_nondet_char();
  text[3] = 0;
  strcpy(kept, "abc");
  for (int i = 0; i < 3; i++) n += twice(text + i);
#ifdef LONG
  assert(n < 12);
#else
  assert(n <= 12 && strlen(kept) == 3);
#endif
  return 0;
}
