/* The driver of bluetooth_bad.c, mended, with a lock around each of its steps: N requests of three sections each, and a
 * stop of three. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#ifndef N
#define N 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1;
static bool stopping, idle, stopped;

static bool enter(void) {
  pthread_mutex_lock(&m);
#ifdef BUG
  bool may = true;
#else
  bool may = !stopping;
#endif
  if (may) pending++;
  pthread_mutex_unlock(&m);
  return may;
}

static void leave(void) {
  pthread_mutex_lock(&m);
  pending--;
  if (pending == 0) idle = true;
  pthread_mutex_unlock(&m);
}

static void *request(void *arg) {
  if (!enter()) return arg;
  pthread_mutex_lock(&m);
  bool too_late = stopped;
  pthread_mutex_unlock(&m);
  assert(!too_late);
  leave();
  return arg;
}

static void *stop(void *arg) {
  pthread_mutex_lock(&m);
  stopping = true;
  pthread_mutex_unlock(&m);
  leave();
  pthread_mutex_lock(&m);
  if (idle) stopped = true;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], NULL, stop, NULL);
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, request, NULL);
  for (int i = 0; i <= N; i++) pthread_join(t[i], NULL);
  return 0;
}
