/* ctype.c -- ctype.h in the C locale: the functions, and the tables behind glibc's macros.
 *
 * The argument must be EOF or an unsigned char (C11, 7.4); anything else is an error. If this is
 * not checked, the result is that of glibc's tables for -128..255. Reads by glibc's macros are
 * checked where the table is indexed (src/frontend/lower_inst.c). */
#include "model.h"

/* The bits in glibc's table on a little-endian machine. */
enum {
  UPPER = 0x0100,
  LOWER = 0x0200,
  ALPHA = 0x0400,
  DIGIT = 0x0800,
  XDIGIT = 0x1000,
  SPACE = 0x2000,
  PRINT = 0x4000,
  GRAPH = 0x8000,
  BLANK = 0x0001,
  CNTRL = 0x0002,
  PUNCT = 0x0004,
  ALNUM = 0x0008
};

/* For -128..255; outside of ASCII no class applies. */
static const unsigned short classes[384] = {
    [128] = // clang-format off
0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x0002, 0x2003, 0x2002, 0x2002, 0x2002, 0x2002, 0x0002, 0x0002,
    0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x6001, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808,
    0xd808, 0xd808, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc004, 0xc004, 0xc004, 0xc004, 0x0002,
            // clang-format on
};

#define ROW(BASE)                                                                                  \
  BASE, BASE + 1, BASE + 2, BASE + 3, BASE + 4, BASE + 5, BASE + 6, BASE + 7, BASE + 8, BASE + 9,  \
      BASE + 10, BASE + 11, BASE + 12, BASE + 13, BASE + 14, BASE + 15
#define LETTERS(FIRST)                                                                             \
  FIRST, FIRST + 1, FIRST + 2, FIRST + 3, FIRST + 4, FIRST + 5, FIRST + 6, FIRST + 7, FIRST + 8,   \
      FIRST + 9, FIRST + 10, FIRST + 11, FIRST + 12, FIRST + 13, FIRST + 14, FIRST + 15,           \
      FIRST + 16, FIRST + 17, FIRST + 18, FIRST + 19, FIRST + 20, FIRST + 21, FIRST + 22,          \
      FIRST + 23, FIRST + 24, FIRST + 25
#define BELOW                                                                                      \
  ROW(128), ROW(144), ROW(160), ROW(176), ROW(192), ROW(208), ROW(224), 240, 241, 242, 243, 244,   \
      245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1
#define ABOVE ROW(128), ROW(144), ROW(160), ROW(176), ROW(192), ROW(208), ROW(224), ROW(240)
#define CASE_TABLE(NAME, UPPER_TO, LOWER_TO)                                                       \
  static const int NAME[384] = {BELOW, ROW(0), ROW(16), ROW(32), ROW(48), 64,   LETTERS(UPPER_TO), \
                                91,    92,     93,      94,      95,      96,   LETTERS(LOWER_TO), \
                                123,   124,    125,     126,     127,     ABOVE}
CASE_TABLE(to_lower, 'a', 'a');
CASE_TABLE(to_upper, 'A', 'A');

static const unsigned short *const classes_at = classes + 128;
static const int *const lower_at = to_lower + 128, *const upper_at = to_upper + 128;

const unsigned short **__ctype_b_loc(void) {
  return (const unsigned short **)&classes_at;
}
const int **__ctype_tolower_loc(void) {
  return (const int **)&lower_at;
}
const int **__ctype_toupper_loc(void) {
  return (const int **)&upper_at;
}
size_t __ctype_get_mb_cur_max(void) {
  return 1;
}

static void check_character(int c) {
  __proviso_check(c >= EOF && c <= 255,
                  "a function of ctype.h is given neither EOF nor the value of an unsigned char");
}
static int has(int c, int bit) {
  check_character(c);
  return c >= -128 && c <= 255 ? classes[c + 128] & bit : 0;
}

#define CLASS(NAME, BIT)                                                                           \
  int NAME(int c) {                                                                                \
    return has(c, BIT);                                                                            \
  }                                                                                                \
  int NAME##_l(int c, void *locale) {                                                              \
    (void)locale;                                                                                  \
    return has(c, BIT);                                                                            \
  }
CLASS(isalnum, ALNUM)
CLASS(isalpha, ALPHA)
CLASS(isblank, BLANK)
CLASS(iscntrl, CNTRL)
CLASS(isdigit, DIGIT)
CLASS(isgraph, GRAPH)
CLASS(islower, LOWER)
CLASS(isprint, PRINT)
CLASS(ispunct, PUNCT)
CLASS(isspace, SPACE)
CLASS(isupper, UPPER)
CLASS(isxdigit, XDIGIT)

/* Like glibc, returns values outside of its tables unchanged. */
static int change(int c, const int *table) {
  check_character(c);
  return c >= -128 && c <= 255 ? table[c + 128] : c;
}
int tolower(int c) {
  return change(c, to_lower);
}
int toupper(int c) {
  return change(c, to_upper);
}
int _tolower(int c) {
  return change(c, to_lower);
}
int _toupper(int c) {
  return change(c, to_upper);
}
int isascii(int c) {
  return (c & ~127) == 0;
}
int toascii(int c) {
  return c & 127;
}
