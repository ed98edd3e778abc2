/* format.c -- the printf family: parses a format and writes to a sink.
 *
 * Implements C11 and glibc's flag I; the grouping flag has no effect, as in the C locale. Arguments
 * by position (%1$d) and wide characters outside of ASCII end the path with a proviso. */
#include "model.h"

static void hand_over(struct pv_sink *sink, const char *text, size_t n) {
  if (__proviso_has_files && sink->fd > 2)
    sink->failed |= !(sink->file ? __proviso_stream_put(sink->file, text, n)
                                 : __proviso_output(sink->fd, text, n));
  else
    __proviso_print(sink->fd, text, n);
}
void __proviso_emit(struct pv_sink *sink, const char *text, size_t n) {
  sink->total += n;
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

static void pad_to(struct pv_sink *sink, const struct pv_spec *spec, size_t length) {
  if (spec->width > 0 && (size_t)spec->width > length)
    __proviso_pad(sink, ' ', (size_t)spec->width - length);
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

/* Sign or prefix, zeros, digits: the common form of all integer conversions. */
static void put_integer(struct pv_sink *sink, const struct pv_spec *spec, uint64_t value,
                        unsigned base, const char *prefix, size_t prefix_length) {
  char digits[24];
  size_t n = sizeof digits;
  const char *alphabet = spec->conv == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  for (uint64_t rest = value; rest > 0; rest /= base) digits[--n] = alphabet[rest % base];
  size_t count = sizeof digits - n, wanted = spec->precision < 0 ? 1 : (size_t)spec->precision;
  if (base == 8 && spec->alt && wanted <= count) wanted = count + 1;
  size_t zeros = wanted > count ? wanted - count : 0, length = prefix_length + zeros + count;
  if (value == 0 && base == 8 && spec->alt) { /* one zero suffices */
    zeros = spec->precision > 1 ? (size_t)spec->precision : 1;
    length = prefix_length + zeros;
  }
  if (spec->zero && !spec->left && spec->precision < 0 && (size_t)spec->width > length) {
    zeros += (size_t)spec->width - length;
    length = (size_t)spec->width;
  }
  if (!spec->left) pad_to(sink, spec, length);
  __proviso_emit(sink, prefix, prefix_length);
  __proviso_pad(sink, '0', zeros);
  __proviso_emit(sink, digits + n, count);
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
  case 'm': {
    char buffer[32];
    put_string(sink, spec, __proviso_error_text(errno, buffer));
    break;
  }
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
