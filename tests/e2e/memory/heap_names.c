// Members of blocks on the heap have the names that the program has for them.
// expect: false(no-data-race)
// message: data race on s->count (allocated at heap_names.c:
// run: -- -DARRAY => false(no-data-race)
// run: -- -DJOINED => true
#include <pthread.h>
#include <stdlib.h>
struct shared {
  int id, count;
};
static struct shared *s;
static void *add(void *p) {
#ifdef ARRAY
  s[2].count++;
#else
  s->count++;
#endif
  return p;
}
int main(void) {
#ifdef ARRAY
  s = calloc(3, sizeof *s);
#else
  s = calloc(1, sizeof *s);
#endif
  if (!s) return 1;
  pthread_t t;
  pthread_create(&t, 0, add, 0);
#ifdef JOINED
  pthread_join(t, 0);
  add(0);
#else
  add(0);
  pthread_join(t, 0);
#endif
  free(s);
  return 0;
}
