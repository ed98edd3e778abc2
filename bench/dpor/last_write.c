/* Two threads that write several times, and a main program that reads behind their ends (figure 9 of Kusano and Wang, ASE
 * 2014): only who wrote last matters. What a third thread may read meanwhile is not left out. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef W
#define W 2
#endif
static atomic_int x;

static void *low(void *arg) {
  for (int i = 1; i <= W; i++) x = i;
  return arg;
}

static void *high(void *arg) {
  for (int i = 1; i <= W; i++) x = 100 + i;
  return arg;
}

#ifdef THIRD
static void *meanwhile(void *arg) {
  int seen = x;
#ifdef BUG
  assert(seen != 1);
#else
  assert(seen <= 100 + W);
#endif
  return arg;
}
#endif

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, low, 0);
  pthread_create(&t[1], 0, high, 0);
#ifdef THIRD
  pthread_create(&t[2], 0, meanwhile, 0);
#endif
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
#ifdef THIRD
  pthread_join(t[2], 0);
#endif
#ifdef BUG
  assert(x == 100 + W);
#else
  assert(x == W || x == 100 + W);
#endif
  return 0;
}
