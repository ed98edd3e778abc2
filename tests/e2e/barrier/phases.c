// Two phases with a barrier between them; one thread of each round is the serial one.
// expect: true
// states: 33
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static int part[2];
static atomic_int serials;

static void *work(void *arg) {
  int me = arg != NULL;
  part[me] = me + 1;
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  if (result != 0) atomic_fetch_add(&serials, 1);
  assert(part[0] + part[1] == 3);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t t;
  pthread_create(&t, NULL, work, &t);
  work(NULL);
  pthread_join(t, NULL);
  assert(serials == 1);
  pthread_barrier_destroy(&barrier);
}
