/* osek.c -- OSEK/VDX OS 2.2.3 over the primitives of sched/osek.c. Objects are numbers in both.
 * Constructors add them, before main begins. */
#include "model.h"

#include "include/osek.h"

enum { MOST = 256, NON_PREEMPTIVE = 2, EXTENDED = 4, ABSOLUTE = 2 };
static void (*bodies[MOST])(void); /* of tasks, by number */
static AppModeType active_mode;

extern __attribute__((weak)) void StartupHook(void);
extern __attribute__((weak)) void ShutdownHook(StatusType);
extern __attribute__((weak)) void ErrorHook(StatusType);

/* ---- configuration */
void osek_add_task(TaskType number, const struct osek_task *t) {
  int flags = t->autostart + NON_PREEMPTIVE * t->non_preemptive + EXTENDED * t->extended;
  __proviso_osek_task(number, NULL, NULL, t->priority, t->activations, flags);
  bodies[number % MOST] = t->run;
}
void osek_add_resource(ResourceType number, const TaskType *users) {
  __proviso_osek_resource(number);
  for (int i = 0; users[i]; i++) __proviso_osek_user(number, users[i]);
}
void osek_add_counter(CounterType number, const struct osek_counter *c) {
  if (c->hardware) PV_PROVIDED_NOT("a tick of the hardware's counter while a task of OSEK runs");
  __proviso_osek_counter(number, c->max, c->hardware + ABSOLUTE * c->absolute);
}
void osek_add_alarm(AlarmType number, CounterType counter, const struct osek_alarm *a) {
  __proviso_osek_alarm(number, counter, a->activates ? a->activates : a->sets,
                       a->activates ? 0 : (uint64_t)a->event, a->start, a->cycle);
}

/* Inside of ErrorHook errors do not call it again. */
static bool in_hook;
static StatusType told(int code) {
  if (code == E_OK || !ErrorHook || in_hook) return (StatusType)code;
  in_hook = true;
  ErrorHook((StatusType)code);
  in_hook = false;
  return (StatusType)code;
}

/* The bottom frame of every task. */
_Noreturn void __proviso_osek_thread_main(void (*run)(void), void *unused);
_Noreturn void __proviso_osek_thread_main(void (*run)(void), void *unused) {
  (void)run, (void)unused;
  bodies[__proviso_osek_self()]();
  __proviso_check(false, "a task ends with neither TerminateTask nor ChainTask");
  __proviso_osek_end();
}

/* ---- services */
void StartOS(AppModeType mode) {
  active_mode = mode;
  if (StartupHook) StartupHook();
  __proviso_osek_launch(ErrorHook ? 1 : 0);
}
void ShutdownOS(StatusType error) {
  if (ShutdownHook) ShutdownHook(error);
  __proviso_exit(0);
}
AppModeType GetActiveApplicationMode(void) {
  return active_mode;
}

StatusType ActivateTask(TaskType t) {
  return told(__proviso_osek_activate(t));
}
StatusType TerminateTask(void) {
  int code = __proviso_osek_may_end(0);
  if (code == E_OK) __proviso_osek_end();
  return told(code);
}
StatusType ChainTask(TaskType t) {
  int code = t ? __proviso_osek_may_end(t) : E_OS_ID;
  if (code == E_OK) __proviso_osek_chain(t);
  return told(code);
}
StatusType Schedule(void) {
  return told(__proviso_osek_schedule());
}
StatusType GetTaskID(TaskRefType t) {
  *t = __proviso_osek_self();
  return E_OK;
}
StatusType GetTaskState(TaskType t, TaskStateRefType state) {
  int is = __proviso_osek_state(t);
  if (is < 0) return told(E_OS_ID);
  *state = (TaskStateType)is;
  return E_OK;
}
StatusType GetResource(ResourceType r) {
  return told(__proviso_osek_get(r));
}
StatusType ReleaseResource(ResourceType r) {
  return told(__proviso_osek_release(r));
}
StatusType SetEvent(TaskType t, EventMaskType events) {
  return told(__proviso_osek_set(t, events));
}
StatusType ClearEvent(EventMaskType events) {
  return told(__proviso_osek_clear(events));
}
StatusType GetEvent(TaskType t, EventMaskRefType events) {
  int code = __proviso_osek_may_tell(t);
  if (code == E_OK) *events = __proviso_osek_events(t);
  return told(code);
}
StatusType WaitEvent(EventMaskType events) {
  return told(__proviso_osek_wait(events));
}
StatusType GetAlarmBase(AlarmType a, AlarmBaseRefType base) {
  TickType max = __proviso_osek_greatest(a);
  if (!max) return told(E_OS_ID);
  *base = (AlarmBaseType){max, 1, 1};
  return E_OK;
}
StatusType GetAlarm(AlarmType a, TickRefType ticks) {
  if (!__proviso_osek_greatest(a)) return told(E_OS_ID);
  TickType left = __proviso_osek_left(a);
  if (!left) return told(E_OS_NOFUNC);
  *ticks = left;
  return E_OK;
}
StatusType SetRelAlarm(AlarmType a, TickType increment, TickType cycle) {
  return told(__proviso_osek_start_alarm(a, increment, cycle, 0));
}
StatusType SetAbsAlarm(AlarmType a, TickType start, TickType cycle) {
  return told(__proviso_osek_start_alarm(a, start, cycle, 1));
}
StatusType CancelAlarm(AlarmType a) {
  return told(__proviso_osek_cancel_alarm(a));
}
StatusType IncrementCounter(CounterType c) {
  return told(__proviso_osek_increment(c));
}
