// switch with fall-through, goto, computed goto, nested loops with break and continue.
// expect: true
// states: 1
#include <assert.h>

static int classify(int n) {
  int r = 0;
  switch (n) {
  case 1: r += 1; /* fall through */
  case 2: r += 2; break;
  case 5 ... 7: r = 9; break;
  default: r = -1;
  }
  return r;
}

static int run(const char *code) {
  static void *const labels[] = {&&increment, &&twice, &&stop};
  int x = 1;
  goto *labels[code[0] - '0'];
increment:
  x++, code++;
  goto *labels[code[0] - '0'];
twice:
  x *= 2, code++;
  goto *labels[code[0] - '0'];
stop:
  return x;
}

int main(void) {
  assert(classify(1) == 3 && classify(2) == 2 && classify(6) == 9 && classify(8) == -1);
  assert(run("0112") == 8);
  int count = 0;
  for (int i = 0; i < 4; i++) {
    for (int j = 0;; j++) {
      if (j == i) break;
      if (j == 1) continue;
      count++;
    }
  }
  assert(count == 4);
}
