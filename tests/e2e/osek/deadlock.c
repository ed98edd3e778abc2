// OSEK: a task that waits for an event that nobody sets, while nothing else can happen, is a deadlock, unless an alarm sets it
// (-DALARM; that ticks come while no task runs is a proviso), or another task does (-DSETTER).
// args: --property no-deadlock
// expect: false(no-deadlock)
// states: 3
// run: --property no-deadlock --engine esst => false(no-deadlock) states=2
// run: --property no-deadlock -- -DALARM => conditional states=5
// run: --property no-deadlock --engine esst -- -DALARM => conditional states=5
// run: --property no-deadlock -- -DSETTER => true states=6
// run: --property no-deadlock --engine esst -- -DSETTER => true states=6
#include <osek.h>
DeclareTask(Waiter);
DeclareTask(Setter);
OSEK_TASK(Waiter, .priority = 2, .autostart = 1, .extended = 1)
OSEK_EVENT(Go, 1)
#ifdef ALARM
OSEK_COUNTER(Ticks, .max = 9, .hardware = 1)
OSEK_ALARM(Timer, Ticks, .sets = Waiter, .event = Go, .start = 2)
#endif
#ifdef SETTER
OSEK_TASK(Setter, .priority = 1, .autostart = 1)
TASK(Setter) {
  SetEvent(Waiter, Go);
  TerminateTask();
}
#endif
TASK(Waiter) {
  WaitEvent(Go);
  TerminateTask();
}
int main(void) {
  StartOS(OSDEFAULTAPPMODE);
}
