/* format_float.c -- printf's %f %e %g %a, exact for every value, rounding halves to even. */
#include "decimal.h"

/* The parts of a float: (-1)^negative * mantissa * 2^exponent. */
struct parts {
  bool negative;
  enum { FINITE, INFINITE, NOT_A_NUMBER } class;
  uint64_t mantissa;
  int exponent;
};

static struct parts take_apart(long double value) {
  union {
    long double value;
    struct {
      uint64_t mantissa;
      uint16_t sign_exponent;
    } bits;
  } u = {.value = value};
  struct parts p = {.negative = u.bits.sign_exponent >> 15, .mantissa = u.bits.mantissa};
  int biased = u.bits.sign_exponent & 0x7fff;
  if (biased == 0x7fff) p.class = u.bits.mantissa << 1 ? NOT_A_NUMBER : INFINITE;
  p.exponent = (biased ? biased : 1) - 16383 - 63;
  return p;
}

/* Digits and point of a number, to be written between sign and padding. */
struct shape {
  char prefix[4]; /* sign, and "0x" for %a */
  size_t prefix_length;
  int first, last; /* decimal positions of the first and last digit written */
  bool point;
  char exponent[8];
  size_t exponent_length;
};

static size_t put_sign(char *to, const struct pv_spec *spec, bool negative) {
  char sign = negative ? '-' : spec->plus ? '+' : spec->space ? ' ' : 0;
  to[0] = sign;
  return sign != 0;
}

/* e+05, p-1074 */
static size_t put_exponent(char *to, char letter, int value, int min_digits) {
  size_t n = 0;
  unsigned rest = (unsigned)(value < 0 ? -value : value);
  char digits[6];
  int d = 0;
  to[n++] = letter;
  to[n++] = value < 0 ? '-' : '+';
  do digits[d++] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  while (d < min_digits) digits[d++] = '0';
  while (d > 0) to[n++] = digits[--d];
  return n;
}

static void write_padded(struct pv_sink *sink, const struct pv_spec *spec, size_t length) {
  if (spec->width > 0 && (size_t)spec->width > length)
    __proviso_pad(sink, ' ', (size_t)spec->width - length);
}

static void write_word(struct pv_sink *sink, const struct pv_spec *spec, const struct parts *p) {
  bool upper = pv_is_upper(spec->conv);
  char text[4];
  size_t n = put_sign(text, spec, p->negative);
  const char *word = p->class == INFINITE ? upper ? "INF" : "inf" : upper ? "NAN" : "nan";
  __proviso_copy(text + n, word, 3);
  if (!spec->left) write_padded(sink, spec, n + 3);
  __proviso_emit(sink, text, n + 3);
  if (spec->left) write_padded(sink, spec, n + 3);
}

static void write_digits(struct pv_sink *sink, const struct pv_decimal *d, int first, int last) {
  /* after the number's own digits there are only zeros */
  int end = -(d->low - d->point) * PV_LIMB_DIGITS;
  for (int p = first; p >= last; p--) {
    if (p < end) {
      __proviso_pad(sink, '0', (size_t)p - (size_t)last + 1);
      return;
    }
    char c = (char)('0' + __proviso_decimal_digit(d, p));
    __proviso_emit(sink, &c, 1);
  }
}

static void write_shape(struct pv_sink *sink, const struct pv_spec *spec,
                        const struct pv_decimal *d, const struct shape *s) {
  int point_after = s->exponent_length > 0 ? s->first : 0;
  size_t length =
      s->prefix_length + ((size_t)s->first - (size_t)s->last + 1) + s->point + s->exponent_length;
  size_t zeros = 0;
  if (spec->zero && !spec->left && spec->width > 0 && (size_t)spec->width > length)
    zeros = (size_t)spec->width - length;
  if (!spec->left) write_padded(sink, spec, length + zeros);
  __proviso_emit(sink, s->prefix, s->prefix_length);
  __proviso_pad(sink, '0', zeros);
  write_digits(sink, d, s->first, point_after);
  if (s->point) __proviso_emit(sink, ".", 1);
  if (point_after > INT_MIN) write_digits(sink, d, point_after - 1, s->last);
  __proviso_emit(sink, s->exponent, s->exponent_length);
  if (spec->left) write_padded(sink, spec, length);
}

/* %f with `precision` digits after the point, or the form of %e. `d` is already rounded. */
static void write_decimal(struct pv_sink *sink, const struct pv_spec *spec,
                          const struct pv_decimal *d, bool negative, bool scientific,
                          int precision) {
  struct shape s = {.point = precision > 0 || spec->alt};
  s.prefix_length = put_sign(s.prefix, spec, negative);
  int exponent = __proviso_decimal_exponent(d);
  s.first = scientific || exponent > 0 ? exponent : 0;
  s.last = (scientific ? exponent : 0) - precision;
  if (scientific)
    s.exponent_length = put_exponent(s.exponent, pv_is_upper(spec->conv) ? 'E' : 'e', exponent, 2);
  write_shape(sink, spec, d, &s);
}

