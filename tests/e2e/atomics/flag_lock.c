// A lock made of an atomic flag orders plain accesses.
// expect: true
// states: 19
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void *count(void *arg) {
  while (atomic_flag_test_and_set(&taken)) continue;
  counter++;
  atomic_flag_clear(&taken);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
  assert(counter == 2);
}
