// A worker looks up a shared object under the lock, lets the lock go, and takes it again to use
// what it found. In between main may free the object: no race, for all is locked, but a dead
// pointer.
//
// expect: false(valid-deref)
// states: 22
#include <pthread.h>
#include <stdlib.h>

struct connection {
  int requests;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *current; // null once it is closed

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  struct connection *s = current;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  if (s) s->requests++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void disconnect(void) {
  pthread_mutex_lock(&lock);
  free(current);
  current = NULL;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  current = malloc(sizeof *current);
  if (!current) return 1;
  current->requests = 0;
  pthread_create(&thread, NULL, worker, NULL);
  disconnect();
  pthread_join(thread, NULL);
  return 0;
}
