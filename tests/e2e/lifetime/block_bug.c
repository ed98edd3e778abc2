// Likewise at the end of a block.
// expect: false(valid-deref)
// args: --property valid-memsafety
// states: 33
// run: --property valid-memsafety --por none => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por sleep => false(valid-deref) states=33
// run: --property valid-memsafety --por sleep -- -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por persistent => false(valid-deref) states=33
// run: --property valid-memsafety --por persistent -- -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --search bfs => false(valid-deref) states=21
// run: --property valid-memsafety --search bfs -- -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety --por none --search bfs => false(valid-deref) states=21
// run: --property valid-memsafety --por none --search bfs -- -DOWNER_FIRST => false(valid-deref) states=19
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

static void *owner(void *arg) {
  for (int i = 0; i < 1; i++) {
    int x = 0;
    lent = &x;
    sem_post(&ready);
    sem_wait(&taken);
    g = 1;
  }
  sem_wait(&done);
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
