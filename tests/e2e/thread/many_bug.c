// The loop's variable is handed to every thread by address.
// expect: false(no-data-race)
// states: 3
#include <pthread.h>

enum { N = 2 };
static int parts[N];

static void *work(void *arg) {
  parts[*(int *)arg % N] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, work, &i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
}
