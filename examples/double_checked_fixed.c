// The cure of double_checked.c: the pointer is atomic. Who sees it also sees what it points to.
//
// expect: true
// states: 56
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
  int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *_Atomic the_settings;

static struct settings *get_settings(void) {
  struct settings *s = the_settings;
  if (!s) {
    pthread_mutex_lock(&lock);
    s = the_settings;
    if (!s) {
      s = malloc(sizeof *s);
      if (!s) abort();
      s->size = 42;
      the_settings = s;
    }
    pthread_mutex_unlock(&lock);
  }
  return s;
}

static void *user(void *unused) {
  (void)unused;
  assert(get_settings()->size == 42);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, user, NULL);
  pthread_create(&two, NULL, user, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(the_settings);
  return 0;
}
