// OSEK: a task of higher priority preempts inside of the service that makes it ready; tasks of one priority run in the
// order of their activation. The twins expect other orders.
// expect: true
// states: 9
// run: --engine explicit => true states=9
// run: --engine esst --property unreach-call => true states=26
// run: --engine explicit -- -DWRONG=1 => false(unreach-call) states=4
// run: --engine explicit -- -DWRONG=2 => false(unreach-call) states=5
// run: --engine esst --property unreach-call -- -DWRONG=2 => false(unreach-call) states=14
// run: --engine explicit -- -DWRONG=3 => false(def-behavior) states=4
// run: --engine explicit --order any => false(unreach-call) states=14
#include <osek.h>
#ifndef WRONG
#define WRONG 0
#endif
extern void reach_error(void);

DeclareTask(Low);
DeclareTask(First);
DeclareTask(Second);
DeclareTask(High);
OSEK_TASK(Low, .priority = 1, .autostart = 1)
OSEK_TASK(First, .priority = 1)
OSEK_TASK(Second, .priority = 1, .activations = 2)
OSEK_TASK(High, .priority = 2)

static int done;
static void expect(int before) {
  if (done++ != before) reach_error();
}

TASK(Low) {
  if (ActivateTask(First) != E_OK) reach_error();
  if (ActivateTask(First) != E_OS_LIMIT) reach_error();
  if (ActivateTask(Second) != E_OK || ActivateTask(Second) != E_OK) reach_error();
  if (ActivateTask(Second) != E_OS_LIMIT) reach_error();
  expect(0);
  ActivateTask(High);
  expect(WRONG == 1 ? 1 : 2);
  TaskStateType state;
  if (GetTaskState(High, &state) != E_OK || state != SUSPENDED) reach_error();
  if (GetTaskState(First, &state) != E_OK || state != READY) reach_error();
#if WRONG != 3
  TerminateTask();
#endif
}
TASK(High) {
  TaskType self;
  GetTaskID(&self);
  if (self != High) reach_error();
  expect(1);
  TerminateTask();
  reach_error();
}
TASK(First) {
  expect(WRONG == 2 ? 4 : 3);
  TerminateTask();
}
TASK(Second) {
  if (done == 4) {
    expect(4);
    ChainTask(Second);
  }
  if (done == 5) expect(5);
  TerminateTask();
}
int main(void) {
  StartOS(OSDEFAULTAPPMODE);
  reach_error();
}
