// SystemC: no search would come to an end, but no function that may run calls reach_error. The twins call it from a process, or
// through a pointer, or have a function without a body.
// expect: true
// args: --property unreach-call --limit time=20s
// run: --engine explicit --property unreach-call --limit time=20s -- -DFINITE => true states=6
// run: --property unreach-call --limit time=20s -- -DCALL => false(unreach-call)
// run: --property unreach-call --limit time=20s -- -DPOINTER => false(unreach-call)
// run: --property unreach-call --limit time=20s -- -DUNKNOWN => conditional
#include <sysc.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void not_defined(void);

static unsigned long long rounds;

static void fails(void) {
  reach_error();
}
static void nothing(void) {}
static void (*volatile hook)(void) = nothing;

static void adds(void *unused) {
  (void)unused;
#ifdef FINITE
  for (int i = 0; i < 3; i++) {
#else
  for (;;) {
    sysc_wait_time(__VERIFIER_nondet_uint());
#endif
    rounds++;
#ifdef CALL
    if (rounds == 3) fails();
#elif defined POINTER
    hook = fails;
    if (rounds == 3) hook();
#elif defined UNKNOWN
    not_defined();
#endif
    sysc_wait_time(2);
  }
}
int main(void) {
  sysc_thread(adds, 0);
  sysc_start_all();
  return 0;
}
