// The wait comes first after the post of a thread that goes on to an error of its own, in the same
// event. No path leads through that, but one does through the other post.
// expect: false(unreach-call)
// args: --engine dpor --keep-going --property unreach-call
// message: behind_a_failed_post.c:17 in fails
// message: behind_a_failed_post.c:28 in waits
// run: --engine dpor --property unreach-call -- -DLATE => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DLATE -DORDERED => true
#include <pthread.h>
#include <semaphore.h>
extern void reach_error(void);
static sem_t s;

static void *fails(void *arg) {
  sem_post(&s);
#ifndef LATE
  reach_error();
#endif
  return arg;
}

static void *waits(void *arg) {
  sem_wait(&s);
#ifdef ORDERED
  sem_wait(&s);
  sem_wait(&s);
#endif
  reach_error();
  return arg;
}

static void *posts(void *arg) {
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t t[3];
  sem_init(&s, 0, 0);
  pthread_create(&t[0], 0, fails, 0);
  pthread_create(&t[1], 0, waits, 0);
  pthread_create(&t[2], 0, posts, 0);
  return 0;
}
