/* A driver that is stopped while requests are under way (Qadeer, Wu, "KISS: Keep it simple and sequential", PLDI 2004): a
 * request looks whether the driver is stopping before it says that it is there. Statistics that nobody asserts anything of are kept as
 * well. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#ifndef N
#define N 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1, served;
static bool stopping, stopped, event;

static void leave(void) {
  pthread_mutex_lock(&m);
  bool last = --pending == 0;
  pthread_mutex_unlock(&m);
  if (last) event = true;
}

static bool enter(void) {
#ifdef FIX
  pthread_mutex_lock(&m);
  bool may = !stopping;
  if (may) pending++;
  pthread_mutex_unlock(&m);
  return may;
#else
  if (stopping) return false;
  pthread_mutex_lock(&m);
  pending++;
  pthread_mutex_unlock(&m);
  return true;
#endif
}

static void *request(void *arg) {
  if (!enter()) return arg;
  served++;
  assert(!stopped);
  leave();
  return arg;
}

static void *stop(void *arg) {
  pthread_mutex_lock(&m);
  stopping = true;
  pthread_mutex_unlock(&m);
  leave();
  if (event) stopped = true;
  return arg;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], NULL, stop, NULL);
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, request, NULL);
  for (int i = 0; i <= N; i++) pthread_join(t[i], NULL);
  return 0;
}
