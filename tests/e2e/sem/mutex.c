// A semaphore as a mutex.
// expect: true
// states: 18
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room;
static int counter;

static void *count(void *arg) {
  sem_wait(&room);
  counter++;
  sem_post(&room);
  return arg;
}

int main(void) {
  sem_init(&room, 0, 1);
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
  assert(counter == 2);
}
