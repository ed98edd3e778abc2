// Operations on atomic integers of 128 bits: carries and borrows between the halves, signs, bits of both halves.
// expect: true
// states: 6
// args: -- -mcx16
#include <assert.h>
#include <pthread.h>

__extension__ typedef unsigned __int128 u128;

static u128 x;
static const u128 one = 1, high = (u128)1 << 64;

static void *worker(void *unused) {
  __atomic_fetch_add(&x, high - 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  __atomic_fetch_add(&x, high + 1, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  assert(x == 2 * high);
  assert(__atomic_fetch_sub(&x, one, __ATOMIC_SEQ_CST) == 2 * high);
  assert(x == 2 * high - 1);
  assert(__atomic_fetch_and(&x, high, __ATOMIC_SEQ_CST) == 2 * high - 1 && x == high);
  assert(__atomic_fetch_or(&x, 6 * high + 5, __ATOMIC_SEQ_CST) == high && x == 7 * high + 5);
  assert(__atomic_fetch_xor(&x, 2 * high + 1, __ATOMIC_SEQ_CST) == 7 * high + 5 && x == 5 * high + 4);
  assert(__atomic_exchange_n(&x, 3 * high, __ATOMIC_SEQ_CST) == 5 * high + 4 && x == 3 * high);
  assert(__atomic_fetch_nand(&x, high, __ATOMIC_SEQ_CST) == 3 * high && x == ~high);
  return 0;
}
