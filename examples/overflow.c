// Two sensors report, main takes the mean of what is there. Each value fits an int, and so does
// the mean; the sum does not, if both sensors were in time.
//
// expect: false(no-overflow)
// states: 42
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
  return (a + b) / 2;
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
