// The cure of lamp.c: each switch looks at the lamp after the call in which it waits, and there is
// no call between the look and the switching. No lock is needed.
//
// expect: true
// states: 8
#include <assert.h>
#include <fthread.h>
#include <stdbool.h>
#include <stdio.h>

static ft_event_t evening;
static bool is_on;
static int turned_on;

static void light_switch(void *unused) {
  (void)unused;
  ft_thread_await(evening);
  if (is_on) return;
  is_on = true;
  turned_on++;
  printf("on\n");
  assert(turned_on == 1);
}

static void sun(void *unused) {
  (void)unused;
  ft_thread_cooperate_n(3);
  ft_thread_generate(evening);
}

int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  evening = ft_event_create(scheduler);
  ft_thread_create(scheduler, light_switch, NULL, NULL);
  ft_thread_create(scheduler, light_switch, NULL, NULL);
  ft_thread_create(scheduler, sun, NULL, NULL);
  ft_scheduler_start(scheduler);
  ft_exit();
}
