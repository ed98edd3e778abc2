// A hash table with open addressing, and three keys of any value: bounds that close get bmc the time to prove it.
// expect: true
// args: --engine bmc
// proof: none
// run: --engine bmc --integers bitvector => true
// run: --engine bmc --integers bitvector --bit-solver z3 -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DBUG => false(unreach-call)
// run: --engine bmc -- -DBUG => false(unreach-call)
// run: => true
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

enum { N = 8 };
static unsigned key[N];
static int used[N];

static int find(unsigned k) {
  unsigned h = k % N;
#ifdef BUG
  int most = 2; // the third key in a row is not found
#else
  int most = N;
#endif
  for (int i = 0; i < most; i++) {
    unsigned p = (h + i) % N;
    if (!used[p]) return -1;
    if (key[p] == k) return (int)p;
  }
  return -1;
}

static void insert(unsigned k) {
  unsigned h = k % N;
  for (int i = 0; i < N; i++) {
    unsigned p = (h + i) % N;
    if (!used[p]) {
      used[p] = 1;
      key[p] = k;
      return;
    }
    if (key[p] == k) return;
  }
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();
  insert(a), insert(b), insert(c);
  assert(find(a) >= 0 && find(b) >= 0);
  assert(find(c) >= 0);
}
