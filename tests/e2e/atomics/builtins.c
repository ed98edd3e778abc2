// The __atomic and __sync builtins, alone.
// expect: true
// states: 1
#include <assert.h>

int main(void) {
  int x = 5, expected = 6;
  int old = __sync_fetch_and_add(&x, 1);
  assert(old == 5 && x == 6);
  old = __sync_val_compare_and_swap(&x, 6, 8);
  assert(old == 6 && x == 8);
  old = __sync_bool_compare_and_swap(&x, 6, 9);
  assert(!old && x == 8);
  old = __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  assert(!old && expected == 8);
  old = __atomic_exchange_n(&x, 12, __ATOMIC_SEQ_CST);
  assert(old == 8);
  old = __atomic_and_fetch(&x, 10, __ATOMIC_SEQ_CST);
  assert(old == 8);
  old = __atomic_fetch_or(&x, 3, __ATOMIC_SEQ_CST);
  assert(old == 8 && x == 11);
  old = __atomic_fetch_xor(&x, 1, __ATOMIC_SEQ_CST);
  assert(old == 11 && x == 10);
  old = __atomic_fetch_nand(&x, 2, __ATOMIC_SEQ_CST);
  assert(old == 10 && x == ~2);
  __sync_synchronize();
  long long wide = 1LL << 40;
  wide = __atomic_sub_fetch(&wide, 1, __ATOMIC_SEQ_CST);
  assert(wide == (1LL << 40) - 1);
}
