// FairThreads: the order in which three threads go on, as the library makes it. A woken thread that stands later in
// the order goes on in the same pass, an earlier one in the next.
// expect: true
// states: 8
// run: => true states=8
// run: -- -DWRONG => false(unreach-call) states=7
// run: --engine explicit --order all => false(unreach-call) states=11
// run: --engine explicit --order any => false(unreach-call) states=6
// run: --engine dpor => unknown executions=0
// run: --engine bmc => unknown states=0
// run: --engine composite => unknown states=0
#include "fthread.h"
#include <assert.h>
#include <string.h>

static ft_event_t e, f;
static char out[32];
static int n;
static void say(char who, char what) {
  out[n++] = who;
  out[n++] = what;
}
static void a(void *arg) {
  say('A', '0');
  ft_thread_await(e);
  say('A', '1');
  ft_thread_generate(f);
}
static void b(void *arg) {
  say('B', '0');
  ft_thread_generate(e);
  say('B', '1');
  ft_thread_await(f);
  say('B', '2');
}
static void c(void *arg) {
  say('C', '0');
  ft_thread_await(e);
  say('C', '1');
  ft_thread_await(f);
  say('C', '2');
#ifdef WRONG
  assert(strcmp(out, "A0B0A1B1C0C1B2C2") == 0);
#else
  assert(strcmp(out, "A0B0B1C0C1A1B2C2") == 0);
#endif
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  f = ft_event_create(s);
  ft_thread_create(s, a, NULL, NULL);
  ft_thread_create(s, b, NULL, NULL);
  ft_thread_create(s, c, NULL, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
