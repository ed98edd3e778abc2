/* number.c -- conversion of text to numbers: strtol, strtod and similar functions, exact and
 * correctly rounded. */
#include "decimal.h"
#include "powers.h"

/* ---- integers ---- */

unsigned long long __proviso_parse_magnitude(const char *text, const char **end, int base,
                                             bool *negative, bool *overflow) {
  const char *s = text;
  unsigned long long value = 0;
  *negative = *overflow = false;
  *end = text;
  while (pv_is_space((unsigned char)*s)) s++;
  if (*s == '-' || *s == '+') *negative = *s++ == '-';
  if ((base == 0 || base == 16) && *s == '0' && (s[1] == 'x' || s[1] == 'X') &&
      pv_digit_value((unsigned char)s[2]) < 16) {
    base = 16;
    s += 2;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  for (;; s++) {
    unsigned digit = pv_digit_value((unsigned char)*s);
    if (digit >= (unsigned)base) return value;
    if (value > (ULLONG_MAX - digit) / (unsigned)base)
      *overflow = true;
    else
      value = value * (unsigned)base + digit;
    *end = s + 1;
  }
}

static unsigned long long parse_unsigned(const char *text, char **end, int base,
                                         unsigned long long max) {
  bool negative, overflow;
  const char *stop;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  unsigned long long value = __proviso_parse_magnitude(text, &stop, base, &negative, &overflow);
  if (end) *end = (char *)stop;
  if (overflow || value > max) {
    errno = ERANGE;
    return max;
  }
  return negative ? (0 - value) & max : value;
}

static long long parse_signed(const char *text, char **end, int base, unsigned long long max) {
  bool negative, overflow;
  const char *stop;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  unsigned long long value = __proviso_parse_magnitude(text, &stop, base, &negative, &overflow);
  if (end) *end = (char *)stop;
  if (overflow || value > max + negative) {
    errno = ERANGE;
    value = max + negative;
  }
  return negative ? (long long)(0 - value) : (long long)value;
}

long strtol(const char *restrict s, char **restrict end, int base) {
  return (long)parse_signed(s, end, base, LONG_MAX);
}
long long strtoll(const char *restrict s, char **restrict end, int base) {
  return parse_signed(s, end, base, LLONG_MAX);
}
unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
  return (unsigned long)parse_unsigned(s, end, base, ULONG_MAX);
}
unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
  return parse_unsigned(s, end, base, ULLONG_MAX);
}
long __isoc23_strtol(const char *restrict s, char **restrict end, int base) {
  return (long)parse_signed(s, end, base, LONG_MAX);
}
long long __isoc23_strtoll(const char *restrict s, char **restrict end, int base) {
  return parse_signed(s, end, base, LLONG_MAX);
}
unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base) {
  return (unsigned long)parse_unsigned(s, end, base, ULONG_MAX);
}
unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base) {
  return parse_unsigned(s, end, base, ULLONG_MAX);
}
long long strtoimax(const char *restrict s, char **restrict end, int base) {
  return parse_signed(s, end, base, LLONG_MAX);
}
unsigned long long strtoumax(const char *restrict s, char **restrict end, int base) {
  return parse_unsigned(s, end, base, ULLONG_MAX);
}

/* In C a value out of range is undefined. Real C libraries convert like strtol and truncate to the
 * type. Too many programs rely on that to treat it as an error. */
int atoi(const char *s) {
  return (int)parse_signed(s, NULL, 10, LONG_MAX);
}
long atol(const char *s) {
  return (long)parse_signed(s, NULL, 10, LONG_MAX);
}
long long atoll(const char *s) {
  return parse_signed(s, NULL, 10, LLONG_MAX);
}

/* ---- floats ---- */

/* Precision and range of a kind: bits of the mantissa, exponent of the unit of the smallest
 * subnormal, exponent of the first bit of the largest number. */
static const struct kind {
  int bits, min_unit, max_exponent;
  int digits, lowest, highest; /* decimal: digits that can matter, exponents of 0 and of infinity */
} kinds[] = {{24, -149, 127, PV_DOUBLE_DIGITS, -400, 310},
             {53, -1074, 1023, PV_DOUBLE_DIGITS, -400, 310},
             {64, -16445, 16383, PV_LONG_DIGITS, -5000, 4940}};

