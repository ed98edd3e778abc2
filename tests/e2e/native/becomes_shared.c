// Memory that a thread has used alone becomes shared in the middle of its work: from then on each
// access is a step of its own. The same for what is freed, and allocated again.
// expect: true
// states: 412
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *given;
static _Thread_local int mine;

static void *worker(void *arg) {
  (void)arg;
  for (int turn = 0; turn < 2; turn++) {
    int *a = malloc(4 * sizeof *a);
    if (!a) return 0;
    for (int i = 0; i < 4; i++) a[i] = mine++;
    for (int i = 0; i < 4; i++) assert(a[i] == 4 * turn + i);
    pthread_mutex_lock(&lock);
    int *old = given;
    given = a;
    if (old) {
      old[0]++;
      assert(old[3] == old[0] + 2);
    }
    a[1]++;
    pthread_mutex_unlock(&lock);
    free(old);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  free(given);
  return 0;
}
