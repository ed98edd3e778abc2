// Readers look at a configuration that a writer replaces.
// bug: none
// expect: true
// args:
// stdin:
#include <pthread.h>
#include <stdlib.h>

struct config {
  int size, colour;
};
static struct config *current;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int area = current->size * current->size;
  pthread_rwlock_unlock(&lock);
  return area == 4 || area == 9 ? unused : (void *)1;
}

static int replace(int size) {
  struct config *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return 0;
  fresh->size = size;
  fresh->colour = 0;
  pthread_rwlock_wrlock(&lock);
  struct config *old = current;
  current = fresh;
  pthread_rwlock_unlock(&lock);
  free(old);
  return 1;
}

int main(void) {
  pthread_t threads[2];
  if (!replace(2))
    return 1;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, reader, NULL);
  replace(3);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  free(current);
  return 0;
}
