// Thread-specific data: each thread has its own value, and the destructor gets it at the end.
// expect: true
// states: 11
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed;
static int values[2];

static void destroy(void *value) {
  destroyed = *(int *)value;
}

static void *work(void *arg) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, arg);
  *(int *)pthread_getspecific(key) = 7;
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, &values[0]);
  pthread_t t;
  pthread_create(&t, NULL, work, &values[1]);
  pthread_join(t, NULL);
  assert(destroyed == 7);
  assert(pthread_getspecific(key) == &values[0]);
  pthread_key_delete(key);
}
