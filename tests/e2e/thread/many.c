// Four threads, each with its own part of an array.
// expect: true
// states: 91
#include <assert.h>
#include <pthread.h>

enum { N = 4 };
static int parts[N];

static void *work(void *arg) {
  int *mine = arg;
  *mine = (int)(mine - parts);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, work, &parts[i]);
  for (int i = 0; i < N; i++) {
    void *result;
    pthread_join(t[i], &result);
    assert(result == &parts[i] && parts[i] == i);
  }
}
