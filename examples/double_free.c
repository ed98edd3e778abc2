// Two threads may both be the last to use a buffer. Each frees it under the lock if it was not
// freed yet, but nobody writes down that it was.
//
// expect: false(valid-free)
// states: 13
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;

static void drop_buffer(void) {
  pthread_mutex_lock(&lock);
  if (buffer) {
    free(buffer);
  }
  pthread_mutex_unlock(&lock);
}

static void *user(void *unused) {
  (void)unused;
  drop_buffer();
  return NULL;
}

int main(void) {
  pthread_t one, two;
  buffer = malloc(16);
  pthread_create(&one, NULL, user, NULL);
  pthread_create(&two, NULL, user, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
