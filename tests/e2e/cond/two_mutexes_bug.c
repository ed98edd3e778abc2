// Two threads wait at one condition with different mutexes.
// expect: false(def-behavior)
// states: 50
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int happened;

static void *await(void *arg) {
  pthread_mutex_t *mine = arg;
  pthread_mutex_lock(mine);
  while (!happened) pthread_cond_wait(&event, mine);
  pthread_mutex_unlock(mine);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, await, &first);
  pthread_create(&b, NULL, await, &second);
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  happened = 1;
  pthread_cond_broadcast(&event);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
