/* locale.c -- locale.h: there is only the C locale. */
#include "model.h"

struct lconv { /* as in glibc */
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol,
      *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space,
      p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes,
      int_n_sep_by_space, int_p_sign_posn, int_n_sign_posn;
};
/* Constants, because the program must not write to results (C11, 7.11). */
#define point ((char *)".")
#define none  ((char *)"")
static const char c_name[] = "C";
static const struct lconv c_locale = {point,    none,     none,     none,     none,     none,
                                      none,     none,     none,     none,     CHAR_MAX, CHAR_MAX,
                                      CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
                                      CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX};

static bool is_name(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}
char *setlocale(int category, const char *name) {
  (void)category;
  if (!name || is_name(name, "C") || is_name(name, "POSIX")) return (char *)c_name;
  PV_PROVIDED_NOT("a locale other than C");
  /* "": taken from the environment, which selects the C locale. */
  return *name ? NULL : (char *)c_name;
}
struct lconv *localeconv(void) {
  return (struct lconv *)&c_locale;
}
