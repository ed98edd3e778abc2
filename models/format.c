/* format.c -- the printf family: parses a format and writes to a sink.
 *
 * Implements C11 and glibc's flag I; the grouping flag has no effect, as in the C locale. Arguments
 * by position (%1$d) and wide characters outside of ASCII end the path with a proviso. */
#include "digits.h"
#include "model.h"

static void hand_over(struct pv_sink *sink, const char *text, size_t n) {
  if (__proviso_has_files && sink->fd > 2)
    sink->failed |= !(sink->file ? __proviso_stream_put(sink->file, text, n)
                                 : __proviso_output(sink->fd, text, n));
  else
    __proviso_print(sink->fd, text, n);
}
/* Standard output and standard error take text as it comes. Nobody reads it, so it is written in
 * pieces whose places and lengths are constants where that is possible: those are easy to analyse.
 */
static bool is_direct(const struct pv_sink *sink) {
  return sink->fd == 1 || sink->fd == 2;
}

void __proviso_emit(struct pv_sink *sink, const char *text, size_t n) {
  sink->total += n;
  if (is_direct(sink)) {
    __proviso_print(sink->fd, text, n);
    return;
  }
  if (sink->fd < 0) { /* memory: what does not fit is only counted */
    size_t before = sink->total - n;
    if (before >= sink->capacity) return;
    size_t room = sink->capacity - before;
    __proviso_copy(sink->at + before, text, n < room ? n : room);
    return;
  }
  if (n > sink->capacity - sink->held) {
    hand_over(sink, sink->at, sink->held);
    sink->held = 0;
  }
  if (n > sink->capacity) {
    hand_over(sink, text, n);
  } else {
    __proviso_copy(sink->at + sink->held, text, n);
    sink->held += n;
  }
}

void __proviso_pad(struct pv_sink *sink, char c, size_t n) {
  char block[64];
  __proviso_fill(block, c, n < sizeof block ? n : sizeof block);
  for (; n > sizeof block; n -= sizeof block) {
    if (sink->fd < 0 && sink->total >= sink->capacity) { /* only the length is needed */
      sink->total += n;
      return;
    }
    __proviso_emit(sink, block, sizeof block);
  }
  __proviso_emit(sink, block, n);
}

/* The same; n is at most `most`, which the format says. */
static void pad_at_most(struct pv_sink *sink, char c, size_t n, size_t most) {
  enum { FEW = 64 };
  if (!is_direct(sink) || most > FEW)
    __proviso_pad(sink, c, n);
  else
    for (size_t i = 0; i < most; i++)
      if (i < n) __proviso_emit(sink, &c, 1);
}

static void pad_to(struct pv_sink *sink, const struct pv_spec *spec, size_t length) {
  if (spec->width > 0 && (size_t)spec->width > length)
    pad_at_most(sink, ' ', (size_t)spec->width - length, (size_t)spec->width);
}

static void put_text(struct pv_sink *sink, const struct pv_spec *spec, const char *s, size_t n) {
  if (!spec->left) pad_to(sink, spec, n);
  __proviso_emit(sink, s, n);
  if (spec->left) pad_to(sink, spec, n);
}

/* Has the call written to this place already? */
static bool is_written(const struct pv_sink *sink, const char *s) {
  size_t n = sink->total < sink->capacity ? sink->total : sink->capacity;
  return sink->fd < 0 && pv_offset(sink->at, s, 1) < n;
}
static void put_string(struct pv_sink *sink, const struct pv_spec *spec, const char *s) {
  __proviso_check(s != NULL, "the argument of %s is a null pointer");
  if (!s) s = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  __proviso_check(!is_written(sink, s), "an argument of sprintf was overwritten by sprintf");
  size_t n = spec->precision < 0 ? pv_length(s) : pv_length_max(s, (size_t)spec->precision);
  pv_reads(sink, s, n + (spec->precision < 0 || n < (size_t)spec->precision));
  put_text(sink, spec, s, n);
}

/* The largest power of a base that fits into 64 bits: 10^19, 8^21, 16^15. */
static uint64_t largest_power(unsigned base) {
  return base == 10 ? 10000000000000000000u : base == 8 ? (uint64_t)1 << 63 : (uint64_t)1 << 60;
}

