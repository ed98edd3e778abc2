/* ft-token-ring.N and ft-token-ring-bug.N (-DBUG): a master sends a token round a ring of N transmitters, each of which adds
 * one. Written by us after the description in section 6 of Cimatti, Narasamdya, Roveri, LMCS 2012, and the sequential form of
 * token_ring in SV-COMP. The first token is an input; the ring goes round for ever. */
#include <fthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifndef N
#define N 3
#endif
static int token;

#define FIFTY(X) \
  X(0, 1) X(1, 2) X(2, 3) X(3, 4) X(4, 5) X(5, 6) X(6, 7) X(7, 8) X(8, 9) X(9, 10) X(10, 11) \
  X(11, 12) X(12, 13) X(13, 14) X(14, 15) X(15, 16) X(16, 17) X(17, 18) X(18, 19) X(19, 20) \
  X(20, 21) X(21, 22) X(22, 23) X(23, 24) X(24, 25) X(25, 26) X(26, 27) X(27, 28) X(28, 29) \
  X(29, 30) X(30, 31) X(31, 32) X(32, 33) X(33, 34) X(34, 35) X(35, 36) X(36, 37) X(37, 38) \
  X(38, 39) X(39, 40) X(40, 41) X(41, 42) X(42, 43) X(43, 44) X(44, 45) X(45, 46) X(46, 47) \
  X(47, 48) X(48, 49) X(49, 50)
#define EVENT(I, NEXT) static ft_event_t arrived##NEXT; /* at transmitter NEXT; at N: at the master */
#define TRANSMITTER(I, NEXT)                                                                       \
  static void transmitter##I(void *unused) {                                                       \
    (void)unused;                                                                                  \
    for (;;) {                                                                                     \
      ft_thread_await(arrived##I);                                                                 \
      token++;                                                                                     \
      ft_thread_generate(arrived##NEXT);                                                           \
      ft_thread_cooperate();                                                                       \
    }                                                                                              \
  }
#define PASTE(A, B) A##B
#define ARRIVED(I) PASTE(arrived, I)
static ft_event_t arrived0;
FIFTY(EVENT)
FIFTY(TRANSMITTER)

static void master(void *unused) {
  (void)unused;
  for (;;) {
    int first = __VERIFIER_nondet_int();
    if (first < 0 || first > 1000000) first = 0;
    token = first;
    ft_thread_generate(arrived0);
    ft_thread_await(ARRIVED(N));
#ifdef BUG
    if (token != first + N + 1) reach_error();
#else
    if (token != first + N) reach_error();
#endif
    ft_thread_cooperate();
  }
}

int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  arrived0 = ft_event_create(s);
#define CREATE_EVENT(I, NEXT)                                                                      \
  if (NEXT <= N) arrived##NEXT = ft_event_create(s);
#define CREATE_THREAD(I, NEXT)                                                                     \
  if (I < N) ft_thread_create(s, transmitter##I, 0, 0);
  FIFTY(CREATE_EVENT)
  FIFTY(CREATE_THREAD)
  ft_thread_create(s, master, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
