// Two FairThreads meet in every instant: each generates its event and awaits the other's. An event
// lasts until the end of the instant, so whoever comes second still sees the event of the first.
// But the guest makes a pause before its third meeting, and generates its event one instant late.
// The host has awaited it since the instant before, and goes on; its own event is gone by then,
// since events do not last longer than their instant. So the guest awaits it for ever.
//
// expect: false(no-deadlock)
// states: 13
#include <assert.h>
#include <fthread.h>
#include <stdio.h>

static ft_event_t host_is_here, guest_is_here;
static int meetings;

static void host(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    ft_thread_generate(host_is_here);
    ft_thread_await(guest_is_here);
    printf("meeting %d\n", ++meetings);
    ft_thread_cooperate();
  }
}

static void guest(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    if (i == 2) ft_thread_cooperate(); // a pause
    ft_thread_generate(guest_is_here);
    ft_thread_await(host_is_here);
    assert(meetings >= i);
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  host_is_here = ft_event_create(scheduler);
  guest_is_here = ft_event_create(scheduler);
  ft_thread_create(scheduler, host, NULL, NULL);
  ft_thread_create(scheduler, guest, NULL, NULL);
  ft_scheduler_start(scheduler);
  ft_exit();
}
