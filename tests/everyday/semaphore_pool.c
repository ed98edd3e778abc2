// Three threads share two connections.
// bug: none
// expect: true
// args:
// stdin:
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t available;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int in_use[2];

static int take(void) {
  int found = -1;
  sem_wait(&available);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 2 && found < 0; i++)
    if (!in_use[i])
      found = i;
  assert(found >= 0);
  in_use[found] = 1;
  pthread_mutex_unlock(&lock);
  return found;
}

static void give(int connection) {
  pthread_mutex_lock(&lock);
  in_use[connection] = 0;
  pthread_mutex_unlock(&lock);
  sem_post(&available);
}

static void *client(void *unused) {
  int connection = take();
  give(connection);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&available, 0, 2);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, client, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  sem_destroy(&available);
  return 0;
}
