// The cure of pipeline.c: the last thread cooperates after each value, so the next one that it sees
// is that of the next instant.
//
// expect: true
// states: 17
#include <assert.h>
#include <fthread.h>
#include <stdio.h>

enum { ROUNDS = 4 };
static ft_event_t number, sum;

static void source(void *unused) {
  (void)unused;
  for (long i = 0; i < ROUNDS; i++) {
    ft_thread_generate_value(number, (void *)i);
    ft_thread_generate_value(number, (void *)(i + 1));
    ft_thread_cooperate();
  }
}

static void adder(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    void *a, *b;
    ft_thread_get_value(number, 0, &a);
    ft_thread_get_value(number, 1, &b);
    ft_thread_generate_value(sum, (void *)((long)a + (long)b));
    ft_thread_cooperate();
  }
}

static void sink(void *unused) {
  (void)unused;
  long all = 0;
  for (int i = 0; i < ROUNDS; i++) {
    void *value;
    ft_thread_get_value(sum, 0, &value);
    all += (long)value;
    ft_thread_cooperate();
  }
  printf("%ld\n", all);
  assert(all == ROUNDS * ROUNDS); // 1 + 3 + 5 + 7
}

int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  number = ft_event_create(scheduler);
  sum = ft_event_create(scheduler);
  ft_thread_create(scheduler, source, NULL, NULL);
  ft_thread_create(scheduler, adder, NULL, NULL);
  ft_thread_create(scheduler, sink, NULL, NULL);
  ft_scheduler_start(scheduler);
  ft_exit();
}
