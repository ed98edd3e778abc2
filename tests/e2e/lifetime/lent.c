// A local that another thread writes to ends only when that is done. BUG: it ends while the other
// thread is about to write; nobody else notices the order of the two, so that only the end itself can
// tell that it matters. The local is one of a function; BLOCK: of a block; ARRAY: likewise, and an
// array whose length is known only then. OWNER_FIRST: its thread has the lower number.
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
// run: --property valid-memsafety -- -DBUG => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DBUG => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DBUG -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por sleep -- -DBUG => false(valid-deref) states=33
// run: --property valid-memsafety --por sleep -- -DBUG -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por persistent -- -DBUG => false(valid-deref) states=33
// run: --property valid-memsafety --por persistent -- -DBUG -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --search bfs -- -DBUG => false(valid-deref) states=21
// run: --property valid-memsafety --search bfs -- -DBUG -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety --por none --search bfs -- -DBUG => false(valid-deref) states=21
// run: --property valid-memsafety --por none --search bfs -- -DBUG -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety -- -DBUG -DBLOCK => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DBUG -DBLOCK => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DBUG -DBLOCK -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por sleep -- -DBUG -DBLOCK => false(valid-deref) states=33
// run: --property valid-memsafety --por sleep -- -DBUG -DBLOCK -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por persistent -- -DBUG -DBLOCK => false(valid-deref) states=33
// run: --property valid-memsafety --por persistent -- -DBUG -DBLOCK -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --search bfs -- -DBUG -DBLOCK => false(valid-deref) states=21
// run: --property valid-memsafety --search bfs -- -DBUG -DBLOCK -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety --por none --search bfs -- -DBUG -DBLOCK => false(valid-deref) states=21
// run: --property valid-memsafety --por none --search bfs -- -DBUG -DBLOCK -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety -- -DBUG -DARRAY => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DBUG -DARRAY => false(valid-deref) states=33
// run: --property valid-memsafety --por none -- -DBUG -DARRAY -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por sleep -- -DBUG -DARRAY => false(valid-deref) states=33
// run: --property valid-memsafety --por sleep -- -DBUG -DARRAY -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --por persistent -- -DBUG -DARRAY => false(valid-deref) states=33
// run: --property valid-memsafety --por persistent -- -DBUG -DARRAY -DOWNER_FIRST => false(valid-deref) states=11
// run: --property valid-memsafety --search bfs -- -DBUG -DARRAY => false(valid-deref) states=21
// run: --property valid-memsafety --search bfs -- -DBUG -DARRAY -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety --por none --search bfs -- -DBUG -DARRAY => false(valid-deref) states=21
// run: --property valid-memsafety --por none --search bfs -- -DBUG -DARRAY -DOWNER_FIRST => false(valid-deref) states=19
// run: --property valid-memsafety -- -DBLOCK => true states=29
// run: --property valid-memsafety -- -DARRAY => true states=29
// Persistent sets are not used where leaks are asked for.
// run: --property valid-deref --por persistent => true states=17
// run: --property valid-deref --por persistent -- -DBUG => false(valid-deref) states=18
// run: --property valid-deref --por persistent -- -DBUG -DBLOCK => false(valid-deref) states=18
// run: --property valid-deref --por persistent -- -DBUG -DARRAY => false(valid-deref) states=18
// run: --property valid-deref => true states=17
// run: --property valid-deref -- -DBUG => false(valid-deref) states=18
// run: --property valid-deref -- -DBUG -DBLOCK => false(valid-deref) states=18
// run: --property valid-deref -- -DBUG -DARRAY => false(valid-deref) states=18
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

static void lend(int *x) {
  lent = x;
  sem_post(&ready);
  sem_wait(&taken);
#ifndef BUG
  sem_wait(&done);
#endif
  g = 1;
}

static void live(void) {
#if defined BLOCK
  for (int i = 0; i < 1; i++) {
    int x = 0;
    lend(&x);
  }
#elif defined ARRAY
  for (int i = 1; i < 2; i++) {
    int x[i];
    x[0] = 0;
    lend(x);
  }
#else
  int x = 0;
  lend(&x);
#endif
}

static void *owner(void *arg) {
  live();
#ifdef BUG
  sem_wait(&done);
#endif
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
