/* C11 atomics and the older builtins, in one thread: results of every operation and width. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic int a = 5;
static atomic_uchar small = 250;
static _Atomic(uint64_t) wide = 1;
static _Atomic(int *) pointer;
static _Atomic double real = 1.5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int plain = 3;

struct pair {
  int x, y;
};
static _Atomic struct pair both;

static void show(const char *what, long long before, long long after) {
  printf("%s %lld %lld\n", what, before, after);
}

static void on_ints(void) {
  int expected = 5, r = atomic_fetch_add(&a, 2);
  show("add", r, a);
  r = atomic_compare_exchange_strong(&a, &expected, 100);
  show("compare fails", r, expected);
  r = atomic_compare_exchange_strong(&a, &expected, 100);
  show("compare succeeds", r, a);
  a += 5;
  a++;
  --a;
  a *= 2;
  r = atomic_fetch_or(&a, 1);
  show("or", r, a);
  r = atomic_fetch_xor(&a, 0xff);
  show("xor", r, a);
  r = atomic_fetch_and(&a, 0xf0);
  show("and", r, a);
  r = atomic_fetch_sub(&a, 1);
  show("sub", r, a);
  r = atomic_fetch_add(&small, 10);
  show("wrap", r, small);
}

static void on_others(void) {
  int cells[4] = {1, 2, 3, 4};
  atomic_store_explicit(&wide, 1ULL << 40, memory_order_release);
  long long r = (long long)atomic_exchange(&wide, 7);
  show("exchange", r, (long long)atomic_load_explicit(&wide, memory_order_acquire));
  atomic_store(&pointer, cells);
  int *old = atomic_load(&pointer);
  atomic_compare_exchange_strong(&pointer, &old, old + 2);
  show("pointer", *old, *atomic_load(&pointer));
  real = real * 2;
  real = real + 0.25;
  printf("%g\n", (double)real);
  for (int i = 0; i < 2; i++) printf("%d ", atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  printf("%d\n", atomic_flag_test_and_set(&flag));
  struct pair p = {1, 2};
  atomic_store(&both, p);
  p = atomic_load(&both);
  show("pair", p.x, p.y);
}

static void on_builtins(void) {
  int r = __sync_fetch_and_add(&plain, 4);
  show("sync add", r, plain);
  r = __sync_add_and_fetch(&plain, 1);
  show("sync add", r, plain);
  r = __sync_bool_compare_and_swap(&plain, 8, 9);
  show("sync compare", r, plain);
  r = __sync_val_compare_and_swap(&plain, 8, 1);
  show("sync compare", r, plain);
  r = __atomic_fetch_nand(&plain, 5, __ATOMIC_SEQ_CST);
  show("nand", r, plain);
  r = __atomic_exchange_n(&plain, 2, __ATOMIC_ACQ_REL);
  show("exchange", r, plain);
}

int main(void) {
  on_ints();
  on_others();
  on_builtins();
  atomic_thread_fence(memory_order_seq_cst);
  return a & 63;
}
