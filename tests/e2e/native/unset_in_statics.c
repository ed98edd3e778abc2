// In machine code as in the interpreter: what is unset in static and thread-local memory stays so, and stores beside it and over it are seen.
// expect: true
// states: 5
// run: -- -DREAD => false(def-behavior)
// run: -- -DBESIDE => false(def-behavior)
// run: -- -DOWN => false(def-behavior)
#include <assert.h>
#include <string.h>

struct record {
  int key;
  char kind; /* and padding behind it */
  int value;
};
static struct record records[100];
static _Thread_local struct record own[100];

static int fill(int n) {
  struct record local;
  local.key = n;
  local.kind = 1;
  for (int i = 0; i < 100; i++) records[i] = own[i] = local;
  for (int i = 0; i < 100; i++) records[i].value = i, own[i].value = n;
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += records[i].value + own[i].key;
  return sum;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += fill(i);
  assert(sum == 100 * 4950 + 100 * 4950);
  struct record last;
  last.key = 3;
  for (int i = 0; i < 100; i++) records[i] = own[i] = last;
  for (int k = 0; k < 100; k++)
    for (int i = 0; i < 100; i++) records[i].kind = own[i].kind = 2;
#ifdef READ
  for (int i = 0; i < 100; i++) sum += records[i].value;
#endif
#ifdef OWN
  for (int i = 0; i < 100; i++) sum += own[i].value;
#endif
#ifdef BESIDE
  sum += !memcmp(&records[99].kind, "\2\0\0\0", 4);
#endif
  for (int i = 0; i < 100; i++) sum += records[i].kind + own[i].kind;
  return sum == 0;
}
