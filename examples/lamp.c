// Threads that cooperate need no locks: nobody else runs between two calls of the scheduler. What
// must be looked at again is what was read before such a call. The switch decides to turn the lamp
// on because it is off, and waits for its neighbour's event before it does. In the meantime the
// other switch did the same, for the same reason, and the lamp is turned on twice.
//
// expect: false(unreach-call)
// states: 7
#include <assert.h>
#include <fthread.h>
#include <stdbool.h>
#include <stdio.h>

static ft_event_t evening;
static bool is_on;
static int turned_on;

static void light_switch(void *unused) {
  (void)unused;
  bool was_on = is_on;
  ft_thread_await(evening); // others run meanwhile
  if (was_on) return;
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