static long double make_long_double(uint64_t mantissa, int biased) {
  union {
    long double value;
    struct {
      uint64_t mantissa;
      uint16_t sign_exponent;
    } bits;
  } u = {.value = 0};
  u.bits.mantissa = mantissa;
  u.bits.sign_exponent = (uint16_t)biased;
  return u.value;
}
static long double infinity(void) {
  return make_long_double((uint64_t)1 << 63, 0x7fff);
}

/* What is cut off with the lowest `drop` bits, which are followed by a rest. Rests are 0: nothing,
 * 1: less than half a unit, 2: exactly half, 3: more. */
static int cut_off(uint64_t mantissa, int drop, int rest) {
  if (drop == 0) return rest;
  if (drop > 64) return 1; /* far less than half of the remaining unit; the mantissa is not 0 */
  uint64_t half = (uint64_t)1 << (drop - 1);
  uint64_t cut = mantissa & (half + (half - 1));
  if (cut > half || (cut == half && rest)) return 3;
  return cut == half ? 2 : cut || rest ? 1 : 0;
}
/* Halves to even. */
static bool rounds_up(uint64_t kept, int rest) {
  return rest == 3 || (rest == 2 && (kept & 1));
}

/* Is the number less than the smallest normal one, also if rounded to the kind's bits with an
 * unbounded exponent? That is what processors, and strtod's errno, treat as tiny. */
static bool is_tiny(uint64_t mantissa, int exponent, int rest, const struct kind *k) {
  int drop = 64 - k->bits, missing = k->min_unit - (exponent + drop);
  if (missing != 1) return missing > 1;
  uint64_t kept = mantissa >> drop;
  bool carries = kept == UINT64_MAX >> drop; /* all ones */
  return !(carries && rounds_up(kept, cut_off(mantissa, drop, rest)));
}

/* mantissa (its top bit set) * 2^exponent plus a rest, rounded to the kind. */
static long double round_to(uint64_t mantissa, int exponent, int rest, const struct kind *k) {
  int drop = 64 - k->bits, unit = exponent + drop;
  if (unit < k->min_unit) drop += k->min_unit - unit;
  bool tiny = is_tiny(mantissa, exponent, rest, k);
  uint64_t kept = drop >= 64 ? 0 : mantissa >> drop;
  rest = cut_off(mantissa, drop, rest);
  if (rounds_up(kept, rest)) {
    kept++;
    if (kept == 0) { /* 2^64: only when nothing was dropped */
      kept = (uint64_t)1 << 63;
      exponent++;
    }
  }
  if (kept == 0) {
    errno = ERANGE;
    return 0;
  }
  exponent += drop;
  int top = 63;
  while (!(kept >> top)) top--;
  if (top + exponent > k->max_exponent) {
    errno = ERANGE;
    return infinity();
  }
  if (rest && tiny) errno = ERANGE;
  kept <<= 63 - top;
  exponent -= 63 - top; /* kept * 2^exponent, normalised for the widest kind */
  if (exponent < -16445) return make_long_double(kept >> (-16445 - exponent), 0);
  return make_long_double(kept, exponent + 63 + 16383);
}

/* Scales the number until its integer part has exactly 64 bits. */
static long double to_binary(struct pv_decimal *d, const struct kind *k) {
  int exponent = 0;
  if (d->high == d->low) return 0;
  while (d->high < d->point - 1) {
    __proviso_decimal_right(d, 29);
    exponent += 29;
  }
  while (d->high >= d->point) {
    __proviso_decimal_left(d, 29);
    exponent -= 29;
  }
  int bits = 0;
  while (d->limb[d->point - 1] >> bits) bits++;
  __proviso_decimal_scale(d, 64 - bits);
  exponent -= 64 - bits;
  uint64_t mantissa = 0;
  for (int i = d->high; i < d->point; i++)
    mantissa = mantissa * PV_LIMB + (i < d->low ? d->limb[i] : 0);
  int rest = 0;
  if (d->low > d->point) {
    uint32_t first = d->limb[d->point];
    bool more = d->low > d->point + 1;
    rest = first > PV_LIMB / 2 || (first == PV_LIMB / 2 && more) ? 3 : first == PV_LIMB / 2 ? 2 : 1;
  }
  return round_to(mantissa, exponent, rest, k);
}

