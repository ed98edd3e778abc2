// A producer and two consumers share a bounded queue.
// bug: no-deadlock: only one of two consumers is woken at the end
// expect: false(no-deadlock)
// args:
// stdin:
#include <assert.h>
#include <pthread.h>

enum { ROOM = 2, ITEMS = 3 };
static struct {
  int items[ROOM], used, next, closed;
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER,
           .not_full = PTHREAD_COND_INITIALIZER};
static int sum;

static void put(int item) {
  pthread_mutex_lock(&queue.lock);
  while (queue.used == ROOM)
    pthread_cond_wait(&queue.not_full, &queue.lock);
  queue.items[(queue.next + queue.used) % ROOM] = item;
  queue.used++;
  pthread_cond_signal(&queue.not_empty);
  pthread_mutex_unlock(&queue.lock);
}

static int take(int *item) {
  int any;
  pthread_mutex_lock(&queue.lock);
  while (queue.used == 0 && !queue.closed)
    pthread_cond_wait(&queue.not_empty, &queue.lock);
  any = queue.used > 0;
  if (any) {
    *item = queue.items[queue.next];
    queue.next = (queue.next + 1) % ROOM;
    queue.used--;
    sum += *item;
    pthread_cond_signal(&queue.not_full);
  }
  pthread_mutex_unlock(&queue.lock);
  return any;
}

static void *consumer(void *unused) {
  int item;
  while (take(&item)) {
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, consumer, NULL);
  for (int i = 1; i <= ITEMS; i++)
    put(i);
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_signal(&queue.not_empty);
  pthread_mutex_unlock(&queue.lock);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(sum == 6);
  return 0;
}
