/* scan.c -- the scanf family, from a string or from a stream.
 *
 * From stdin, %d %i %u read a whole number at once (stdin.c); other conversions read byte by
 * byte. */
#include "model.h"

/* Where the text comes from: a string; if `text` is null, a stream, stdin if that is null. */
struct source {
  const char *text, *start;
  FILE *stream;
  size_t consumed;
  size_t nearest; /* string: the smallest offset from its start to which a result is written */
};
/* Records that a result is written: it must not overlap the string that is read. */
static void writes(struct source *s, const void *to, size_t n) {
  size_t d = s->text ? pv_offset(s->start, to, n) : SIZE_MAX;
  if (d < s->nearest) s->nearest = d;
}
static int next(struct source *s) {
  int c = s->text     ? (unsigned char)*s->text
          : s->stream ? __proviso_get(s->stream)
                      : __proviso_stdin_get();
  if (s->text && c == 0) return EOF;
  if (c == EOF) return EOF;
  if (s->text) s->text++;
  s->consumed++;
  return c;
}
static void back(struct source *s, int c) {
  if (c == EOF) return;
  s->consumed--;
  if (s->text)
    s->text--;
  else if (s->stream)
    __proviso_unget(s->stream, c);
  else
    __proviso_stdin_unget(c);
}
static int skip_space(struct source *s) {
  int c;
  do c = next(s);
  while (pv_is_space(c));
  back(s, c);
  return c;
}

/* One conversion of a format. */
struct directive {
  bool suppress;
  size_t width; /* SIZE_MAX if not given */
  char length;  /* as in struct pv_spec */
  char conv;
  void *to; /* where the result goes, if there is no list of arguments */
};
enum outcome { MATCHED, MISMATCH, AT_END };

static void store_integer(struct source *s, const struct directive *d, struct pv_args *args,
                          unsigned long long v) {
  if (d->suppress) return;
  void *to = args ? va_arg(args->ap, void *) : d->to;
  writes(s, to, 1);
  switch (d->length) {
  case 'q': *(unsigned long long *)to = v; break;
  case 'l': *(unsigned long *)to = (unsigned long)v; break;
  case 'h': *(unsigned short *)to = (unsigned short)v; break;
  case 'H': *(unsigned char *)to = (unsigned char)v; break;
  default: *(unsigned *)to = (unsigned)v;
  }
}

/* Reads the longest prefix of a number, at most `width` bytes, that `more` accepts. */
enum { NUMBER_ROOM = 128 };
struct word {
  char text[NUMBER_ROOM];
  size_t n;
};
static void take(struct source *s, struct word *w, size_t width, int *c) {
  if (w->n + 1 >= NUMBER_ROOM) __proviso_unsupported("scanf of a number of more than 127 bytes");
  w->text[w->n++] = (char)*c;
  w->text[w->n] = 0;
  *c = w->n < width ? next(s) : EOF;
}