/* The exponent after e or p, saturating; *end is unchanged if no digits follow. */
static long parse_exponent(const char *s, const char **end) {
  long value = 0;
  bool negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  if (!pv_is_digit((unsigned char)*s)) return 0;
  for (; pv_is_digit((unsigned char)*s); s++)
    if (value < 100000000) value = value * 10 + (*s - '0');
  *end = s;
  return negative ? -value : value;
}

/* Digits with at most one point; the exponent's letter follows. */
struct digits {
  const char *to;    /* after the last digit or the point */
  const char *first; /* the first digit that is not 0, or null */
  /* How many digits from the first one to the point; negative: how many zeros between the point
   * and it. It is counted, because the difference of two pointers is not a plain number to an
   * analysis of pointers, and an index computed from it could lead from one object into another. */
  long before_point;
  bool any;
};
static struct digits scan_digits(const char *s, unsigned base) {
  struct digits d = {.first = NULL};
  bool point = false;
  for (;; s++) {
    if (*s == '.' && !point) {
      point = true;
    } else if (pv_digit_value((unsigned char)*s) < base) {
      d.any = true;
      if (*s != '0' && !d.first) d.first = s;
      if (d.first && !point) d.before_point++;
      if (!d.first && point) d.before_point--;
    } else {
      break;
    }
  }
  d.to = s;
  return d;
}

/* ---- decimal numbers with few digits ---- */

/* A finite number other than 0 whose value is normal in its kind: mantissa * 2^exponent. The top
 * bit of the mantissa is the kind's first bit. */
struct exact {
  uint64_t mantissa;
  int exponent;
};

struct wide {
  uint64_t high, low;
};
static struct wide product(uint64_t a, uint64_t b) {
  uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), high = (a >> 32) * (b >> 32);
  uint64_t one = (a >> 32) * (b & UINT32_MAX), other = (a & UINT32_MAX) * (b >> 32);
  uint64_t middle = (low >> 32) + (one & UINT32_MAX) + (other & UINT32_MAX);
  return (struct wide){high + (one >> 32) + (other >> 32) + (middle >> 32),
                       middle << 32 | (low & UINT32_MAX)};
}
static struct wide shifted(struct wide a, int by) {
  if (by == 0) return a;
  return (struct wide){a.high << by | a.low >> (64 - by), a.low << by};
}

/* value * 10^q, rounded to the kind (Lemire 2021, section 5). The factor is not shifted to its top
 * bit before the multiplication, but the product afterwards, which is the same: symbolic engines
 * know that a small factor is small. */
static struct exact times_power(uint64_t value, int q, const struct kind *k) {
  /* Only between these powers a value with 64 bits may lie halfway between two numbers. */
  int least_half = k->bits == 53 ? -4 : -17, most_half = k->bits == 53 ? 23 : 10;
  const uint64_t *power = pv_powers_of_five[q - PV_LEAST_POWER];
  int zeros = __builtin_clzll(value);
  struct wide p = shifted(product(value, power[0]), zeros);
  int below = 64 - k->bits - 2; /* bits of p.high that are not needed even with a leading 0 */
  uint64_t mask = ((uint64_t)1 << below) - 1;
  if ((p.high & mask) == mask) { /* more bits of the power may matter */
    uint64_t more = shifted(product(value, power[1]), zeros).high;
    p.low += more;
    if (p.low < more) p.high++;
  }
  int upper = (int)(p.high >> 63), drop = below + upper;
  uint64_t mantissa = p.high >> drop; /* one bit too many, for rounding */
  bool is_half = p.low <= 1 && q >= least_half && q <= most_half && (mantissa & 3) == 1 &&
                 mantissa << drop == p.high;
  if (is_half) mantissa--; /* to even */
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  int exponent = ((217706 * q) >> 16) + upper - zeros - k->bits + 64;
  if (mantissa >> k->bits) {
    mantissa >>= 1;
    exponent++;
  }
  return (struct exact){mantissa, exponent};
}

