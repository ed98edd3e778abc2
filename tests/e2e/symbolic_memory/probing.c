// Open addressing with three free keys and a multiplicative hash. With linear integers bounded checking does not even
// close the first loop; with bit-vectors it takes some seconds. The twin probes beyond the table.
// expect: true
// run: -- -DBUG => false(def-behavior)
#include <stdint.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
#define N 8
static uint32_t key[N]; static int val[N]; static unsigned char used[N];
static unsigned h(uint32_t k) { return (k * 2654435761u) >> 29; }
static int put(uint32_t k, int v) {
  unsigned i = h(k);
  for (int t = 0; t < N; t++, 
#ifdef BUG
  i++
#else
  i = (i + 1) % N
#endif
  )
    if (!used[i] || key[i] == k) { used[i] = 1; key[i] = k; val[i] = v; return 0; }
  return -1;
}
static int get(uint32_t k, int *v) {
  unsigned i = h(k);
  for (int t = 0; t < N; t++, i = (i + 1) % N) {
    if (!used[i]) return -1;
    if (key[i] == k) { *v = val[i]; return 0; }
  }
  return -1;
}
int main(void) {
  uint32_t a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int(), w;
  put(a, x); put(b, y); put(c, z);
  assert(get(c, &w) == 0 && w == z);
  if (a != b && a != c) assert(get(a, &w) == 0 && w == x);
  return 0;
}
