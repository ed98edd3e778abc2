// A failing trylock orders nothing: the accesses to `data` race. No two of them are ever next to each
// other, so that the race is not found; the answer says what it rests on.
// expect: conditional
// states: 12
// proviso: failure of the attempt
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *publish(void *arg) {
  (void)arg;
  data = 1;
  pthread_mutex_lock(&lock); /* for ever: "data is ready" */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, publish, NULL);
  int seen = 0;
  if (pthread_mutex_trylock(&lock) == 0) {
    pthread_mutex_unlock(&lock);
  } else {
    seen = data;
  }
  pthread_join(t, NULL);
  return seen > 1;
}
