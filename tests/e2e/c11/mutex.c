// C11 threads under a plain mutex; thrd_join gives an int.
// expect: true
// states: 44
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int counter;

static int count(void *arg) {
  mtx_lock(&lock);
  counter += *(int *)arg;
  mtx_unlock(&lock);
  return 3;
}

int main(void) {
  int one = 1, result = 0;
  thrd_t a, b;
  mtx_init(&lock, mtx_plain);
  assert(thrd_create(&a, count, &one) == thrd_success);
  assert(thrd_create(&b, count, &one) == thrd_success);
  thrd_join(a, &result);
  assert(result == 3);
  thrd_join(b, NULL);
  assert(counter == 2);
  mtx_destroy(&lock);
}
