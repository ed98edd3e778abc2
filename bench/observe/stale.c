/* stale.c -- a reader looks at a table without the lock, if a writer was not ready when it asked. */
#include "crowd.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table, version, asked;

static void *writer(void *x) {
  pthread_mutex_lock(&lock);
  version = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  if (asked) table = 7;
  version = 2;
  pthread_mutex_unlock(&lock);
  return x;
}

static void *reader(void *x) {
  pthread_mutex_lock(&lock);
  int seen = version;
  asked = seen == 1;
  pthread_mutex_unlock(&lock);
  if (seen == 1) return table ? x : 0;
  pthread_mutex_lock(&lock);
  version += table;
  pthread_mutex_unlock(&lock);
  return version ? x : 0;
}

int main(void) {
  pthread_t t, u;
  start_crowd();
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
