// What main prepares before a thread is chosen is known without refinement, and until it changes: a table of structures, pointers between
// them, and a number that a loop finds. WRONG=1: a number that changes later is not known any more. WRONG=2: a table that main fills with
// something else.
// args: --engine esst --property unreach-call,valid-deref --order any
// expect: true
// states: 32
// run: --engine esst --property unreach-call,valid-deref --order any -- -DMORE=40 => true states=67
// run: --engine esst --property unreach-call --order any -- -DWRONG=1 => false(unreach-call) states=24
// run: --engine esst --property unreach-call --order any -- -DWRONG=2 => false(unreach-call) states=24
// run: --engine explicit --property unreach-call --order any => true states=6
// run: --engine explicit --property unreach-call --order any -- -DWRONG=1 => false(unreach-call) states=4
// run: --engine explicit --property unreach-call --order any -- -DWRONG=2 => false(unreach-call) states=4
#include <sysc.h>
extern void reach_error(void);
#ifndef WRONG
#define WRONG 0
#endif
#ifndef MORE
#define MORE 5
#endif

struct part {
  struct part *next;
  int number;
  sysc_event ready;
};
static struct part parts[4], *first;
static int sum, rounds;

static void look(void *unused) {
  (void)unused;
  struct part *p = first;
  for (int i = 0; i < 3; i++) p = p->next;
  sysc_wait_event(p->ready);
  if (p->number != 3 || p->next != first) reach_error();
  if (sum != MORE * (MORE - 1) / 2) reach_error();
}
static void tell(void *unused) {
  (void)unused;
  if (WRONG == 1) sum++;
  sysc_notify(first->next->next->next->ready, 0);
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    parts[i].number = i + (WRONG == 2 && i == 3);
    parts[i].next = &parts[(i + 1) % 4];
    parts[i].ready = sysc_event_new();
  }
  first = parts;
  for (int i = 0; i < MORE; i++) sum += i;
  sysc_thread(look, 0);
  sysc_thread(tell, 0);
  sysc_start_all();
  rounds++;
  return 0;
}
