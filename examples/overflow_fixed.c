// The cure of overflow.c: the sum is taken in a wider type.
//
// expect: true
// states: 70
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right; // 0: no report yet

static void *sensor(void *place) {
  pthread_mutex_lock(&lock);
  *(int *)place = 1500000000;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static int mean(int a, int b) {
  return (int)(((long long)a + b) / 2);
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, sensor, &left);
  pthread_create(&two, NULL, sensor, &right);
  pthread_mutex_lock(&lock);
  int m = mean(left, right);
  pthread_mutex_unlock(&lock);
  assert(m >= 0);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  printf("mean: %d\n", m);
  return 0;
}
