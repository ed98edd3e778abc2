// Workers take numbered jobs until there are none.
// bug: no-data-race: the number of the next job is read without the lock
// expect: false(no-data-race)
// args:
// stdin:
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { WORKERS = 2, JOBS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job;
static int results[JOBS];

static int take_job(void) {
  int job = -1;
  if (next_job >= JOBS)
    return job;
  pthread_mutex_lock(&lock);
  job = next_job++;
  pthread_mutex_unlock(&lock);
  return job;
}

static void *work(void *unused) {
  int job;
  while ((job = take_job()) >= 0)
    results[job] = job * job;
  return unused;
}

int main(void) {
  pthread_t workers[WORKERS];
  int started = 0, sum = 0;
  while (started < WORKERS && pthread_create(&workers[started], NULL, work, NULL) == 0)
    started++;
  if (started == 0)
    work(NULL);
  for (int i = 0; i < started; i++)
    pthread_join(workers[i], NULL);
  for (int i = 0; i < JOBS; i++)
    sum += results[i];
  assert(sum == 5);
  printf("%d\n", sum);
  return 0;
}