static size_t count_digits(uint64_t value, unsigned base) {
  size_t count = 0;
  for (uint64_t power = largest_power(base); power > 0; power /= base) count += value >= power;
  return count;
}

static char digit(unsigned value, char conv) {
  return (char)(value < 10 ? '0' + value : (conv == 'X' ? 'A' : 'a') + value - 10);
}

static void put_digits(struct pv_sink *sink, const struct pv_spec *spec, uint64_t value,
                       unsigned base) {
  char digits[24];
  size_t n = sizeof digits;
  if (is_direct(sink)) {
    for (uint64_t power = largest_power(base); power > 0; power /= base)
      if (value >= power) {
        char c = digit((unsigned)(value / power % base), spec->conv);
        __proviso_emit(sink, &c, 1);
      }
    return;
  }
  for (uint64_t rest = value; rest > 0; rest /= base)
    digits[--n] = digit((unsigned)(rest % base), spec->conv);
  __proviso_emit(sink, digits + n, sizeof digits - n);
}

static void put_prefix(struct pv_sink *sink, const char *prefix, size_t n) {
  if (!is_direct(sink)) {
    __proviso_emit(sink, prefix, n);
    return;
  }
  for (size_t i = 0; i < 3; i++) /* "+0x" */
    if (i < n) __proviso_emit(sink, prefix + i, 1);
}

/* Sign or prefix, zeros, digits: the common form of all integer conversions. */
static void put_integer(struct pv_sink *sink, const struct pv_spec *spec, uint64_t value,
                        unsigned base, const char *prefix, size_t prefix_length) {
  size_t count = count_digits(value, base);
  size_t precision = spec->precision < 0 ? 1 : (size_t)spec->precision, wanted = precision;
  if (base == 8 && spec->alt && wanted <= count) wanted = count + 1;
  size_t zeros = wanted > count ? wanted - count : 0, length = prefix_length + zeros + count;
  if (value == 0 && base == 8 && spec->alt) { /* one zero suffices */
    zeros = spec->precision > 1 ? (size_t)spec->precision : 1;
    length = prefix_length + zeros;
  }
  size_t width = (size_t)spec->width, most_zeros = precision + 1;
  if (spec->zero && !spec->left && spec->precision < 0) {
    most_zeros += width;
    if (width > length) {
      zeros += width - length;
      length = width;
    }
  }
  if (!spec->left) pad_to(sink, spec, length);
  put_prefix(sink, prefix, prefix_length);
  pad_at_most(sink, '0', zeros, most_zeros);
  put_digits(sink, spec, value, base);
  if (spec->left) pad_to(sink, spec, length);
}

static uint64_t unsigned_argument(const struct pv_spec *spec, struct pv_args *args) {
  switch (spec->length) {
  case 'q': return va_arg(args->ap, unsigned long long);
  case 'l': return va_arg(args->ap, unsigned long);
  case 'h': return (unsigned short)va_arg(args->ap, unsigned);
  case 'H': return (unsigned char)va_arg(args->ap, unsigned);
  default: return va_arg(args->ap, unsigned);
  }
}
static int64_t signed_argument(const struct pv_spec *spec, struct pv_args *args) {
  switch (spec->length) {
  case 'q': return va_arg(args->ap, long long);
  case 'l': return va_arg(args->ap, long);
  case 'h': return (short)va_arg(args->ap, int);
  case 'H': return (signed char)va_arg(args->ap, int);
  default: return va_arg(args->ap, int);
  }
}

static void put_signed(struct pv_sink *sink, const struct pv_spec *spec, int64_t value) {
  char sign = value < 0 ? '-' : spec->plus ? '+' : spec->space ? ' ' : 0;
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  put_integer(sink, spec, magnitude, 10, &sign, sign != 0);
}

static void put_pointer(struct pv_sink *sink, const struct pv_spec *spec, const void *p) {
  if (!p) {
    put_text(sink, spec, "(nil)", 5);
    return;
  }
  char prefix[3];
  size_t n = 0;
  if (spec->plus || spec->space) prefix[n++] = spec->plus ? '+' : ' ';
  prefix[n++] = '0';
  prefix[n++] = 'x';
  put_integer(sink, spec, (uintptr_t)p, 16, prefix, n);
}

static void put_character(struct pv_sink *sink, const struct pv_spec *spec, unsigned c) {
  if (spec->length == 'l' && c > 127) __proviso_unsupported("printf of a wide character");
  if (sink->fd >= 0) pv_use_character((int)c); /* in memory it is a copy */
  char text = (char)c;
  put_text(sink, spec, &text, 1);
}

