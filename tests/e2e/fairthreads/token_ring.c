// FairThreads: a token goes round a ring; every transmitter adds one to it. The order of the threads does not matter,
// because every transmitter waits before the token can come. After the paper's ft-token-ring.3.
// expect: true
// states: 49
// run: --engine explicit => true states=49
// run: --engine explicit --order all => true states=835
// run: --engine explicit --order any => true states=108
// run: --engine explicit -- -DBUG => false(unreach-call) states=11
// run: --engine explicit --order all -- -DBUG => false(unreach-call) states=11
#include "fthread.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
#define N 3
static ft_event_t event[N + 1];
static int token;

static void transmitter(void *arg) {
  long i = (long)arg;
  for (;;) {
    ft_thread_await(event[i]);
    token++;
    ft_thread_generate(event[i + 1 <= N ? i + 1 : 0]);
    ft_thread_cooperate();
  }
}
static void master(void *arg) {
  for (;;) {
    int local = __VERIFIER_nondet_int();
    if (local < 0 || local > 3) local = 0;
    token = local;
    ft_thread_cooperate();
    ft_thread_generate(event[1]);
    ft_thread_await(event[0]);
#ifdef BUG
    assert(token == local + N + 1);
#else
    assert(token == local + N);
#endif
    token = 0;
    ft_thread_cooperate();
  }
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  for (int i = 0; i <= N; i++) event[i] = ft_event_create(s);
  ft_thread_create(s, master, NULL, NULL);
  for (long i = 1; i <= N; i++) ft_thread_create(s, transmitter, NULL, (void *)i);
  ft_scheduler_start(s);
  ft_exit();
}
