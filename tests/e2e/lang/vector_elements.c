// Elements of vectors (GCC's extension) are set and read one by one; the others may be unset.
// expect: true
// states: 1
// run: -- -DUNSET => false(def-behavior) states=1
// run: -- -DBEHIND => false(def-behavior) states=1
// run: --property valid-deref -- -DBEHIND => false(valid-deref) states=1
// run: -- -DOTHER => false(unreach-call) states=1
// run: --engine predicate --property unreach-call => true
// run: --engine predicate -- -DOTHER => false(unreach-call)
#include <assert.h>

typedef int four __attribute__((vector_size(16)));
typedef unsigned char many __attribute__((vector_size(16)));

struct pair {
  int before;
  four v;
};

int main(void) {
  four v, sum = {1, 1, 1, 1};
  many m;
  struct pair p;
  p.v[1] = 3;
  p.before = 7;
  v[2] = 5;
  unsigned char last = 15;
  m[last] = 9;
#ifdef UNSET
  sum += v;
#endif
#ifdef OTHER
  v[2]++;
#endif
  assert(v[2] == 5 && p.v[1] == 3 && p.before == 7 && m[15] == 9);
#ifdef BEHIND
  for (int i = 0; i <= 4; i++) v[i] = i;
#else
  for (int i = 0; i < 4; i++) v[i] = i;
#endif
  sum += v;
  int all = 0;
  for (int i = 0; i < 4; i++) all += sum[i];
  assert(all == 4 + 6);
}
