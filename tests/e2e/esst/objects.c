// Stations on the heap, in a ring. The threads move a train; which station they look at first changes, too. The pointers
// between the stations are in an array, which is known except where it is written.
//
// expect: true
// run: --engine esst --order all --property unreach-call => true states=121
// run: --engine esst --order any --property unreach-call => true states=121
// run: --engine esst --order all --property unreach-call -- -DBUG => false(unreach-call)
#include <fthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct station {
  struct station *next;
  int trains, delay;
};
static struct station *first;
static struct station *make(struct station *next) {
  struct station *s = malloc(sizeof *s);
  s->next = next;
  s->trains = s->delay = 0;
  return s;
}
static void move(void *unused) {
  (void)unused;
  for (;;) {
    if (first->trains) {
#ifndef BUG
      first->trains = 0;
#endif
      first->next->trains = 1;
      first->next->delay = __VERIFIER_nondet_int();
    }
    first = first->next;
    ft_thread_cooperate();
  }
}
static void watch(void *unused) {
  (void)unused;
  for (;;) {
    struct station *s = first;
    if (s->trains + s->next->trains + s->next->next->trains != 1) reach_error();
    ft_thread_cooperate();
  }
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  first = make(0);
  first->next = make(make(first));
  first->trains = 1;
  ft_thread_create(s, move, 0, 0);
  ft_thread_create(s, watch, 0, 0);
  ft_thread_create(s, move, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
