// The address of a compound literal, or of what a call returned, goes to a function that might keep it.
// Whether anybody still holds it is looked at in the machine, behind its last use: no proviso if not.
// expect: true
// run: --engine dpor => true
// run: --32 => true
// run: -- -DBUG=1 => conditional
// run: --engine dpor -- -DBUG=1 => conditional
// run: -- -DBUG=2 => conditional
// run: -- -DBUG=3 => conditional
// run: --engine dpor -- -DBUG=3 => conditional
// run: -- -DBUG=4 => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif
struct pair {
  int key, value;
};
struct table {
  int (*compare)(const void *, const void *);
  const void *last;
  struct pair rows[3];
  int used;
};
struct sums {
  int at[4];
};

static int by_key(const void *a, const void *b) {
  return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
static const void *find(const struct table *t, const void *item) {
  for (int i = 0; i < t->used; i++)
    if (!t->compare(&t->rows[i], item)) return &t->rows[i];
  return NULL;
}
static void put(struct table *t, const void *item) {
  t->last = item;
  if (!find(t, item)) memcpy(&t->rows[t->used++], item, sizeof *t->rows);
  if (BUG != 1) t->last = NULL;
}
static struct sums sums(int i) {
  return (struct sums){{i, i + 1}};
}
static const int *chosen(const int *at, struct table *t) {
  t->last = at;
  int second = at[1];
  if (BUG != 2) t->last = NULL;
  return second ? NULL : at;
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const int *shared;
static int seen;
static void *reader(void *unused) {
  pthread_mutex_lock(&m);
  const int *p = shared;
  if (BUG == 3) pthread_mutex_unlock(&m);
  if (p) seen = *p;
  if (BUG != 3) pthread_mutex_unlock(&m);
  return unused;
}
static void offer(const int *p) {
  pthread_mutex_lock(&m);
  shared = p;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  shared = NULL;
  pthread_mutex_unlock(&m);
}

int main(void) {
  struct table *t = calloc(1, sizeof *t);
  pthread_t id;
  t->compare = by_key;
  for (int i = 0; i < 3; i++) put(t, &(struct pair){i, i * i});
  for (int i = 0; i < 3; i++) {
    const struct pair *x = find(t, &(struct pair){.key = i});
    assert(x && x->value == i * i);
    chosen(sums(i).at, t);
  }
  free(t);
  pthread_create(&id, NULL, reader, NULL);
  {
    offer(&(int){5});
  }
  pthread_join(id, NULL);
  assert(seen == 0 || (seen == 5 && BUG != 4));
  return 0;
}
