// Claims that destructors of thread-specific data do not run.
// expect: false(unreach-call)
// states: 4
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value;

static void destroy(void *data) {
  (void)data;
  assert(0);
}

static void *work(void *arg) {
  pthread_setspecific(key, arg);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t t;
  pthread_create(&t, NULL, work, &value);
  pthread_join(t, NULL);
}
