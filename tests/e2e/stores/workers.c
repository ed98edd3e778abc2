// Two workers that count under a lock, by turns of their own choice: whatever keeps the states, they
// are as many, and only what may lose states has a condition.
//
// args: --por none --store compact64
// expect: conditional
// states: 555
// proviso: no state was lost by the store (compact64, p <= 8.4e-15)
// run: --por none => true states=555
// run: --por none --store compact128 => conditional states=555
// run: --por none --store bitstate => conditional states=555
// run: --por persistent => true states=538
// run: --store compact64 => conditional states=538
// run: --store bitstate --limit memory=1GB => conditional states=538
// run: --store compact64 --limit states=100 => conditional states=100
// run: --store bitstate --native-after 0 => conditional states=538
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 4, done[2];

static void *worker(void *arg) {
  int me = *(int *)arg;
  for (;;) {
    pthread_mutex_lock(&lock);
    int mine = jobs > 0;
    if (mine) jobs--;
    pthread_mutex_unlock(&lock);
    if (!mine) return NULL;
    done[me]++;
  }
}

int main(void) {
  pthread_t t[2];
  int number[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &number[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(done[0] + done[1] == 4);
}
