// Computing between few decisions: sorting, hashing and multiplying matrices in loops. With THREADS=2
// each of two threads works on memory of its own and adds its result to a shared sum.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 1
#endif
#ifndef ROUNDS
#define ROUNDS 20
#endif
enum { N = 200, M = 16 };

int proviso_choose(int low, int high);

static void sort(unsigned *a, int n) {
  for (int i = 1; i < n; i++) {
    unsigned v = a[i];
    int k = i;
    for (; k > 0 && a[k - 1] > v; k--) a[k] = a[k - 1];
    a[k] = v;
  }
}

static unsigned hash(const unsigned char *at, unsigned n) {
  unsigned h = 2166136261u;
  for (unsigned i = 0; i < n; i++) h = (h ^ at[i]) * 16777619u;
  return h;
}

static unsigned multiply(unsigned seed) {
  unsigned a[M][M], b[M][M], trace = 0;
  for (int i = 0; i < M; i++)
    for (int k = 0; k < M; k++) a[i][k] = seed * (unsigned)(i + 1) + (unsigned)k, b[i][k] = a[i][k] ^ seed;
  for (int i = 0; i < M; i++)
    for (int k = 0; k < M; k++) {
      unsigned sum = 0;
      for (int j = 0; j < M; j++) sum += a[i][j] * b[j][k];
      trace += i == k ? sum : 0;
    }
  return trace;
}

static unsigned work(unsigned seed) {
  unsigned *a = malloc(N * sizeof *a), result = 0;
  if (!a) return 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < N; i++) a[i] = seed = seed * 1664525u + 1013904223u;
    sort(a, N);
    for (int i = 1; i < N; i++) assert(a[i - 1] <= a[i]);
    result += hash((const unsigned char *)a, N * sizeof *a) + multiply(seed);
  }
  free(a);
  return result;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;

static void *run(void *seed) {
  unsigned result = work(*(unsigned *)seed);
  pthread_mutex_lock(&lock);
  sum += result;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  unsigned seeds[2] = {1, 2};
  if (THREADS == 1) {
    seeds[0] = (unsigned)proviso_choose(1, 2);
    run(seeds);
    return 0;
  }
  pthread_t other[2];
  for (int i = 0; i < 2; i++) pthread_create(&other[i], 0, run, &seeds[i]);
  for (int i = 0; i < 2; i++) pthread_join(other[i], 0);
  assert(sum == work(1) + work(2));
  return 0;
}