static void store_count(const struct pv_spec *spec, struct pv_args *args, size_t n) {
  switch (spec->length) {
  case 'q': *va_arg(args->ap, long long *) = (long long)n; break;
  case 'l': *va_arg(args->ap, long *) = (long)n; break;
  case 'h': *va_arg(args->ap, short *) = (short)n; break;
  case 'H': *va_arg(args->ap, signed char *) = (signed char)n; break;
  default: *va_arg(args->ap, int *) = (int)n; break;
  }
}

static const char *parse_number(const char *f, int *value, bool *overflow) {
  unsigned n = 0;
  for (; pv_is_digit(*f); f++) {
    if (n > (INT_MAX - 9) / 10) *overflow = true;
    n = *overflow ? 0 : n * 10 + (unsigned)(*f - '0');
  }
  *value = (int)n;
  return f;
}

static const char *parse_length(const char *f, char *length) {
  switch (*f) {
  case 'h': *length = f[1] == 'h' ? 'H' : 'h'; return f[1] == 'h' ? f + 2 : f + 1;
  case 'l': *length = f[1] == 'l' ? 'q' : 'l'; return f[1] == 'l' ? f + 2 : f + 1;
  case 'q':
  case 'L':
  case 'j': *length = 'q'; return f + 1;
  case 'z':
  case 'Z':
  case 't': *length = 'l'; return f + 1;
  default: return f;
  }
}

/* Parses flags, width, precision and length after a '%'. */
static const char *parse_spec(const char *f, struct pv_spec *spec, struct pv_args *args,
                              bool *overflow) {
  *spec = (struct pv_spec){.precision = -1};
  for (;; f++) {
    if (*f == '-')
      spec->left = true;
    else if (*f == '+')
      spec->plus = true;
    else if (*f == ' ')
      spec->space = true;
    else if (*f == '#')
      spec->alt = true;
    else if (*f == '0')
      spec->zero = true;
    else if (*f != '\'' && *f != 'I')
      break;
  }
  if (*f == '*') {
    spec->width = va_arg(args->ap, int);
    if (spec->width == INT_MIN)
      *overflow = true;
    else if (spec->width < 0) {
      spec->left = true;
      spec->width = -spec->width;
    }
    f++;
  } else {
    f = parse_number(f, &spec->width, overflow);
    if (*f == '$') __proviso_unsupported("printf with arguments by position");
  }
  if (*f == '.') {
    if (*++f == '*') {
      spec->precision = va_arg(args->ap, int);
      f++;
    } else {
      if (*f == '-') __proviso_check(false, "a negative precision in a format");
      f = parse_number(f, &spec->precision, overflow);
    }
    if (spec->precision < 0) spec->precision = -1;
  }
  f = parse_length(f, &spec->length);
  spec->conv = *f;
  return f;
}

/* A function of its own: otherwise each conversion would have the buffer. */
static void put_error_text(struct pv_sink *sink, const struct pv_spec *spec) {
  char buffer[32];
  put_string(sink, spec, __proviso_error_text(errno, buffer));
}

static void convert(struct pv_sink *sink, const struct pv_spec *spec, struct pv_args *args) {
  uint64_t value;
  switch (spec->conv) {
  case 'd':
  case 'i': put_signed(sink, spec, signed_argument(spec, args)); break;
  case 'u': put_integer(sink, spec, unsigned_argument(spec, args), 10, "", 0); break;
  case 'o': put_integer(sink, spec, unsigned_argument(spec, args), 8, "", 0); break;
  case 'x':
  case 'X':
    value = unsigned_argument(spec, args);
    put_integer(sink, spec, value, 16, spec->conv == 'x' ? "0x" : "0X",
                spec->alt && value != 0 ? 2 : 0);
    break;
  case 'c': put_character(sink, spec, (unsigned)va_arg(args->ap, int)); break;
  case 's':
    if (spec->length == 'l') __proviso_unsupported("printf of a wide string");
    put_string(sink, spec, va_arg(args->ap, const char *));
    break;
  case 'p': put_pointer(sink, spec, va_arg(args->ap, const void *)); break;
  case 'n': store_count(spec, args, sink->total); break;
  case 'm': put_error_text(sink, spec); break;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    if (spec->length == 'q')
      __proviso_format_float(sink, spec, va_arg(args->ap, long double), true);
    else
      __proviso_format_float(sink, spec, va_arg(args->ap, double), false);
    break;
  case 'C':
  case 'S': __proviso_unsupported("printf of wide characters"); break;
  default: __proviso_check(false, "an unknown conversion in a format");
  }
}

