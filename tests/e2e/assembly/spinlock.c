// A spin lock of inline assembly. On x86 a plain store releases, which is enough.
// expect: true
// args: --property unreach-call,no-data-race
// states: 26
// run: -- -DBROKEN => false(no-data-race) states=8
#include <assert.h>
#include <pthread.h>

static volatile unsigned lock_word;
static int shared;

static void lock(void) {
  unsigned char taken;
  unsigned expected;
  do {
    expected = 0;
    __asm__ volatile("lock cmpxchgl %3, %0; setz %1"
                     : "+m"(lock_word), "=q"(taken), "+a"(expected)
                     : "r"(1)
                     : "memory", "cc");
    if (!taken) __asm__ volatile("rep; nop" ::: "memory");
  } while (!taken);
}

static void unlock(void) {
  __asm__ volatile("movl %1, %0" : "=m"(lock_word) : "ri"(0) : "memory");
}

static void *worker(void *unused) {
  lock();
  shared++;
#ifdef BROKEN
  unlock();
  shared++;
#else
  shared++;
  unlock();
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(shared == 4);
  return 0;
}
