// OSEK: alarms of a counter that the program counts (exact), and of one that the hardware counts (a proviso: its ticks
// come while no task runs). Periods of two and three ticks; every sixth tick both expire.
// expect: true
// states: 21
// run: --engine explicit => true states=21
// run: --engine explicit --order all => true states=21
// run: --engine esst --property unreach-call => true states=83
// run: --engine explicit -- -DWRONG => false(unreach-call) states=17
// run: --engine explicit --order all -- -DSAME => false(unreach-call) states=23
// run: --engine explicit -- -DSAME => true states=21
// run: --engine esst --property unreach-call -- -DWRONG => false(unreach-call) states=72
// run: --engine explicit -- -DHARDWARE => conditional states=14
// run: --engine explicit -- -DHARDWARE -DWRONG => false(unreach-call) states=13
#include <osek.h>
extern void reach_error(void);

DeclareTask(Two);
DeclareTask(Three);
DeclareTask(Main);
OSEK_TASK(Two, .priority = 2)
#ifdef SAME
OSEK_TASK(Three, .priority = 2)
#else
OSEK_TASK(Three, .priority = 3)
#endif
OSEK_TASK(Main, .priority = 1, .autostart = 1)
#ifdef HARDWARE
OSEK_COUNTER(Ticks, .max = 11, .absolute = 1, .hardware = 1)
#else
OSEK_COUNTER(Ticks, .max = 11, .absolute = 1)
#endif
OSEK_ALARM(Second, Ticks, .activates = Two, .start = 2, .cycle = 2)
OSEK_ALARM(Third, Ticks, .activates = Three)

static int twos, threes;

TASK(Main) {
  TickType ticks;
  if (SetRelAlarm(Third, 0, 3) != E_OS_VALUE || SetRelAlarm(Third, 12, 3) != E_OS_VALUE) reach_error();
  if (CancelAlarm(Third) != E_OS_NOFUNC || GetAlarm(Third, &ticks) != E_OS_NOFUNC) reach_error();
  if (SetAbsAlarm(Third, 3, 3) != E_OK || SetRelAlarm(Third, 3, 3) != E_OS_STATE) reach_error();
  if (GetAlarm(Third, &ticks) != E_OK || ticks != 3) reach_error();
#ifndef HARDWARE
  for (int i = 1; i <= 12; i++) {
    IncrementCounter(Ticks);
    if (twos != i / 2 || threes != i / 3) reach_error();
#ifdef WRONG
    if (i == 11) reach_error();
#endif
  }
  CancelAlarm(Second);
  CancelAlarm(Third);
#endif
  TerminateTask();
}
TASK(Two) {
  twos++;
#ifdef SAME
  if (twos == 3 && threes == 2) reach_error(); /* Three went first */
#endif
#ifdef HARDWARE
  if (twos == 6) CancelAlarm(Second);
#ifdef WRONG
  if (twos == 6 && threes == 4) reach_error();
#endif
#endif
  TerminateTask();
}
TASK(Three) {
  threes++;
#ifdef HARDWARE
  if (threes == 4) CancelAlarm(Third);
  if (twos != (threes * 3 - 1) / 2) reach_error();
#endif
  TerminateTask();
}
int main(void) {
  StartOS(OSDEFAULTAPPMODE);
}
