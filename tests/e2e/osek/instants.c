// OSEK: an alarm activates a task, which is followed by another one; then the processor is idle until the next alarm. (That
// ticks come while no task runs is a proviso.) In the twins it is never idle again: -DBUG=1: a task neither ends nor waits;
// -DBUG=2: the tasks follow each other for ever.
// args: --property no-endless-instant
// expect: conditional
// states: 5
// run: --property no-endless-instant -- -DBUG=1 => false(no-endless-instant) states=4
// run: --property no-endless-instant -- -DBUG=2 => false(no-endless-instant) states=5
// run: --property no-endless-instant --engine esst => conditional states=5
// run: --property no-endless-instant --engine esst -- -DBUG=1 => false(no-endless-instant) states=4
// run: --property no-endless-instant --engine esst -- -DBUG=2 => false(no-endless-instant) states=5
#include <osek.h>
#ifndef BUG
#define BUG 0
#endif
DeclareTask(First);
DeclareTask(Second);
OSEK_TASK(First, .priority = 1)
OSEK_TASK(Second, .priority = 1)
OSEK_COUNTER(Ticks, .max = 11, .hardware = 1)
OSEK_ALARM(Start, Ticks, .activates = First, .start = 2, .cycle = 4)

TASK(First) {
  if (BUG == 1)
    for (;;) Schedule();
  ChainTask(Second);
}
TASK(Second) {
  if (BUG == 2) ChainTask(First);
  TerminateTask();
}
int main(void) {
  StartOS(OSDEFAULTAPPMODE);
}
