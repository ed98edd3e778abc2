// Each thread has its own buffer, and gives its lock back where it comes to after a jump.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG => false(no-deadlock)
// run: --engine dpor -- -DBUG => false(no-deadlock)
// run: -- -DOTHER => false(def-behavior)
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, jumps;
static _Thread_local jmp_buf buffer;
static jmp_buf first;

static void step(int n) {
  pthread_mutex_lock(&lock);
  if (++shared == n) {
    jumps++;
    longjmp(buffer, 1);
  }
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
#ifdef OTHER
  longjmp(first, 1);
#endif
  if (setjmp(buffer) != 0) {
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    return unused;
  }
  step(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (setjmp(first)) return 1;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_mutex_lock(&lock);
  assert(shared == 2 && jumps == 1);
  pthread_mutex_unlock(&lock);
  return 0;
}
