// A barber and N - 1 customers. There is room for two in the shop, one of them in the barber's chair. A customer who finds the
// chair free goes to it, and says that it is taken only when he sits down: another one may have found it free before.
// -DFIX: who finds the chair free takes it at once. -DROUNDS=n: each customer comes n times. The barber counts
// the haircuts, so that there is no end of states; -DUNCOUNTED: he does not.
// A line with nothing but `// call` is where bench/directed/generate may put a call.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef N
#  define N 3
#endif
#ifdef ROUNDS
#  define REPEAT for (int round = 0; round < ROUNDS; round++)
#else
#  define REPEAT for (;;)
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static sem_t places, next, seated, done;
static pthread_mutex_t lock;
static int taken, waiting; // behind the lock
static unsigned haircuts;
static _Atomic int in_chair;

static void haircut(void) {
  in_chair++;
  assert(in_chair == 1);
  sem_post(&seated);
  sem_wait(&done);
  in_chair--;
}

static void *customer(void *arg) {
  REPEAT {
    int waits;
    sem_wait(&places);
    pthread_mutex_lock(&lock);
    waits = taken;
    if (waits) waiting++;
#ifdef FIX
    taken = 1;
#endif
    pthread_mutex_unlock(&lock);
    // call
    if (waits) sem_wait(&next);
    // call
    // call
#ifndef FIX
    pthread_mutex_lock(&lock);
    taken = 1;
    pthread_mutex_unlock(&lock);
#endif
    haircut();
    // call
    pthread_mutex_lock(&lock);
    if (waiting) {
      waiting--;
      sem_post(&next);
    } else {
      taken = 0;
    }
    pthread_mutex_unlock(&lock);
    // call
    sem_post(&places);
  }
  return arg;
}

static void *barber(void *arg) {
  for (;;) {
    // call
    sem_wait(&seated);
#ifndef UNCOUNTED
    haircuts++;
#endif
    // call
    sem_post(&done);
  }
  return arg;
}

int main(void) {
  pthread_t t[N];
  __VERIFIER_atomic_begin();
  sem_init(&places, 0, 2);
  sem_init(&next, 0, 0);
  sem_init(&seated, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t[0], NULL, barber, NULL);
  for (int i = 1; i < N; i++) pthread_create(&t[i], NULL, customer, NULL);
  __VERIFIER_atomic_end();
  for (int i = 1; i < N; i++) pthread_join(t[i], NULL);
  return 0;
}
