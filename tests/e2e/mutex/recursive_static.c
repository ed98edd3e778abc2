// glibc's static initialisers of other kinds of mutexes.
// expect: true
// states: 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
  int a = pthread_mutex_lock(&again), b = pthread_mutex_lock(&again);
  assert(a == 0 && b == 0);
  pthread_mutex_unlock(&again);
  pthread_mutex_unlock(&again);
  a = pthread_mutex_lock(&checked), b = pthread_mutex_lock(&checked);
  assert(a == 0 && b == EDEADLK);
  pthread_mutex_unlock(&checked);
}
