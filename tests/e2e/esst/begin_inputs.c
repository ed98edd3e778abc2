// Inputs are stored in objects before the threads run, in a loop. What is not known of an object is one element of an
// array, and the same whenever the state is computed again: so the input costs no refinement and no abstract state.
//
// expect: true
// run: --engine esst --property unreach-call => true states=38
// run: --engine esst --property unreach-call -- -DINPUT => true states=38
// run: --engine esst --property unreach-call -- -DINPUT -DBUG => false(unreach-call)
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
#ifdef INPUT
  int delay = __VERIFIER_nondet_int();
#else
  int delay = 1;
#endif
  s->next = next;
  s->trains = 0;
  s->delay = delay;
  return s;
}
static void count(void *unused) {
  (void)unused;
  for (;;) {
    if (first->trains < 30) first->trains++;
#ifdef BUG
    if (first->trains == 30) reach_error();
#else
    if (first->trains == 31) reach_error();
#endif
    ft_thread_cooperate();
  }
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  first = make(0);
  for (int i = 0; i < 5; i++) first->next = make(first->next ? first->next : first);
  ft_thread_create(s, count, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