int __proviso_format(struct pv_sink *sink, const char *format, struct pv_args *args) {
  bool overflow = false;
  const char *f = format;
  sink->nearest = SIZE_MAX;
  for (; *f; f++) {
    size_t n = 0;
    while (f[n] && f[n] != '%') n++;
    if (n > 0) __proviso_emit(sink, f, n);
    f += n;
    if (!*f) break;
    if (f[1] == '%') {
      __proviso_emit(sink, "%", 1);
      f++;
      continue;
    }
    struct pv_spec spec;
    f = parse_spec(f + 1, &spec, args, &overflow);
    if (overflow || sink->total > INT_MAX) break;
    if (spec.conv == '%') {
      __proviso_emit(sink, "%", 1);
    } else {
      __proviso_check(spec.conv != 0, "a format ends inside a conversion");
      if (spec.conv == 0) break;
      convert(sink, &spec, args);
    }
  }
  pv_reads(sink, format, (size_t)(f - format) + 1);
  if (sink->fd >= 0 && sink->held > 0) hand_over(sink, sink->at, sink->held);
  if (overflow || sink->total > INT_MAX) {
    errno = EOVERFLOW;
    return -1;
  }
  return (int)sink->total;
}

/* ---- pieces of a format that is a literal (src/frontend/specialise_formats.c) ------------------
 *
 * Each writes to standard output or standard error, and returns the length. */
void __proviso_put_begin(int fd) {
  if (__proviso_has_cancel) __proviso_may_cancel();
  pv_check_open(fd);
}

int __proviso_put_end(int fd, size_t total) {
  if (pv_moved(fd)) {
    errno = EBADF;
    return -1;
  }
  if (total <= INT_MAX) return (int)total;
  errno = EOVERFLOW;
  return -1;
}

size_t __proviso_put_text(int fd, const char *text, size_t n) {
  __proviso_print(fd, text, n);
  return n;
}

/* Digits are written and counted without a loop: that is easier to analyse. */
static size_t put_digit(int fd, uint64_t value) {
  char c = (char)('0' + value % 10);
  __proviso_print(fd, &c, 1);
  return 1;
}