static enum outcome scan_integer(struct source *s, const struct directive *d, int base,
                                 struct pv_args *args) {
  struct word w = {.n = 0};
  int c = next(s), digits = 0;
  if (c == EOF) return AT_END;
  if (c == '-' || c == '+') take(s, &w, d->width, &c);
  if (c == '0' && (base == 0 || base == 16)) {
    take(s, &w, d->width, &c);
    digits = 1;
    if (c == 'x' || c == 'X') {
      take(s, &w, d->width, &c);
      base = 16; /* like glibc, "0x" alone reads as 0 */
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  while (c != EOF && pv_digit_value(c) < (unsigned)base) {
    take(s, &w, d->width, &c);
    digits++;
  }
  back(s, c);
  if (digits == 0) return MISMATCH;
  bool negative, overflow;
  const char *end;
  unsigned long long v = __proviso_parse_magnitude(w.text, &end, base, &negative, &overflow);
  bool is_signed = d->conv == 'd' || d->conv == 'i';
  unsigned long long max =
      d->length == 'q' || sizeof(long) == 8 ? LLONG_MAX : (unsigned long)LONG_MAX;
  /* undefined in C; glibc saturates at the widest type that it reads into */
  if (!is_signed)
    v = overflow ? ULLONG_MAX : negative ? 0 - v : v;
  else if (overflow || v > max + negative)
    v = negative ? 0 - (max + 1) : max;
  else
    v = negative ? 0 - v : v;
  store_integer(s, d, args, v);
  return MATCHED;
}

static enum outcome scan_input_integer(struct source *s, const struct directive *d, int base,
                                       struct pv_args *args) {
  switch (__proviso_stdin_number()) {
  case PV_STDIN_SPELLED: return skip_space(s) == EOF ? AT_END : scan_integer(s, d, base, args);
  case PV_STDIN_END: return AT_END;
  case PV_STDIN_MISMATCH: return MISMATCH;
  case PV_STDIN_NUMBER: break;
  }
  if (d->suppress) return MATCHED;
  bool is_unsigned = d->conv == 'u';
  if (d->length == 'q' && sizeof(long) == 4) {
    unsigned long long high = __proviso_nondet_ulong("scanf");
    store_integer(s, d, args, high << 32 | __proviso_nondet_ulong("scanf"));
  } else if (d->length == 'q' || d->length == 'l') {
    store_integer(s, d, args,
                  is_unsigned ? __proviso_nondet_ulong("scanf")
                              : (unsigned long long)__proviso_nondet_long("scanf"));
  } else {
    store_integer(s, d, args,
                  is_unsigned ? __proviso_nondet_uint("scanf")
                              : (unsigned long long)__proviso_nondet_int("scanf"));
  }
  return MATCHED;
}

/* Letters of inf, infinity and nan, as many as match. */
static bool scan_letters(struct source *s, struct word *w, size_t width, int *c,
                         const char *letters) {
  for (; *letters; letters++) {
    if (*c == EOF || pv_to_lower(*c) != *letters) return false;
    take(s, w, width, c);
  }
  return true;
}
static bool scan_float_word(struct source *s, struct word *w, size_t width, int *c) {
  bool ok;
  if (pv_to_lower(*c) == 'n') {
    ok = scan_letters(s, w, width, c, "nan");
  } else {
    ok = scan_letters(s, w, width, c, "inf");
    if (ok && *c != EOF && pv_to_lower(*c) == 'i') ok = scan_letters(s, w, width, c, "inity");
  }
  back(s, *c);
  return ok;
}
static bool scan_float_digits(struct source *s, struct word *w, size_t width, int *c) {
  unsigned base = 10;
  int digits = 0;
  bool point = false;
  if (*c == '0') {
    take(s, w, width, c);
    digits = 1;
    if (*c == 'x' || *c == 'X') {
      take(s, w, width, c);
      base = 16;
      digits = 0;
    }
  }
  while (*c != EOF) {
    if (*c == '.' && !point)
      point = true;
    else if (pv_digit_value(*c) < base)
      digits++;
    else
      break;
    take(s, w, width, c);
  }
  bool ok = digits > 0 || (base == 16 && point); /* glibc reads "0x." as 0 */
  /* like glibc, skips an exponent without digits */
  if (digits > 0 && *c != EOF && pv_to_lower(*c) == (base == 16 ? 'p' : 'e')) {
    take(s, w, width, c);
    if (*c == '-' || *c == '+') take(s, w, width, c);
    while (pv_is_digit(*c)) take(s, w, width, c);
  }
  back(s, *c);
  return ok;
}
static enum outcome scan_float(struct source *s, const struct directive *d, struct pv_args *args) {
  struct word w = {.n = 0};
  int c = next(s);
  if (c == EOF) return AT_END;
  if (c == '-' || c == '+') take(s, &w, d->width, &c);
  bool word = c != EOF && (pv_to_lower(c) == 'i' || pv_to_lower(c) == 'n');
  bool ok = word ? scan_float_word(s, &w, d->width, &c) : scan_float_digits(s, &w, d->width, &c);
  if (!ok) return MISMATCH;
  if (d->suppress) return MATCHED;
  const char *end;
  enum pv_float_kind kind = d->length == 'q'   ? PV_KIND_LONG_DOUBLE
                            : d->length == 'l' ? PV_KIND_DOUBLE
                                               : PV_KIND_FLOAT;
  long double value = __proviso_parse_float(w.text, &end, kind);
  if (kind == PV_KIND_LONG_DOUBLE)
    *va_arg(args->ap, long double *) = value;
  else if (kind == PV_KIND_DOUBLE)
    *va_arg(args->ap, double *) = (double)value;
  else
    *va_arg(args->ap, float *) = (float)value;
  return MATCHED;
}

/* Is c in the set [from, to), written as in %[...] without brackets and ^? */
static bool in_set(int c, const char *from, const char *to) {
  for (const char *p = from; p < to; p++) {
    if (p[0] != 0 && p + 2 < to && p[1] == '-') {
      if (c >= (unsigned char)p[0] && c <= (unsigned char)p[2]) return true;
      p += 2;
    } else if (c == (unsigned char)*p) {
      return true;
    }
  }
  return false;
}

/* %s, %c and %[: set null means bytes other than space; `all` accepts every byte. */
static enum outcome scan_bytes(struct source *s, const struct directive *d, bool all,
                               const char *set, const char *set_end, bool negated,
                               struct pv_args *args) {
  char *to = d->suppress ? NULL : va_arg(args->ap, char *);
  size_t n = 0;
  int c = EOF;
  while (n < d->width) {
    c = next(s);
    bool fits = c != EOF && (all || (set ? in_set(c, set, set_end) != negated : !pv_is_space(c)));
    if (!fits) {
      back(s, c);
      break;
    }
    if (to) to[n] = (char)c;
    n++;
  }
  if (n == 0) return c == EOF ? AT_END : MISMATCH; /* glibc accepts fewer bytes than %3c asks for */
  if (to && !all) to[n] = 0;
  if (to) writes(s, to, n + !all);
  return MATCHED;
}

static const char *parse_directive(const char *f, struct directive *d) {
  *d = (struct directive){.width = SIZE_MAX};
  if (*f == '*') {
    d->suppress = true;
    f++;
  }
  if (pv_is_digit(*f)) {
    d->width = 0;
    for (; pv_is_digit(*f); f++) d->width = d->width * 10 + (size_t)(*f - '0');
    if (d->width == 0) d->width = SIZE_MAX;
    if (*f == '$') __proviso_unsupported("scanf with arguments by position");
  }
  switch (*f) {
  case 'h':
    d->length = f[1] == 'h' ? 'H' : 'h';
    f += d->length == 'H' ? 2 : 1;
    break;
  case 'l':
    d->length = f[1] == 'l' ? 'q' : 'l';
    f += d->length == 'q' ? 2 : 1;
    break;
  case 'L':
  case 'q':
  case 'j': d->length = 'q', f++; break;
  case 'z':
  case 't': d->length = 'l', f++; break;
  case 'm': __proviso_unsupported("scanf that allocates (%m)");
  }
  d->conv = *f;
  return f;
}

/* Performs the conversion at f; *format is set to its last character. */
static enum outcome convert(struct source *s, const struct directive *d, const char **format,
                            struct pv_args *args) {
  const char *f = *format;
  if ((d->length == 'l') && (d->conv == 's' || d->conv == 'c' || d->conv == '['))
    __proviso_unsupported("scanf of wide characters");
  switch (d->conv) {
  case 'd':
  case 'u':
    if (!s->text && !s->stream && d->width == SIZE_MAX) return scan_input_integer(s, d, 10, args);
    return skip_space(s) == EOF ? AT_END : scan_integer(s, d, 10, args);
  case 'i': return skip_space(s) == EOF ? AT_END : scan_integer(s, d, 0, args);
  case 'o': return skip_space(s) == EOF ? AT_END : scan_integer(s, d, 8, args);
  case 'x':
  case 'X':
  case 'p': return skip_space(s) == EOF ? AT_END : scan_integer(s, d, 16, args);
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A': return skip_space(s) == EOF ? AT_END : scan_float(s, d, args);
  case 's':
    if (skip_space(s) == EOF) return AT_END;
    return scan_bytes(s, d, false, NULL, NULL, false, args);
  case 'c': {
    struct directive one = *d;
    if (one.width == SIZE_MAX) one.width = 1;
    return scan_bytes(s, &one, true, NULL, NULL, false, args);
  }
  case '[': {
    bool negated = f[1] == '^';
    const char *set = f + 1 + negated, *end = set + 1; /* a ] at the start is a member */
    while (*end && *end != ']') end++;
    *format = end;
    return scan_bytes(s, d, false, set, end, negated, args);
  }
  default: __proviso_check(false, "an unknown conversion in a format"); return MISMATCH;
  }
}

/* Does the next conversion skip blanks itself? */
static bool skips_space(const char *f) {
  return f[0] == '%' && f[1] && f[1] != '%' && f[1] != 'c' && f[1] != '[' && f[1] != 'n' &&
         f[1] != '*' && !pv_is_digit(f[1]);
}

static int scan(struct source *s, const char *f, struct pv_args *args) {
  int matched = 0;
  for (; *f; f++) {
    if (pv_is_space((unsigned char)*f)) {
      if (!pv_is_space((unsigned char)f[1]) && !skips_space(f + 1)) skip_space(s);
      continue;
    }
    if (*f != '%' || f[1] == '%') {
      if (*f == '%') {
        f++;
        skip_space(s);
      }
      int c = next(s);
      if (c == (unsigned char)*f) continue;
      back(s, c);
      return c == EOF && matched == 0 ? EOF : matched;
    }
    struct directive d;
    f = parse_directive(f + 1, &d);
    if (d.conv == 'n') {
      if (!s->text && !s->stream) __proviso_unsupported("%n in a scanf of stdin");
      store_integer(s, &d, args, s->consumed);
      continue;
    }
    enum outcome o = convert(s, &d, &f, args);
    if (o == AT_END) return matched == 0 ? EOF : matched;
    if (o == MISMATCH) return matched;
    if (!d.suppress) matched++;
  }
  return matched;
}

static int scan_text(const char *text, const char *f, struct pv_args *args) {
  struct source s = {.text = text, .start = text, .nearest = SIZE_MAX};
  int n = scan(&s, f, args);
  __proviso_check(s.nearest > s.consumed, "sscanf writes into the string that it reads");
  return n;
}
static int scan_from(FILE *stream, const char *f, struct pv_args *args) {
  struct source s = {.stream = stream};
  return scan(&s, f, args);
}
static int scan_stream(FILE *s, const char *f, struct pv_args *args) {
  pv_may_cancel_point();
  if (s->fd == 0) return scan_from(NULL, f, args);
  if (!pv_is_file(s)) return EOF;
  pv_lock(s);
  int n = scan_from(s, f, args);
  pv_unlock(s);
  return n;
}
static int scan_input(const char *f, struct pv_args *args) {
  pv_may_cancel_point();
  return pv_moved(0) ? scan_stream(__proviso_standard(0), f, args) : scan_from(NULL, f, args);
}

/* ---- numbers from standard input, of a format that is a literal ---------------------------------
 *
 * See src/frontend/specialise_formats.c. The state is how many were read, or, if no more are read,
 * the result minus ENDED. */
enum { ENDED = 1 << 20 };
int __proviso_get_begin(void) {
  pv_may_cancel_point();
  pv_check_open(0);
  return pv_moved(0) ? EOF - ENDED : 0;
}

int __proviso_get_integer(int state, void *to, int length, int conv) {
  if (state < 0) return state;
  struct source s = {0};
  struct directive d = {.width = SIZE_MAX, .length = (char)length, .conv = (char)conv, .to = to};
  enum outcome o = scan_input_integer(&s, &d, 10, NULL);
  if (o == MATCHED) return state + 1;
  return (o == AT_END && state == 0 ? EOF : state) - ENDED;
}

int __proviso_get_end(int state) {
  return state < 0 ? state + ENDED : state;
}

#define VARIADIC(EXPRESSION, LAST)                                                                 \
  struct pv_args args;                                                                             \
  va_start(args.ap, LAST);                                                                         \
  int n = (EXPRESSION);                                                                            \
  va_end(args.ap);                                                                                 \
  return n
#define WITH_LIST(EXPRESSION)                                                                      \
  struct pv_args args;                                                                             \
  va_copy(args.ap, list);                                                                          \
  int n = (EXPRESSION);                                                                            \
  pv_list_used(list, &args);                                                                       \
  va_end(args.ap);                                                                                 \
  return n
/* The functions of C89, C99 and C23 are the same here. */
#define FAMILY(PREFIX)                                                                             \
  int PREFIX##sscanf(const char *restrict s, const char *restrict f, ...) {                        \
    VARIADIC(scan_text(s, f, &args), f);                                                           \
  }                                                                                                \
  int PREFIX##scanf(const char *restrict f, ...) {                                                 \
    VARIADIC(scan_input(f, &args), f);                                                             \
  }                                                                                                \
  int PREFIX##fscanf(FILE *restrict s, const char *restrict f, ...) {                              \
    VARIADIC(scan_stream(s, f, &args), f);                                                         \
  }                                                                                                \
  int PREFIX##vsscanf(const char *restrict s, const char *restrict f, va_list list) {              \
    WITH_LIST(scan_text(s, f, &args));                                                             \
  }                                                                                                \
  int PREFIX##vscanf(const char *restrict f, va_list list) {                                       \
    WITH_LIST(scan_input(f, &args));                                                               \
  }                                                                                                \
  int PREFIX##vfscanf(FILE *restrict s, const char *restrict f, va_list list) {                    \
    WITH_LIST(scan_stream(s, f, &args));                                                           \
  }
FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)
