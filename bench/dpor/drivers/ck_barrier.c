/* Concurrency Kit, ck_barrier: THREADS threads write ROUNDS times, each into a place of its own,
 * wait for each other, and look at what the next one wrote. The barrier is the centralized one, or
 * -DMCS: that of Mellor-Crummey and Scott.
 *
 * It was written by then. -DWRONG: one thread does not wait in the last round. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_barrier.h>

#ifndef THREADS
#  define THREADS 2
#endif
#ifndef ROUNDS
#  define ROUNDS 1
#endif

static int written[THREADS];

#ifdef MCS
static ck_barrier_mcs_t barrier[THREADS];
typedef ck_barrier_mcs_state_t state;

static void prepare(void) {
  ck_barrier_mcs_init(barrier, THREADS);
}
static void enter(state *s) {
  ck_barrier_mcs_subscribe(barrier, s);
}
static void await(state *s) {
  ck_barrier_mcs(barrier, s);
}
#else
static ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;
typedef ck_barrier_centralized_state_t state;

static void prepare(void) {
}
static void enter(state *s) {
  *s = (state)CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
}
static void await(state *s) {
  ck_barrier_centralized(&barrier, s, THREADS);
}
#endif

static void *worker(void *arg) {
  size_t id = (size_t)arg;
  state s;
  enter(&s);
  for (int i = 1; i <= ROUNDS; i++) {
    written[id] = i;
#ifdef WRONG
    if (!id && i == ROUNDS) {
      assert(written[1] == ROUNDS);
      break;
    }
#endif
    await(&s);
    assert(written[(id + 1) % THREADS] >= i);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  prepare();
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, (void *)(size_t)i);
#ifndef WRONG /* there the others may wait for ever */
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
#endif
  return 0;
}
