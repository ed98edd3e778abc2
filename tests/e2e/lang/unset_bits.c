// Words that are set in part: bit-fields, unions, and shifts that bring unset bits to where they matter.
// expect: true
// run: -- -DFIELD => false(def-behavior)
// run: -- -DSHIFTED => false(def-behavior)
// run: -- -DUNION => false(def-behavior)
// run: --engine dpor -- -DUNION => false(def-behavior)
#include <string.h>

struct flags {
  unsigned low : 3, middle : 5, high : 8;
};
union both {
  unsigned char bytes[4];
  unsigned word;
};

int main(void) {
  struct flags f, g;
  f.low = 5;
  g.low = f.low;
  g.middle = f.middle;
  unsigned low = g.low;
  if (low != 5) return 1;
#ifdef FIELD
  if (g.middle == 2) return 1;
#endif
  union both u, w;
  u.bytes[0] = 1;
  w.word = u.word;
  unsigned first = w.word & 0xff, up = w.word << 24;
  if (first != 1) return 1;
  if (up != 1u << 24) return 1;
#ifdef SHIFTED
  if (w.word >> 8 & 1) return 1;
#endif
#ifdef UNION
  if (w.bytes[1]) return 1;
#endif
  return 0;
}
