// A local that another thread writes to ends only when that is done.
// expect: true
// args: --property valid-memsafety
// states: 29
// run: --property valid-memsafety --por none => true states=29
// run: --property valid-memsafety --por none -- -DOWNER_FIRST => true states=27
// run: --property valid-memsafety --por sleep => true states=29
// run: --property valid-memsafety --por sleep -- -DOWNER_FIRST => true states=27
// run: --property valid-memsafety --por persistent => true states=29
// run: --property valid-memsafety --por persistent -- -DOWNER_FIRST => true states=27
// run: --property valid-memsafety --search bfs => true states=29
// run: --property valid-memsafety --search bfs -- -DOWNER_FIRST => true states=27
// run: --property valid-memsafety --por none --search bfs => true states=29
// run: --property valid-memsafety --por none --search bfs -- -DOWNER_FIRST => true states=27
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static int *_Atomic lent;
static sem_t ready, taken, done;
static atomic_int g;

static void *user(void *arg) {
  sem_wait(&ready);
  int *mine = lent;
  sem_post(&taken);
  *(volatile int *)mine = 1;
  sem_post(&done);
  return arg;
}

static void lend(void) {
  int x = 0;
  lent = &x;
  sem_post(&ready);
  sem_wait(&taken);
  sem_wait(&done);
  g = 1;
}

static void *owner(void *arg) {
  lend();
  return arg;
}

int main(void) {
  pthread_t t[2];
  sem_init(&ready, 0, 0);
  sem_init(&taken, 0, 0);
  sem_init(&done, 0, 0);
#ifdef OWNER_FIRST
  pthread_create(&t[0], NULL, owner, NULL);
  pthread_create(&t[1], NULL, user, NULL);
#else
  pthread_create(&t[0], NULL, user, NULL);
  pthread_create(&t[1], NULL, owner, NULL);
#endif
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
