// OSEK: an extended task waits for events; one that was set before is not lost. Non-preemptive tasks let others run only
// where they say so. The twin clears an event that it does not look at: nobody sets it again.
// expect: true
// states: 16
// run: --engine explicit => true states=16
// run: --engine esst --property unreach-call => true states=39
// run: --engine explicit -- -DCLEARS => false(no-deadlock) states=10
// run: --engine explicit -- -DWRONG => false(unreach-call) states=12
// run: --engine esst --property unreach-call -- -DWRONG => false(unreach-call) states=9
#include <osek.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

DeclareTask(Server);
DeclareTask(Client);
OSEK_TASK(Server, .priority = 2, .autostart = 1, .extended = 1)
OSEK_TASK(Client, .priority = 1, .autostart = 1, .non_preemptive = 1)
OSEK_EVENT(Request, 1)
OSEK_EVENT(Stop, 2)

static int request, answer;

TASK(Server) {
  EventMaskType set;
  for (;;) {
    WaitEvent(Request | Stop);
    GetEvent(Server, &set);
    ClearEvent(set);
    if (set & Request) answer = request + 1;
#ifdef CLEARS
    if (set & Request) continue;
#endif
    if (set & Stop) break;
  }
  TerminateTask();
}
TASK(Client) {
  EventMaskType set;
  for (int i = 0; i < 2; i++) {
    request = __VERIFIER_nondet_bool();
    answer = 0;
    if (SetEvent(Server, Request) != E_OK) reach_error();
    if (answer) reach_error();
    if (i == 1) SetEvent(Server, Stop);
    Schedule();
#ifdef WRONG
    if (answer != request + 1 || request == 1) reach_error();
#else
    if (answer != request + 1) reach_error();
#endif
  }
  if (WaitEvent(Stop) != E_OS_ACCESS) reach_error();
#ifndef CLEARS
  if (SetEvent(Server, Stop) != E_OS_STATE) reach_error();
  if (GetEvent(Server, &set) != E_OS_STATE) reach_error();
#endif
  TerminateTask();
}
int main(void) {
  StartOS(OSDEFAULTAPPMODE);
}
