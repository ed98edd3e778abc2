// With spurious wake-ups switched off, `if` is enough here, and the answer says so.
// expect: conditional
// states: 18
// args: --no-spurious
// proviso: spurious
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  if (!is_ready) pthread_cond_wait(&ready, &lock);
  assert(is_ready);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
