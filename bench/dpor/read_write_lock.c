/* A read-write lock made of a mutex and counters, tried once by two writers and two readers. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int readers, x, tries;
static bool writing;

static bool begin_write(void) {
  pthread_mutex_lock(&m);
#ifdef BUG
  bool may = !writing;
#else
  bool may = !writing && !readers;
#endif
  if (may) writing = true;
  pthread_mutex_unlock(&m);
  return may;
}

static bool begin_read(void) {
  pthread_mutex_lock(&m);
  bool may = !writing;
  if (may) readers++;
  pthread_mutex_unlock(&m);
  return may;
}

static void *writer(void *arg) {
  tries++;
  if (!begin_write()) return arg;
  x = 3;
  pthread_mutex_lock(&m);
  writing = false;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *reader(void *arg) {
  tries++;
  if (!begin_read()) return arg;
  int seen = x;
  assert(seen == x);
  pthread_mutex_lock(&m);
  readers--;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  pthread_create(&t[2], NULL, writer, NULL);
  pthread_create(&t[3], NULL, reader, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
