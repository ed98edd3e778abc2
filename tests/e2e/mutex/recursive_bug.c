// The twin of recursive.c with a normal mutex: its owner waits for itself.
// expect: false(no-deadlock)
// states: 2
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void add(int depth) {
  pthread_mutex_lock(&lock);
  if (depth > 0) add(depth - 1);
  data++;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  add(1);
  return data;
}
