// A barrier is used again and again.
// expect: true
// states: 71
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int turn;

static void *work(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_barrier_wait(&barrier);
    if (arg) turn = i + 1;
    pthread_barrier_wait(&barrier);
    assert(turn == i + 1);
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t t;
  pthread_create(&t, NULL, work, &t);
  work(NULL);
  pthread_join(t, NULL);
  pthread_barrier_destroy(&barrier);
}
