// A ring of three transmitters: a master sends a token around; each transmitter adds one. All data
// are symbolic: the first token is an input.
// expect: true
// states: 28
// args: --engine esst --property unreach-call
// run: --engine esst --property unreach-call --order all => true states=28
// run: --engine esst --property unreach-call --order all --por none => true states=282
// run: --engine esst --property unreach-call --order any --por sleep => true states=97
// run: --engine esst --property unreach-call --order any => true states=28
// run: --engine esst --property unreach-call --order any --por none => true states=144
// run: --engine esst --property unreach-call -- -DBUG => false(unreach-call) states=18
// run: --engine esst --property unreach-call --order all -- -DBUG => false(unreach-call) states=36
// run: --property unreach-call => true states=28
#include <fthread.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 3
static ft_event_t e1, e2, e3, done;
static int token;

static void transmitter1(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(e1);
    token++;
    ft_thread_generate(e2);
    ft_thread_cooperate();
  }
}
static void transmitter2(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(e2);
    token++;
    ft_thread_generate(e3);
    ft_thread_cooperate();
  }
}
static void transmitter3(void *unused) {
  (void)unused;
  for (;;) {
    ft_thread_await(e3);
    token++;
    ft_thread_generate(done);
    ft_thread_cooperate();
  }
}
static void master(void *unused) {
  (void)unused;
  for (;;) {
    int first = __VERIFIER_nondet_int();
    if (first < 0 || first > 1000000) first = 0;
    token = first;
    ft_thread_generate(e1);
    ft_thread_await(done);
#ifdef BUG
    if (token != first + N + 1) reach_error();
#else
    if (token != first + N) reach_error();
#endif
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e1 = ft_event_create(s);
  e2 = ft_event_create(s);
  e3 = ft_event_create(s);
  done = ft_event_create(s);
  ft_thread_create(s, transmitter1, 0, 0);
  ft_thread_create(s, transmitter2, 0, 0);
  ft_thread_create(s, transmitter3, 0, 0);
  ft_thread_create(s, master, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
  return 0;
}