size_t __proviso_put_unsigned(int fd, uint64_t value) {
  size_t n = 0;
#define PUT(POWER)                                                                                 \
  if (value >= POWER##u) n += put_digit(fd, value / POWER##u);
  PV_LONG_POWERS(PUT)
  PV_SHORT_POWERS(PUT)
#undef PUT
  return n + put_digit(fd, value);
}

size_t __proviso_length_unsigned(uint64_t value) {
#define COUNT(POWER) +(size_t)(value >= POWER##u)
  return (size_t)1 PV_LONG_POWERS(COUNT) PV_SHORT_POWERS(COUNT);
#undef COUNT
}

static size_t put_hexadecimal_digit(int fd, uint64_t value) {
  char c = digit((unsigned)(value & 15), 'x');
  __proviso_print(fd, &c, 1);
  return 1;
}

size_t __proviso_put_hexadecimal(int fd, uint64_t value) {
  size_t n = 0;
#define PUT(K)                                                                                     \
  if (value >> 4 * K) n += put_hexadecimal_digit(fd, value >> 4 * K);
  PV_LONG_PLACES(PUT)
  PV_SHORT_PLACES(PUT)
#undef PUT
  return n + put_hexadecimal_digit(fd, value);
}

size_t __proviso_length_hexadecimal(uint64_t value) {
#define COUNT(K) +(size_t)(value >> 4 * K != 0)
  return (size_t)1 PV_LONG_PLACES(COUNT) PV_SHORT_PLACES(COUNT);
#undef COUNT
}

static uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

size_t __proviso_length_decimal(int64_t value) {
  return (size_t)(value < 0) + __proviso_length_unsigned(magnitude(value));
}

size_t __proviso_put_sign(int fd, int64_t value) {
  if (value >= 0) return 0;
  __proviso_print(fd, "-", 1);
  return 1;
}

size_t __proviso_put_magnitude(int fd, int64_t value) {
  return __proviso_put_unsigned(fd, magnitude(value));
}

size_t __proviso_put_decimal(int fd, int64_t value) {
  size_t n = __proviso_put_sign(fd, value);
  return n + __proviso_put_magnitude(fd, value);
}

/* Character number `k` of the padding, counted from the end, of a text of that length. */
size_t __proviso_put_pad(int fd, size_t length, int k, int c) {
  char text = (char)c;
  if (length >= (size_t)k) return 0;
  __proviso_print(fd, &text, 1);
  return 1;
}

size_t __proviso_put_byte(int fd, int c) {
  pv_use_character(c);
  char text = (char)c;
  __proviso_print(fd, &text, 1);
  return 1;
}

size_t __proviso_put_string(int fd, const char *text) {
  __proviso_check(text != NULL, "the argument of %s is a null pointer");
  if (!text) return __proviso_put_text(fd, "(null)", 6);
  return __proviso_put_text(fd, text, pv_length(text));
}

size_t __proviso_length_string(const char *text) {
  return pv_length(text ? text : "(null)");
}

static struct pv_spec spec_of(int width, int precision, int flags, int conv) {
  struct pv_spec spec = {.left = flags & 1,
                         .plus = flags & 2,
                         .space = flags & 4,
                         .alt = flags & 8,
                         .zero = flags & 16,
                         .width = width,
                         .precision = precision < 0 ? -1 : precision,
                         .conv = (char)conv};
  return spec;
}

static void convert_integer(struct pv_sink *sink, const struct pv_spec *spec, uint64_t value) {
  switch (spec->conv) {
  case 'd':
  case 'i': put_signed(sink, spec, (int64_t)value); break;
  case 'u': put_integer(sink, spec, value, 10, "", 0); break;
  case 'o': put_integer(sink, spec, value, 8, "", 0); break;
  default:
    put_integer(sink, spec, value, 16, spec->conv == 'x' ? "0x" : "0X", spec->alt && value ? 2 : 0);
  }
}

size_t __proviso_put_integer(int fd, uint64_t value, int width, int precision, int flags,
                             int conv) {
  struct pv_sink sink = {.fd = fd};
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  convert_integer(&sink, &spec, value);
  return sink.total;
}

/* %p, or %s with a width or precision. */
size_t __proviso_put_pointer(int fd, const void *p, int width, int precision, int flags, int conv) {
  struct pv_sink sink = {.fd = fd};
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  if (conv == 's')
    put_string(&sink, &spec, p);
  else
    put_pointer(&sink, &spec, p);
  return sink.total;
}

size_t __proviso_put_character(int fd, int c, int width, int precision, int flags, int conv) {
  struct pv_sink sink = {.fd = fd};
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  put_character(&sink, &spec, (unsigned)c);
  return sink.total;
}

/* The same into memory, as in format_memory.c. */
static struct pv_sink sink_at(char *to, size_t capacity, size_t total) {
  return (struct pv_sink){.at = to, .capacity = capacity, .total = total, .fd = -1};
}

size_t __proviso_at_integer(char *to, size_t capacity, size_t total, uint64_t value, int width,
                            int precision, int flags, int conv) {
  struct pv_sink sink = sink_at(to, capacity, total);
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  convert_integer(&sink, &spec, value);
  return sink.total;
}

size_t __proviso_at_pointer(char *to, size_t capacity, size_t total, const void *p, int width,
                            int precision, int flags, int conv) {
  struct pv_sink sink = sink_at(to, capacity, total);
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  put_pointer(&sink, &spec, p);
  return sink.total;
}

size_t __proviso_at_character(char *to, size_t capacity, size_t total, int c, int width,
                              int precision, int flags, int conv) {
  struct pv_sink sink = sink_at(to, capacity, total);
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  put_character(&sink, &spec, (unsigned)c);
  return sink.total;
}

size_t __proviso_at_double(char *to, size_t capacity, size_t total, double value, int width,
                           int precision, int flags, int conv) {
  struct pv_sink sink = sink_at(to, capacity, total);
  struct pv_spec spec = spec_of(width, precision, flags, conv);
  __proviso_format_float(&sink, &spec, value, false);
  return sink.total;
}
