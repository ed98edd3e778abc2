/* format_memory.c -- pieces of a format that is a literal, of sprintf and snprintf
 * (src/frontend/specialise_formats.c).
 *
 * Each function named __proviso_at_* writes one piece behind the `total` bytes that the call has
 * produced so far, as far as it fits into `capacity` bytes at `to`, and returns the new total. They
 * do what format.c does with a sink in memory. Digits are written without a loop: that is easier to
 * analyse. */
#include "digits.h"
#include "model.h"

size_t __proviso_at_capacity(size_t size) {
  return size > 0 ? size - 1 : 0;
}

void __proviso_at_close(char *to, size_t size, size_t total, size_t nearest) {
  if (size == 0) return;
  size_t last = total < size ? total : size - 1;
  to[last] = 0;
  __proviso_check(nearest > last, "sprintf writes over its format or an argument of its own");
}

int __proviso_at_end(char *to, size_t size, size_t total, size_t nearest) {
  if (total > INT_MAX) errno = EOVERFLOW;
  __proviso_at_close(to, size, total, nearest);
  return total > INT_MAX ? -1 : (int)total;
}

size_t __proviso_at_text(char *to, size_t capacity, size_t total, const char *text, size_t n) {
  if (total < capacity) {
    size_t room = capacity - total;
    __proviso_copy(to + total, text, n < room ? n : room);
  }
  return total + n;
}

static size_t put(char *to, size_t capacity, size_t total, char c) {
  if (total < capacity) to[total] = c;
  return total + 1;
}

size_t __proviso_at_byte(char *to, size_t capacity, size_t total, int c) {
  return put(to, capacity, total, (char)c);
}

/* Character number `k` of the padding, counted from the end, of a text of that length. */
size_t __proviso_at_pad(char *to, size_t capacity, size_t total, size_t length, int k, int c) {
  return length >= (size_t)k ? total : put(to, capacity, total, (char)c);
}

size_t __proviso_at_spaces(char *to, size_t capacity, size_t total, size_t length, int width) {
  struct pv_sink sink = {.at = to, .capacity = capacity, .total = total, .fd = -1};
  if (length < (size_t)width) __proviso_pad(&sink, ' ', (size_t)width - length);
  return sink.total;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Has the call written to this place already? */
static bool is_written(const char *to, size_t capacity, size_t total, const char *s) {
  return pv_offset(to, s, 1) < (total < capacity ? total : capacity);
}

/* What `%s` prints; precision < 0: not given. */
const char *__proviso_at_argument(char *to, size_t capacity, size_t total, const char *text,
                                  int precision) {
  __proviso_check(text != NULL, "the argument of %s is a null pointer");
  if (!text) text = precision < 0 || precision >= 6 ? "(null)" : "";
  __proviso_check(!is_written(to, capacity, total, text),
                  "an argument of sprintf was overwritten by sprintf");
  return text;
}

size_t __proviso_at_length(const char *text, int precision) {
  return precision < 0 ? pv_length(text) : pv_length_max(text, (size_t)precision);
}

/* The smallest offset from `to` at which a text was read; it was `nearest` before. */
size_t __proviso_at_reads(char *to, size_t nearest, const char *text, size_t n, int precision) {
  size_t d = pv_offset(to, text, n + (precision < 0 || n < (size_t)precision));
  return d < nearest ? d : nearest;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

size_t __proviso_at_sign(char *to, size_t capacity, size_t total, int64_t value) {
  return value < 0 ? put(to, capacity, total, '-') : total;
}

static size_t put_digit(char *to, size_t capacity, size_t total, unsigned value) {
  return put(to, capacity, total, (char)('0' + value % 10));
}

size_t __proviso_at_short_unsigned(char *to, size_t capacity, size_t total, uint64_t number) {
  unsigned value = (unsigned)number;
#define PUT(POWER)                                                                                 \
  if (value >= POWER##u) total = put_digit(to, capacity, total, value / POWER##u);
  PV_SHORT_POWERS(PUT)
#undef PUT
  return put_digit(to, capacity, total, value);
}

size_t __proviso_at_unsigned(char *to, size_t capacity, size_t total, uint64_t value) {
#define PUT(POWER)                                                                                 \
  if (value >= POWER##u) total = put_digit(to, capacity, total, (unsigned)(value / POWER##u % 10));
  PV_LONG_POWERS(PUT)
  PV_SHORT_POWERS(PUT)
#undef PUT
  return put_digit(to, capacity, total, (unsigned)(value % 10));
}

size_t __proviso_at_magnitude(char *to, size_t capacity, size_t total, int64_t value) {
  return __proviso_at_unsigned(to, capacity, total, magnitude(value));
}

size_t __proviso_at_short_magnitude(char *to, size_t capacity, size_t total, int64_t value) {
  return __proviso_at_short_unsigned(to, capacity, total, magnitude(value));
}

size_t __proviso_at_decimal(char *to, size_t capacity, size_t total, int64_t value) {
  total = __proviso_at_sign(to, capacity, total, value);
  return __proviso_at_magnitude(to, capacity, total, value);
}

size_t __proviso_at_short_decimal(char *to, size_t capacity, size_t total, int64_t value) {
  total = __proviso_at_sign(to, capacity, total, value);
  return __proviso_at_short_magnitude(to, capacity, total, value);
}

static size_t put_hexadecimal_digit(char *to, size_t capacity, size_t total, uint64_t value) {
  unsigned digit = (unsigned)(value & 15);
  return put(to, capacity, total, (char)(digit < 10 ? '0' + digit : 'a' + digit - 10));
}

#define PUT(K)                                                                                     \
  if (value >> 4 * K) total = put_hexadecimal_digit(to, capacity, total, value >> 4 * K);
size_t __proviso_at_short_hexadecimal(char *to, size_t capacity, size_t total, uint64_t value) {
  PV_SHORT_PLACES(PUT)
  return put_hexadecimal_digit(to, capacity, total, value);
}

size_t __proviso_at_hexadecimal(char *to, size_t capacity, size_t total, uint64_t value) {
  PV_LONG_PLACES(PUT)
  PV_SHORT_PLACES(PUT)
  return put_hexadecimal_digit(to, capacity, total, value);
}
#undef PUT
