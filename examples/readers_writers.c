// One writer and two readers share a pair of numbers under a read-write lock. The writer takes the
// lock for reading only, so that readers come in while it writes.
//
// expect: false(no-data-race)
// states: 32
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int width = 2, height = 3; // the area is always 6

static void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  assert(width * height == 6);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  width = 1;
  height = 6;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t r1, r2, w;
  pthread_create(&r1, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r2, NULL, reader, NULL);
  pthread_join(r1, NULL);
  pthread_join(w, NULL);
  pthread_join(r2, NULL);
  pthread_rwlock_destroy(&lock);
  return 0;
}
