// OSEK: a resource gives its holder the highest priority of its users, so none of them can preempt it; a task above all
// users can. Releases are in the reverse order, and a task that holds a resource cannot end or wait. The twin lets a
// user go without the resource.
// expect: true
// states: 7
// run: --engine explicit => true states=7
// run: --engine esst --property unreach-call => true states=24
// run: --engine explicit -- -DWITHOUT => false(unreach-call) states=3
// run: --engine esst --property unreach-call -- -DWITHOUT => false(unreach-call) states=12
#include <osek.h>
extern void reach_error(void);

DeclareTask(Low);
DeclareTask(Middle);
DeclareTask(High);
OSEK_TASK(Low, .priority = 1, .autostart = 1, .extended = 1)
OSEK_TASK(Middle, .priority = 2)
OSEK_TASK(High, .priority = 3)
OSEK_RESOURCE(Pair, Low, Middle)
OSEK_RESOURCE(Inner, Low)
OSEK_EVENT(Never, 1)

static int a, b, high;

TASK(Low) {
#ifndef WITHOUT
  if (GetResource(Pair) != E_OK) reach_error();
  if (GetResource(Pair) != E_OS_ACCESS) reach_error();
  if (GetResource(Inner) != E_OK) reach_error();
  if (ReleaseResource(Pair) != E_OS_NOFUNC) reach_error();
  if (TerminateTask() != E_OS_RESOURCE || WaitEvent(Never) != E_OS_RESOURCE) reach_error();
  if (Schedule() != E_OS_RESOURCE || ReleaseResource(Inner) != E_OK) reach_error();
#endif
  a = 1;
  ActivateTask(Middle);
  ActivateTask(High);
  if (!high) reach_error();
  b = 1;
#ifndef WITHOUT
  if (ReleaseResource(Pair) != E_OK || a != 2) reach_error();
#endif
  TerminateTask();
}
TASK(Middle) {
  if (GetResource(Inner) != E_OS_ACCESS) reach_error();
  GetResource(Pair);
  if (a != b) reach_error();
  a = b = 2;
  ReleaseResource(Pair);
  TerminateTask();
}
TASK(High) {
  high = 1;
  TerminateTask();
}
int main(void) {
  StartOS(OSDEFAULTAPPMODE);
}
