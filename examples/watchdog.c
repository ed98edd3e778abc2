// A watchdog stops a worker that does not report in time: `ft_thread_await_n` waits for its event
// for two instants. A stopped thread runs its cleanup function at the start of the next instant,
// and the order to stop takes effect only then. So a worker that stands behind the watchdog in the
// order of threads runs once more after the order, and the watchdog must not touch what it uses.
//
// expect: false(unreach-call)
// states: 15
#include <assert.h>
#include <fthread.h>
#include <stdio.h>
#include <stdlib.h>

static ft_event_t report;
static ft_thread_t worker;
static int *job;

static void clean_up(void *unused) {
  (void)unused;
  printf("the worker was stopped\n");
}

static void work(void *unused) {
  (void)unused;
  for (int i = 0;; i++) {
    assert(job != NULL);
    *job = i;
    if (i < 3) ft_thread_generate(report); // then it is busy, and forgets to report
    ft_thread_cooperate();
  }
}

static void watchdog(void *unused) {
  (void)unused;
  while (ft_thread_await_n(report, 2) == OK) ft_thread_cooperate();
  ft_scheduler_stop(worker);
  free(job); // too early
  job = NULL;
}

int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  report = ft_event_create(scheduler);
  job = malloc(sizeof *job);
  if (!job) return 1;
  ft_thread_create(scheduler, watchdog, NULL, NULL);
  worker = ft_thread_create(scheduler, work, clean_up, NULL);
  ft_scheduler_start(scheduler);
  ft_exit();
}