/* Converts the digits without decimal arithmetic if there are few, and the number is neither tiny
 * nor huge. position: of the first digit that is not 0. */
static bool is_exact(const struct digits *g, long position, const struct kind *k,
                     struct exact *out) {
  enum { MOST_DIGITS = 19 }; /* that fit into 64 bits */
  bool is_float = k->bits == 24;
  uint64_t value = 0;
  int n = 0;
  if (k->bits > 53 || position > (is_float ? 37 : PV_MOST_POWER) ||
      position < (is_float ? -36 : PV_LEAST_POWER + MOST_DIGITS))
    return false;
  for (const char *s = g->first; s < g->to; s++) {
    if (*s == '.') continue;
    if (n++ == MOST_DIGITS) return false;
    value = value * 10 + (unsigned)(*s - '0');
  }
  *out = times_power(value, (int)position - (n - 1), k);
  return true;
}

/* The number as decimal digits, with exact arithmetic. `position` as above. */
static long double digits_value(const struct digits *g, long position, const struct kind *k,
                                struct pv_decimal *d) {
  int kept = 0;
  for (const char *s = g->first; s < g->to; s++) {
    if (*s == '.') continue;
    unsigned digit = (unsigned)(*s - '0');
    if (digit && kept == k->digits) { /* it only matters that further digits are not zero */
      __proviso_decimal_add(d, (int)position, 1);
      break;
    }
    if (digit) __proviso_decimal_add(d, (int)position, digit);
    if (kept < k->digits) {
      kept++;
      position--;
    }
  }
  return to_binary(d, k);
}

static long double digits_value_double(const struct digits *g, long position,
                                       const struct kind *k) {
  uint32_t limb[PV_READ_DOUBLE_LIMBS];
  struct pv_decimal d;
  pv_decimal_init(&d, limb, PV_READ_DOUBLE_LIMBS, PV_DOUBLE_POINT);
  return digits_value(g, position, k, &d);
}
static long double digits_value_long(const struct digits *g, long position, const struct kind *k) {
  uint32_t limb[PV_READ_LONG_LIMBS];
  struct pv_decimal d;
  pv_decimal_init(&d, limb, PV_READ_LONG_LIMBS, PV_LONG_POINT);
  return digits_value(g, position, k, &d);
}

/* What a text stands for: an exact number, or any other value. */
struct number {
  bool is_exact, negative;
  struct exact exact;
  long double other;
};

static struct number parse_decimal(const struct digits *g, const char **end, const struct kind *k) {
  struct number n = {.is_exact = false, .other = 0};
  long exponent = 0;
  *end = g->to;
  if (*g->to == 'e' || *g->to == 'E') exponent = parse_exponent(g->to + 1, end);
  if (!g->first) return n;
  long position = g->before_point - 1 + exponent; /* of the first digit */
  if (position > k->highest || position < k->lowest) {
    errno = ERANGE;
    if (position > 0) n.other = infinity();
  } else if (is_exact(g, position, k, &n.exact)) {
    n.is_exact = true;
  } else {
    n.other =
        k->bits == 64 ? digits_value_long(g, position, k) : digits_value_double(g, position, k);
  }
  return n;
}

