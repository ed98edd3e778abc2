// A table that the first user creates.
// bug: no-data-race: double-checked locking without an atomic pointer
// expect: false(no-data-race)
// args:
// stdin:
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get_table(void) {
  if (table)
    return table;
  pthread_mutex_lock(&lock);
  if (!table) {
    table = malloc(4 * sizeof *table);
    for (int i = 0; table && i < 4; i++)
      table[i] = i * i;
  }
  int *result = table;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *user(void *unused) {
  int *t = get_table();
  if (t)
    assert(t[3] == 9);
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (pthread_create(&a, NULL, user, NULL) != 0)
    return 1;
  if (pthread_create(&b, NULL, user, NULL) != 0) {
    pthread_join(a, NULL);
    return 1;
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(table);
  return 0;
}
