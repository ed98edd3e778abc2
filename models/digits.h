/* digits.h -- the powers of ten above 1, and the hexadecimal digits above the lowest one, for loops
 * over digits that are unrolled; from the highest: those that only numbers of more than 32 bits
 * have, and the others. */
#ifndef PV_DIGITS_H
#define PV_DIGITS_H

#define PV_LONG_POWERS(X)                                                                          \
  X(10000000000000000000)                                                                          \
  X(1000000000000000000)                                                                           \
  X(100000000000000000)                                                                            \
  X(10000000000000000)                                                                             \
  X(1000000000000000)                                                                              \
  X(100000000000000)                                                                               \
  X(10000000000000)                                                                                \
  X(1000000000000)                                                                                 \
  X(100000000000)                                                                                  \
  X(10000000000)
#define PV_SHORT_POWERS(X)                                                                         \
  X(1000000000)                                                                                    \
  X(100000000)                                                                                     \
  X(10000000)                                                                                      \
  X(1000000)                                                                                       \
  X(100000)                                                                                        \
  X(10000)                                                                                         \
  X(1000)                                                                                          \
  X(100)                                                                                           \
  X(10)
#define PV_LONG_PLACES(X)  X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8)
#define PV_SHORT_PLACES(X) X(7) X(6) X(5) X(4) X(3) X(2) X(1)

#endif
