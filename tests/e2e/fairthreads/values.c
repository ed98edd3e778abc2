// FairThreads: values of an event. They last for the instant; whoever asks for more than there are learns in the next
// instant that there were no more.
// expect: true
// states: 17
// run: --engine explicit => true states=17
// run: --engine explicit --order all => true states=87
// run: --engine explicit --order any => true states=71
// run: --engine explicit -- -DMORE => false(unreach-call) states=6
#include "fthread.h"
#include <assert.h>

static ft_event_t e, done;
static int sum, round_;

static void gives(void *arg) {
  for (;;) {
    ft_thread_generate_value(e, arg);
    ft_thread_cooperate();
  }
}
static void adds(void *arg) {
  for (int i = 0; i < 3; i++) {
    void *value;
    int n = 0, all = 0;
    while (ft_thread_get_value(e, n, &value) == OK) {
      all += (int)(long)value;
      n++;
    }
    /* It is the next instant now. */
#ifdef MORE
    assert(n == 3);
#else
    assert(n == 2 && all == 12);
#endif
  }
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  e = ft_event_create(s);
  ft_thread_create(s, adds, NULL, NULL);
  ft_thread_create(s, gives, NULL, (void *)5L);
  ft_thread_create(s, gives, NULL, (void *)7L);
  ft_scheduler_start(s);
  ft_exit();
}
