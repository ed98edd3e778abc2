/* ring.h -- RING(X): X(i + 1, i) for i = 1..N, N at most 16; the events e1, e2, .. of the members of a ring. */
#ifndef RING_H
#define RING_H
#include <sysc.h>
#ifndef N
#  define N 3
#endif
#if N >= 1
static sysc_event e1;
#  define RING_1(X) X(2, 1)
#  define RING RING_1
#else
#  define e1 e0
#endif
#if N >= 2
static sysc_event e2;
#  define RING_2(X) RING_1(X) X(3, 2)
#  undef RING
#  define RING RING_2
#else
#  define e2 e0
#endif
#if N >= 3
static sysc_event e3;
#  define RING_3(X) RING_2(X) X(4, 3)
#  undef RING
#  define RING RING_3
#else
#  define e3 e0
#endif
#if N >= 4
static sysc_event e4;
#  define RING_4(X) RING_3(X) X(5, 4)
#  undef RING
#  define RING RING_4
#else
#  define e4 e0
#endif
#if N >= 5
static sysc_event e5;
#  define RING_5(X) RING_4(X) X(6, 5)
#  undef RING
#  define RING RING_5
#else
#  define e5 e0
#endif
#if N >= 6
static sysc_event e6;
#  define RING_6(X) RING_5(X) X(7, 6)
#  undef RING
#  define RING RING_6
#else
#  define e6 e0
#endif
#if N >= 7
static sysc_event e7;
#  define RING_7(X) RING_6(X) X(8, 7)
#  undef RING
#  define RING RING_7
#else
#  define e7 e0
#endif
#if N >= 8
static sysc_event e8;
#  define RING_8(X) RING_7(X) X(9, 8)
#  undef RING
#  define RING RING_8
#else
#  define e8 e0
#endif
#if N >= 9
static sysc_event e9;
#  define RING_9(X) RING_8(X) X(10, 9)
#  undef RING
#  define RING RING_9
#else
#  define e9 e0
#endif
#if N >= 10
static sysc_event e10;
#  define RING_10(X) RING_9(X) X(11, 10)
#  undef RING
#  define RING RING_10
#else
#  define e10 e0
#endif
#if N >= 11
static sysc_event e11;
#  define RING_11(X) RING_10(X) X(12, 11)
#  undef RING
#  define RING RING_11
#else
#  define e11 e0
#endif
#if N >= 12
static sysc_event e12;
#  define RING_12(X) RING_11(X) X(13, 12)
#  undef RING
#  define RING RING_12
#else
#  define e12 e0
#endif
#if N >= 13
static sysc_event e13;
#  define RING_13(X) RING_12(X) X(14, 13)
#  undef RING
#  define RING RING_13
#else
#  define e13 e0
#endif
#if N >= 14
static sysc_event e14;
#  define RING_14(X) RING_13(X) X(15, 14)
#  undef RING
#  define RING RING_14
#else
#  define e14 e0
#endif
#if N >= 15
static sysc_event e15;
#  define RING_15(X) RING_14(X) X(16, 15)
#  undef RING
#  define RING RING_15
#else
#  define e15 e0
#endif
#if N >= 16
static sysc_event e16;
#  define RING_16(X) RING_15(X) X(17, 16)
#  undef RING
#  define RING RING_16
#else
#  define e16 e0
#endif
#define e17 e0
#endif
