// Detached threads, by attribute and by call; their slots are used again, so the loop is finite.
// expect: true
// states: 22
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *arg) {
  sem_post(&done);
  return arg;
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_t t;
  pthread_create(&t, &attr, work, NULL);
  pthread_attr_destroy(&attr);
  sem_wait(&done);
  pthread_create(&t, NULL, work, NULL);
  pthread_detach(t);
  sem_wait(&done);
}
