/* cxx_thread.c -- the compiled parts of libstdc++ (GCC 9 to 14) behind <thread>, <mutex>,
 * <condition_variable> and <chrono>, under their mangled names. Everything else in these headers is
 * templates over POSIX threads. Instead of an exception there is a proviso. */
#include "model.h"

typedef uintptr_t pthread_t;
enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1 };

static _Noreturn void throw_system_error(void) {
  __proviso_unsupported("std::system_error, a C++ exception");
}

/* ---- std::thread ----------------------------------------------------------------------------- */
struct state;
struct state_table { /* of virtual functions */
  void (*destroy)(struct state *), (*delete)(struct state *), (*run)(struct state *);
};
struct state { /* std::thread::_State: derived classes contain what the thread calls */
  const struct state_table *table;
};

/* std::thread::_State::~_State(), complete and base */
void _ZNSt6thread6_StateD1Ev(struct state *s) {
  (void)s;
}
void _ZNSt6thread6_StateD2Ev(struct state *s) {
  (void)s;
}

static void *run(void *argument) {
  struct state *s = argument;
  s->table->run(s);
  s->table->delete (s);
  return NULL;
}

/* std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)()) */
void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    pthread_t *self, struct state **s, void (*depend)(void)) {
  (void)depend;
  if (__proviso_thread_create(self, run, *s, 0) == PV_NO_THREAD) throw_system_error();
  *s = NULL;
}

/* std::thread::join() */
void _ZNSt6thread4joinEv(pthread_t *self) {
  if (!*self || __proviso_thread_join(*self, NULL) != 0) throw_system_error();
  *self = 0;
}

/* std::thread::detach() */
void _ZNSt6thread6detachEv(pthread_t *self) {
  if (!*self || __proviso_thread_detach(*self) != 0) throw_system_error();
  *self = 0;
}

/* std::thread::hardware_concurrency() */
unsigned _ZNSt6thread20hardware_concurrencyEv(void) {
  return (unsigned)__proviso_processors();
}

/* std::this_thread::__sleep_for(seconds, nanoseconds) */
#if __SIZEOF_POINTER__ == 8
#  define SLEEP                                                                                    \
    _ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE
#else
#  define SLEEP                                                                                    \
    _ZNSt11this_thread11__sleep_forENSt6chrono8durationIxSt5ratioILx1ELx1EEEENS1_IxS2_ILx1ELx1000000000EEEE
#endif
void SLEEP(int64_t seconds, int64_t nanoseconds) {
  (void)seconds, (void)nanoseconds;
  __proviso_thread_yield();
}

/* ---- std::condition_variable ----------------------------------------------------------------- */
enum { COND_SIZE = 48 }; /* of pthread_cond_t; all zero is its initialiser */
struct unique_lock {     /* std::unique_lock<std::mutex> */
  void *mutex;
  _Bool owns;
};

void _ZNSt18condition_variableC1Ev(void *self) {
  __proviso_fill(self, 0, COND_SIZE);
}
void _ZNSt18condition_variableC2Ev(void *self) {
  __proviso_fill(self, 0, COND_SIZE);
}
void _ZNSt18condition_variableD1Ev(void *self) {
  __proviso_cond_destroy(self);
}
void _ZNSt18condition_variableD2Ev(void *self) {
  __proviso_cond_destroy(self);
}
void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void *self,
                                                               struct unique_lock *lock) {
  __proviso_cond_wait(self, lock->mutex);
}
void _ZNSt18condition_variable10notify_oneEv(void *self) {
  __proviso_cond_signal(self);
}
void _ZNSt18condition_variable10notify_allEv(void *self) {
  __proviso_cond_broadcast(self);
}

/* ---- std::call_once -------------------------------------------------------------------------- */
_Thread_local void *_ZSt15__once_callable;     /* std::__once_callable */
_Thread_local void (*_ZSt11__once_call)(void); /* std::__once_call */
void __once_proxy(void) {
  _ZSt11__once_call();
}

/* ---- clocks ---------------------------------------------------------------------------------- */
static int64_t now(int clock) {
  struct timespec time;
  __proviso_clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void) {
  return now(CLOCK_MONOTONIC);
}
int64_t _ZNSt6chrono3_V212system_clock3nowEv(void) {
  return now(CLOCK_REALTIME);
}

/* ---- exceptions and ends --------------------------------------------------------------------- */
_Noreturn void _ZSt20__throw_system_errori(int error) { /* std::__throw_system_error(int) */
  (void)error;
  throw_system_error();
}
