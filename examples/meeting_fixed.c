// The cure of meeting.c: the host says that it is here in every instant until the guest has come.
// `ft_thread_await_n` with one instant returns ETIMEOUT if the event does not come in it.
//
// expect: true
// states: 15
#include <assert.h>
#include <fthread.h>
#include <stdio.h>

static ft_event_t host_is_here, guest_is_here;
static int meetings;

static void host(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    do ft_thread_generate(host_is_here);
    while (ft_thread_await_n(guest_is_here, 1) == ETIMEOUT);
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
