// The first wait needs no post, but comes after one in the first execution: what the waiting thread then reads seems to be written
// before. The second wait does need it. The execution in which the first wait comes first is given up, for the post is to come after
// it only where it came before it already; it alone shows that the read could come before the write.
// expect: true
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --dependence conflict --peek 0 --prune 0 => true
// run: --engine dpor --property unreach-call --dpor source => true
// run: --engine dpor --property unreach-call --dpor classic => true
// run: --engine explicit --por none --property unreach-call => true
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine dpor --property unreach-call --dependence conflict --peek 0 --prune 0 -- -DBUG => false(unreach-call)
// run: --engine dpor --property unreach-call --dependence predicate -- -DBUG => false(unreach-call)
// run: --engine dpor --property unreach-call --dpor source -- -DBUG => false(unreach-call)
// run: --engine dpor --property unreach-call --dpor classic -- -DBUG => false(unreach-call)
// run: --engine explicit --por none --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DBUG -DTHREE => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DTHREE => true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t tickets;
static atomic_int written, done;

static void *give(void *arg) {
  written = 1;
  sem_post(&tickets);
#ifndef THREE
  done = 1;
#endif
  return arg;
}

#ifdef THREE
static void *finish(void *arg) {
  done = 1;
  return arg;
}
#endif

static void *take(void *arg) {
  sem_wait(&tickets);
  int seen = written;
  sem_wait(&tickets);
#ifdef BUG
  assert(seen || done);
#else
  assert(seen || done || written);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&tickets, 0, 1);
  pthread_create(&a, NULL, give, NULL);
  pthread_create(&b, NULL, take, NULL);
#ifdef THREE
  pthread_t c;
  pthread_create(&c, NULL, finish, NULL);
  pthread_join(c, NULL);
#endif
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
