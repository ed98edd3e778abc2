// A thread that joins itself is told so; it knows its own id.
// expect: true
// states: 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  int result = pthread_join(pthread_self(), NULL);
  assert(result == EDEADLK);
  assert(pthread_equal(pthread_self(), pthread_self()));
}
