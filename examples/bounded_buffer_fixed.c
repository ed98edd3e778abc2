// The cure of bounded_buffer.c: first wait for a free place, then lock the buffer.
//
// expect: true
// states: 31
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { ITEMS = 2 };
static sem_t lock, free_places, items;
static int place;

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    sem_wait(&free_places);
    sem_wait(&lock);
    place = i;
    sem_post(&lock);
    sem_post(&items);
  }
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    sem_wait(&items);
    sem_wait(&lock);
    assert(place == i);
    sem_post(&lock);
    sem_post(&free_places);
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  sem_init(&lock, 0, 1);
  sem_init(&free_places, 0, 1);
  sem_init(&items, 0, 0);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  sem_destroy(&lock);
  sem_destroy(&free_places);
  sem_destroy(&items);
  return 0;
}