static void format_decimal(struct pv_sink *sink, const struct pv_spec *spec, const struct parts *p,
                           struct pv_decimal *d) {
  int precision = spec->precision < 0 ? 6 : spec->precision;
  char kind = (char)pv_to_lower(spec->conv);
  __proviso_decimal_set(d, p->mantissa);
  __proviso_decimal_scale(d, p->exponent);
  if (kind == 'f') {
    __proviso_decimal_round(d, -precision);
    write_decimal(sink, spec, d, p->negative, false, precision);
    return;
  }
  if (kind == 'g') precision = precision == 0 ? 0 : precision - 1;
  int from = __proviso_decimal_exponent(d);
  if (precision < INT_MAX - 20000) __proviso_decimal_round(d, from - precision);
  int exponent = __proviso_decimal_exponent(d);
  bool scientific = kind == 'e' || exponent < -4 || exponent > precision;
  if (kind == 'g') {
    if (!scientific) precision -= exponent;
    if (!spec->alt) {                                  /* no trailing zeros */
      int end = -(d->low - d->point) * PV_LIMB_DIGITS; /* position of the last digit kept */
      while (end < 20000 && d->high != d->low && __proviso_decimal_digit(d, end) == 0) end++;
      int needed = d->high == d->low ? 0 : (scientific ? exponent : 0) - end;
      if (precision > needed) precision = needed > 0 ? needed : 0;
    }
  }
  write_decimal(sink, spec, d, p->negative, scientific, precision);
}

static void format_double(struct pv_sink *sink, const struct pv_spec *spec, const struct parts *p) {
  uint32_t limb[PV_DOUBLE_LIMBS];
  struct pv_decimal d;
  pv_decimal_init(&d, limb, PV_DOUBLE_LIMBS, PV_DOUBLE_POINT);
  format_decimal(sink, spec, p, &d);
}
static void format_long_double(struct pv_sink *sink, const struct pv_spec *spec,
                               const struct parts *p) {
  uint32_t limb[PV_LONG_LIMBS];
  struct pv_decimal d;
  pv_decimal_init(&d, limb, PV_LONG_LIMBS, PV_LONG_POINT);
  format_decimal(sink, spec, p, &d);
}

/* One hexadecimal digit before the point: 1 (or 0) for a double, the top four bits of a long
 * double's mantissa. */
static void format_hex(struct pv_sink *sink, const struct pv_spec *spec, struct parts p,
                       bool is_long) {
  bool upper = pv_is_upper(spec->conv);
  int shift = is_long ? 60 : 63, exponent = p.mantissa ? p.exponent + shift : 0;
  unsigned digits = is_long ? 15 : 13;              /* hex digits behind the point */
  if (!is_long && p.mantissa && exponent < -1022) { /* a double's subnormal: 0x0.xxxp-1022 */
    p.mantissa >>= -1022 - exponent;
    exponent = -1022;
  }
  if (is_long && p.mantissa && !(p.mantissa >> 63)) { /* glibc shows them like this */
    exponent = -16385;
  }
  uint64_t lead = p.mantissa >> shift;
  uint64_t rest = is_long ? p.mantissa << 4 : p.mantissa << 1; /* the fraction, left-justified */
  int precision = spec->precision;
  if (precision < 0)
    for (precision = 0; precision < (int)digits && rest << (4 * precision) != 0;) precision++;
  if (precision < (int)digits) { /* round the fraction, halves to even */
    int keep = 4 * precision;
    uint64_t cut = keep ? rest << keep : rest, half = (uint64_t)1 << 63;
    uint64_t last = keep ? rest >> (64 - keep) : lead;
    rest = keep ? rest >> (64 - keep) << (64 - keep) : 0;
    if (cut > half || (cut == half && (last & 1))) {
      uint64_t before = rest;
      rest += keep ? (uint64_t)1 << (64 - keep) : 0;
      if (rest < before || !keep) lead++;
    }
  }
  if (lead == 16) { /* a long double's digit went from f to 10 */
    lead = 1;
    exponent += 4;
  }
  char prefix[6], suffix[8];
  size_t n = put_sign(prefix, spec, p.negative);
  prefix[n++] = '0';
  prefix[n++] = upper ? 'X' : 'x';
  size_t suffix_length = put_exponent(suffix, upper ? 'P' : 'p', exponent, 1);
  bool point = precision > 0 || spec->alt;
  size_t length = n + 1 + point + (size_t)precision + suffix_length, zeros = 0;
  if (spec->zero && !spec->left && (size_t)spec->width > length)
    zeros = (size_t)spec->width - length;
  if (!spec->left) write_padded(sink, spec, length + zeros);
  __proviso_emit(sink, prefix, n);
  __proviso_pad(sink, '0', zeros);
  const char *alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  __proviso_emit(sink, &alphabet[lead], 1);
  if (point) __proviso_emit(sink, ".", 1);
  for (int i = 0; i < precision && i < 16; i++)
    __proviso_emit(sink, &alphabet[rest << 4 * i >> 60], 1);
  if (precision > 16) __proviso_pad(sink, '0', (size_t)precision - 16);
  __proviso_emit(sink, suffix, suffix_length);
  if (spec->left) write_padded(sink, spec, length);
}

void __proviso_format_float(struct pv_sink *sink, const struct pv_spec *spec, long double value,
                            bool is_long) {
  struct parts p = take_apart(value);
  if (p.class != FINITE)
    write_word(sink, spec, &p);
  else if (pv_to_lower(spec->conv) == 'a')
    format_hex(sink, spec, p, is_long);
  else if (is_long)
    format_long_double(sink, spec, &p);
  else
    format_double(sink, spec, &p);
}
