// As workers.c, but the last job may be done twice: an error is found, and its path replayed, whatever
// keeps the states; with --keep-going, the search goes on behind it.
//
// args: --store bitstate --property unreach-call
// expect: false(unreach-call)
// states: 138
// message: assertion `done[0] + done[1] == 4` fails
// message: ; replayed)
// run: --property unreach-call => false(unreach-call) states=127
// run: --store compact64 --property unreach-call => false(unreach-call) states=138
// run: --store compact128 --property unreach-call => false(unreach-call) states=138
// run: --store compact64 --por none --property unreach-call,no-deadlock --keep-going => false(unreach-call) states=1476
// run: --store exact --por none --property unreach-call,no-deadlock --keep-going => false(unreach-call) states=1476
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 4, done[2];

static void *worker(void *arg) {
  int me = *(int *)arg;
  for (;;) {
    pthread_mutex_lock(&lock);
    int mine = jobs > 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
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
