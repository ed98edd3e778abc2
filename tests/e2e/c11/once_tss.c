// call_once and thread-specific storage of C11.
// expect: true
// states: 28
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int runs;

static void initialise(void) {
  runs++;
  tss_create(&key, NULL);
}

static int work(void *arg) {
  call_once(&once, initialise);
  assert(runs == 1 && tss_get(key) == NULL);
  tss_set(key, arg);
  assert(tss_get(key) == arg);
  return 0;
}

int main(void) {
  int a, b;
  thrd_t t;
  thrd_create(&t, work, &a);
  work(&b);
  thrd_join(t, NULL);
  tss_delete(key);
}
