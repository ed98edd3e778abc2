// Reads and writes of every size in objects of every kind, at the ends of the object, of its pages and
// of words, each several times: the first access goes another way than those that follow it.
// addresses: far outside one object another may lie, and which one is in the message
// expect: false(valid-deref)
// states: 220
// args: --keep-going --malloc-may-fail
// run: --keep-going --32 => false(valid-deref) states=172
// run: --engine explicit --keep-going --property unreach-call -- -DSET => conditional states=172
#include <stdlib.h>
#include <string.h>

int proviso_choose(int low, int high);

enum { BYTES = 1100, ROUNDS = 3 };
static unsigned char global[BYTES];
static unsigned char small[12];
static const unsigned char constant[BYTES] = {1, 2, 3};
static _Thread_local unsigned char local_to_thread[40];

static unsigned char *object(int kind, unsigned char *stack) {
  unsigned char *heap;
  switch (kind) {
  case 0: return global;
  case 1: return small;
  case 2: return (unsigned char *)constant;
  case 3: return local_to_thread;
  case 4: return stack;
  case 5:
    heap = malloc(BYTES);
#ifdef SET
    if (heap) memset(heap, 0, BYTES);
#endif
    return heap;
  case 6: return calloc(BYTES, 1);
  case 7:
    heap = malloc(BYTES);
    free(heap);
    return heap;
  case 8: return NULL;
  default: return (unsigned char *)(void *)object;
  }
}

static unsigned long long read(const unsigned char *at, int log) {
  switch (log) {
  case 0: return *at;
  case 1: return *(const unsigned short *)(const void *)at;
  case 2: return *(const unsigned *)(const void *)at;
  default: return *(const unsigned long long *)(const void *)at;
  }
}

static void write(unsigned char *at, int log, unsigned long long value) {
  switch (log) {
  case 0: *at = (unsigned char)value; break;
  case 1: *(unsigned short *)(void *)at = (unsigned short)value; break;
  case 2: *(unsigned *)(void *)at = (unsigned)value; break;
  default: *(unsigned long long *)(void *)at = value; break;
  }
}

int main(void) {
  static const int offsets[] = {0, 1, 2, 5, 7, 8, 11, 39, 504, 505, 510, 1023, 1085, 1092, 1097, -1};
  unsigned char stack[BYTES];
  unsigned long long sum = 0;
  int kind = proviso_choose(0, 9), log = proviso_choose(0, 3), how = proviso_choose(0, 2);
  int step = how == 2 ? 1 : 1 << log;
#ifdef SET /* else every value of what was never set would be tried */
  memset(stack, 0, sizeof stack);
#endif
  unsigned char *at = object(kind, stack) + offsets[proviso_choose(0, 15)];
  for (int round = 0; round < ROUNDS; round++, at += step) {
    if (how) write(at, log, sum * 3 + 0x0102030405060708ull * (unsigned)(round + 1));
    if (how != 1) sum += read(at, log);
  }
  for (int i = 0; how && i < 1 << log; i++) sum += (at - step)[i];
  memset(stack, (int)sum, sizeof stack);
  return 0;
}
