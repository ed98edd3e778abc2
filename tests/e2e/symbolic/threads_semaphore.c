// A semaphore hands over; one that begins open does not wait.
// run: --engine value --property unreach-call => true
// run: --engine composite --property unreach-call => true
// run: --engine value --property unreach-call -- -DOPEN => false(unreach-call)
// run: --engine composite --property unreach-call -- -DOPEN => false(unreach-call)
// proof: none
#include <pthread.h>
#include <semaphore.h>
extern void reach_error(void);
static sem_t s;
static int done;
static void *work(void *unused) {
  done = 1;
  sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t t;
#ifdef OPEN
  sem_init(&s, 0, 1);
#else
  sem_init(&s, 0, 0);
#endif
  pthread_create(&t, 0, work, 0);
  sem_wait(&s);
  if (!done) reach_error();
  pthread_join(t, 0);
}