static long double parse_hex(const struct digits *g, const char **end, const struct kind *k) {
  long exponent = 0;
  *end = g->to;
  if (*g->to == 'p' || *g->to == 'P') exponent = parse_exponent(g->to + 1, end);
  if (!g->first) return 0;
  exponent += 4 * g->before_point;
  uint64_t mantissa = 0;
  int used = 0, rest = 0; /* rest collects the digits beyond 16 */
  for (const char *s = g->first; s < g->to; s++) {
    if (*s == '.') continue;
    unsigned digit = pv_digit_value((unsigned char)*s);
    if (used < 16)
      mantissa = mantissa << 4 | digit;
    else if (used == 16)
      rest = (int)digit << 1;
    else if (digit)
      rest |= 1;
    used++;
  }
  if (used < 16) mantissa <<= 4 * (16 - used);
  exponent -= 64;
  while (!(mantissa >> 63)) { /* bring in the bits of the seventeenth digit */
    mantissa = mantissa << 1 | (rest >> 4 & 1);
    rest = ((rest & 15) << 1 & 30) | (rest & 1);
    exponent--;
  }
  int half = rest > 16 ? 3 : rest == 16 ? 2 : rest ? 1 : 0;
  if (exponent > 20000) exponent = 20000;
  if (exponent < -20000) exponent = -20000;
  return round_to(mantissa, (int)exponent, half, k);
}

/* Does text begin with the word, in any case? */
static bool begins(const char *text, const char *word) {
  for (; *word; word++, text++)
    if (pv_to_lower((unsigned char)*text) != *word) return false;
  return true;
}
static long double parse_word(const char *s, const char **end) {
  if (begins(s, "inf")) {
    *end = s + (begins(s, "infinity") ? 8 : 3);
    return infinity();
  }
  *end = s += 3;
  if (*s == '(') { /* the payload is skipped */
    do s++;
    while (pv_digit_value((unsigned char)*s) < 36 || *s == '_');
    if (*s == ')') *end = s + 1;
  }
  return make_long_double((uint64_t)3 << 62, 0x7fff);
}

static struct number parse(const char *text, const char **end, const struct kind *k) {
  const char *s = text;
  struct number n = {.is_exact = false, .other = 0};
  while (pv_is_space((unsigned char)*s)) s++;
  bool negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  *end = text;
  if (begins(s, "inf") || begins(s, "nan")) {
    n.other = parse_word(s, end);
    n.negative = negative;
    return n;
  }
  if (*s == '0' && (s[1] == 'x' || s[1] == 'X')) {
    struct digits g = scan_digits(s + 2, 16);
    if (g.any) {
      n.other = parse_hex(&g, end, k);
      n.negative = negative;
      return n;
    }
  }
  struct digits g = scan_digits(s, 10);
  if (!g.any) return n;
  n = parse_decimal(&g, end, k);
  n.negative = negative;
  return n;
}

static long double value_of(const struct number *n, const struct kind *k) {
  long double value = n->other;
  if (n->is_exact) {
    int more = 64 - k->bits;
    value = make_long_double(n->exact.mantissa << more, n->exact.exponent - more + 63 + 16383);
  }
  return n->negative ? -value : value;
}

long double __proviso_parse_float(const char *text, const char **end, enum pv_float_kind kind) {
  struct number n = parse(text, end, &kinds[kind]);
  return value_of(&n, &kinds[kind]);
}

/* Not by way of long double, whose conversion is work for symbolic engines. */
static double parse_double(const char *s, char **end) {
  const char *stop;
  const struct kind *k = &kinds[PV_KIND_DOUBLE];
  struct number n = parse(s, &stop, k);
  if (end) *end = (char *)stop;
  if (!n.is_exact) return (double)value_of(&n, k);
  /* It is finite: that is clear without arithmetic. */
  uint64_t biased = (uint64_t)(n.exact.exponent + 52 + 1023) & 2047;
  if (biased == 2047) biased = 0;
  uint64_t bits =
      (n.exact.mantissa & (((uint64_t)1 << 52) - 1)) | biased << 52 | (uint64_t)n.negative << 63;
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
static long double parse_other(const char *s, char **end, enum pv_float_kind kind) {
  const char *stop;
  long double value = __proviso_parse_float(s, &stop, kind);
  if (end) *end = (char *)stop;
  return value;
}
float strtof(const char *restrict s, char **restrict end) {
  return (float)parse_other(s, end, PV_KIND_FLOAT);
}
double strtod(const char *restrict s, char **restrict end) {
  return parse_double(s, end);
}
long double strtold(const char *restrict s, char **restrict end) {
  return parse_other(s, end, PV_KIND_LONG_DOUBLE);
}
double atof(const char *s) {
  return parse_double(s, NULL);
}
