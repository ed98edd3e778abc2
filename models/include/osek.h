/* osek.h -- the C interface of OSEK/VDX OS 2.2.3, for programs that proviso analyses, and a
 * configuration in C instead of OIL. It stands in one file, before what it names is used:
 *
 *     OSEK_TASK(Blink, .priority = 2, .autostart = 1)
 *     OSEK_EVENT(Pressed, 1)
 *     OSEK_RESOURCE(Lamp, Blink)
 *     OSEK_COUNTER(Ticks, .max = 9)
 *     OSEK_ALARM(Timer, Ticks, .activates = Blink)
 *     TASK(Blink) { ...; TerminateTask(); }
 *     int main(void) { StartOS(OSDEFAULTAPPMODE); }
 *
 * Status is extended: every service returns its error codes. Interrupts, messages and hooks other
 * than StartupHook, ShutdownHook and ErrorHook are not modelled. */
#ifndef PV_OSEK_H
#define PV_OSEK_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char StatusType;
#define E_OK          0
#define E_OS_ACCESS   1
#define E_OS_CALLEVEL 2
#define E_OS_ID       3
#define E_OS_LIMIT    4
#define E_OS_NOFUNC   5
#define E_OS_RESOURCE 6
#define E_OS_STATE    7
#define E_OS_VALUE    8

typedef unsigned long long EventMaskType, *EventMaskRefType;
typedef unsigned TickType, *TickRefType;
/* Numbers of objects; 0 is none. */
typedef unsigned TaskType, *TaskRefType, ResourceType, CounterType, AlarmType;
typedef unsigned char AppModeType;
typedef enum { SUSPENDED, READY, WAITING, RUNNING } TaskStateType, *TaskStateRefType;
typedef struct {
  TickType maxallowedvalue, ticksperbase, mincycle;
} AlarmBaseType, *AlarmBaseRefType;
#define INVALID_TASK     0u
#define OSDEFAULTAPPMODE ((AppModeType)1)

/* ---- configuration */
struct osek_task {
  void (*run)(void);
  unsigned priority;    /* 0 is the lowest one, 254 the highest */
  unsigned activations; /* the most that are kept, with the present one; 0 means 1 */
  /* 0 or 1 */
  int autostart;
  int non_preemptive; /* only Schedule, and the end or a wait of the task let others run */
  int extended;       /* it has events */
};
struct osek_counter {
  TickType max; /* its greatest value */
  /* 0 or 1 */
  int hardware; /* it counts by itself; at most one. The others: IncrementCounter */
  int absolute; /* SetAbsAlarm is used with it */
};
struct osek_alarm {
  TaskType activates; /* one of these two */
  TaskType sets;
  EventMaskType event;
  TickType start, cycle; /* start: it is set when the system starts; 0: it is not */
};
void osek_add_task(TaskType, const struct osek_task *);
void osek_add_resource(ResourceType, const TaskType *users); /* the list ends with 0 */
void osek_add_counter(CounterType, const struct osek_counter *);
void osek_add_alarm(AlarmType, CounterType, const struct osek_alarm *);

#define TASK(T)            void osek_body_##T(void)
#define DeclareTask(T)     extern int osek_declared
#define DeclareResource(R) extern int osek_declared
#define DeclareAlarm(A)    extern int osek_declared
#define DeclareCounter(C)  extern int osek_declared
#define DeclareEvent(E)    extern int osek_declared
/* Numbers an object, and adds it before main begins. */
#define OSEK_ADD(KIND, NAME, ...)                                                                  \
  enum { NAME = __COUNTER__ + 1 };                                                                 \
  __attribute__((constructor)) static void osek_adds_##NAME(void) {                                \
    osek_add_##KIND(NAME, __VA_ARGS__);                                                            \
  }
#define OSEK_TASK(T, ...)                                                                          \
  TASK(T);                                                                                         \
  static const struct osek_task osek_is_##T = {.run = osek_body_##T, __VA_ARGS__};                 \
  OSEK_ADD(task, T, &osek_is_##T)
#define OSEK_EVENT(E, MASK) enum { E = (MASK) };
#define OSEK_RESOURCE(R, ...)                                                                      \
  static const TaskType osek_users_of_##R[] = {__VA_ARGS__, 0};                                    \
  OSEK_ADD(resource, R, osek_users_of_##R)
#define OSEK_COUNTER(C, ...)                                                                       \
  static const struct osek_counter osek_is_##C = {__VA_ARGS__};                                    \
  OSEK_ADD(counter, C, &osek_is_##C)
#define OSEK_ALARM(A, C, ...)                                                                      \
  static const struct osek_alarm osek_is_##A = {__VA_ARGS__};                                      \
  OSEK_ADD(alarm, A, C, &osek_is_##A)
#define RES_SCHEDULER 255u

/* ---- services */
StatusType ActivateTask(TaskType);
StatusType TerminateTask(void);
StatusType ChainTask(TaskType);
StatusType Schedule(void);
StatusType GetTaskID(TaskRefType);
StatusType GetTaskState(TaskType, TaskStateRefType);
StatusType GetResource(ResourceType);
StatusType ReleaseResource(ResourceType);
StatusType SetEvent(TaskType, EventMaskType);
StatusType ClearEvent(EventMaskType);
StatusType GetEvent(TaskType, EventMaskRefType);
StatusType WaitEvent(EventMaskType);
StatusType GetAlarmBase(AlarmType, AlarmBaseRefType);
StatusType GetAlarm(AlarmType, TickRefType);
StatusType SetRelAlarm(AlarmType, TickType increment, TickType cycle);
StatusType SetAbsAlarm(AlarmType, TickType start, TickType cycle);
StatusType CancelAlarm(AlarmType);
StatusType IncrementCounter(CounterType); /* of AUTOSAR OS: OSEK leaves its form open */
AppModeType GetActiveApplicationMode(void);
void StartOS(AppModeType); /* does not return */
void ShutdownOS(StatusType);
/* Interrupts are not followed, so nothing has to be kept out. */
#define DisableAllInterrupts() ((void)0)
#define EnableAllInterrupts()  ((void)0)
#define SuspendAllInterrupts() ((void)0)
#define ResumeAllInterrupts()  ((void)0)
#define SuspendOSInterrupts()  ((void)0)
#define ResumeOSInterrupts()   ((void)0)

/* Defined by the program, if it wants to. */
void StartupHook(void);
void ShutdownHook(StatusType);
void ErrorHook(StatusType);

#ifdef __cplusplus
}
#endif
#endif
