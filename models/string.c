/* string.c -- string.h and strings.h, with glibc's extensions.
 *
 * A copy is one operation, so that a forbidden overlap is detected. Searches read byte by byte and
 * never beyond the deciding byte. */
#include "model.h"

typedef unsigned char byte;

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy_disjoint(to, from, n);
  return to;
}
void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy_disjoint(to, from, n);
  return (char *)to + n;
}
void *memmove(void *to, const void *from, size_t n) {
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy(to, from, n);
  return to;
}
void bcopy(const void *from, void *to, size_t n) {
  __proviso_copy(to, from, n);
}
void *memset(void *to, int c, size_t n) {
  pv_check_given(to, n);
  __proviso_fill(to, c, n);
  return to;
}
void explicit_bzero(void *to, size_t n) {
  __proviso_fill(to, 0, n);
}
void bzero(void *to, size_t n) {
  __proviso_fill(to, 0, n);
}

static int compare_bytes(const byte *a, const byte *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
int memcmp(const void *a, const void *b, size_t n) {
  pv_check_given(a, n), pv_check_given(b, n);
  return compare_bytes(a, b, n);
}
int bcmp(const void *a, const void *b, size_t n) {
  return compare_bytes(a, b, n);
}

static void *find_byte(const void *s, int c, size_t n) {
  pv_check_given(s, n);
  const byte *p = s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (byte)c) return (void *)(p + i);
  return NULL;
}
void *memchr(const void *s, int c, size_t n) {
  return find_byte(s, c, n);
}
void *rawmemchr(const void *s, int c) {
  const byte *p = s;
  while (*p != (byte)c) p++;
  return (void *)p;
}
void *memrchr(const void *s, int c, size_t n) {
  const byte *p = s;
  while (n-- > 0)
    if (p[n] == (byte)c) return (void *)(p + n);
  return NULL;
}
void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
  const byte *found = find_byte(from, c, n);
  size_t length = found ? (size_t)(found - (const byte *)from) + 1 : n;
  pv_check_given(to, n);
  pv_copy_text(to, from, length);
  return found ? (char *)to + length : NULL;
}
void *memmem(const void *hay, size_t hay_length, const void *needle, size_t length) {
  const byte *h = hay;
  for (size_t i = 0; length <= hay_length && i <= hay_length - length; i++)
    if (compare_bytes(h + i, needle, length) == 0) return (void *)(h + i);
  return NULL;
}
void *memfrob(void *s, size_t n) {
  for (size_t i = 0; i < n; i++) ((byte *)s)[i] ^= 42;
  return s;
}

size_t strlen(const char *s) {
  return pv_length(s);
}
size_t strnlen(const char *s, size_t max) {
  return pv_length_max(s, max);
}

/* Returns the address of the new terminator. */
static char *copy_string(char *to, const char *from) {
  size_t n = pv_length(from);
  pv_copy_text(to, from, n + 1);
  return to + n;
}
char *strcpy(char *restrict to, const char *restrict from) {
  copy_string(to, from);
  return to;
}
char *stpcpy(char *restrict to, const char *restrict from) {
  return copy_string(to, from);
}
char *__stpcpy(char *restrict to, const char *restrict from) {
  return copy_string(to, from);
}
static char *copy_padded(char *to, const char *from, size_t n) {
  size_t length = pv_length_max(from, n);
  pv_check_given(to, n), pv_check_given(from, n);
  /* the terminator is read, and zeros are written after the text */
  __proviso_check(!pv_overlap(to, n, from, length + (length < n)), PV_OVERLAP);
  __proviso_copy(to, from, length);
  if (length < n) __proviso_fill(to + length, 0, n - length);
  return to + length;
}
char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  copy_padded(to, from, n);
  return to;
}
char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
  return copy_padded(to, from, n);
}
char *strcat(char *restrict to, const char *restrict from) {
  copy_string(to + pv_length(to), from);
  return to;
}
char *strncat(char *restrict to, const char *restrict from, size_t n) {
  char *end = to + pv_length(to);
  size_t length = pv_length_max(from, n);
  pv_check_given(from, n);
  __proviso_check(!pv_overlap(end, length + 1, from, length + (length < n)), PV_OVERLAP);
  __proviso_copy(end, from, length);
  end[length] = 0;
  return to;
}
static size_t copy_cut(char *to, const char *from, size_t size) {
  size_t length = pv_length(from);
  if (size > 0) {
    size_t n = length < size ? length : size - 1;
    __proviso_check(!pv_overlap(to, n + 1, from, length + 1), PV_OVERLAP);
    __proviso_copy(to, from, n);
    to[n] = 0;
  }
  return length;
}
size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  return copy_cut(to, from, size);
}
size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t used = pv_length_max(to, size);
  return used == size ? used + pv_length(from) : used + copy_cut(to + used, from, size - used);
}

static int compare(const char *a, const char *b, size_t n, bool fold) {
  pv_check_given(a, n), pv_check_given(b, n);
  for (size_t i = 0; i < n; i++) {
    int x = (byte)a[i], y = (byte)b[i];
    int fx = fold ? pv_to_lower(x) : x, fy = fold ? pv_to_lower(y) : y;
    if (fx != fy) return fx < fy ? -1 : 1;
    if (x == 0) return 0;
  }
  return 0;
}
int strcmp(const char *a, const char *b) {
  return compare(a, b, SIZE_MAX, false);
}
int strncmp(const char *a, const char *b, size_t n) {
  return compare(a, b, n, false);
}
int strcasecmp(const char *a, const char *b) {
  return compare(a, b, SIZE_MAX, true);
}
int strncasecmp(const char *a, const char *b, size_t n) {
  return compare(a, b, n, true);
}
int strcoll(const char *a, const char *b) {
  return compare(a, b, SIZE_MAX, false);
}
size_t strxfrm(char *restrict to, const char *restrict from, size_t n) {
  size_t length = pv_length(from);
  size_t copied = length < n ? length + 1 : n;
  __proviso_check(!pv_overlap(to, copied, from, length + 1), PV_OVERLAP);
  __proviso_copy(to, from, copied);
  return length;
}

static char *find_end(const char *s, int c) { /* the byte, or the terminator */
  while (*s != (char)c && *s) s++;
  return (char *)s;
}
char *strchrnul(const char *s, int c) {
  return find_end(s, c);
}
char *strchr(const char *s, int c) {
  char *p = find_end(s, c);
  return *p == (char)c ? p : NULL;
}
char *index(const char *s, int c) {
  char *p = find_end(s, c);
  return *p == (char)c ? p : NULL;
}
static char *find_last(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (*s == 0) return (char *)last;
  }
}
char *strrchr(const char *s, int c) {
  return find_last(s, c);
}
char *rindex(const char *s, int c) {
  return find_last(s, c);
}

/* Length of the prefix of s that consists only of bytes in (want) or not in (!want) `set`. */
static size_t span(const char *s, const char *set, bool want) {
  size_t n = 0;
  for (; s[n]; n++) {
    const char *p = set;
    while (*p && *p != s[n]) p++;
    if ((*p != 0) != want) break;
  }
  return n;
}
size_t strspn(const char *s, const char *set) {
  return span(s, set, true);
}
size_t strcspn(const char *s, const char *set) {
  return span(s, set, false);
}
char *strpbrk(const char *s, const char *set) {
  s += span(s, set, false);
  return *s ? (char *)s : NULL;
}
static char *find_string(const char *s, const char *needle, bool fold) {
  for (;; s++) {
    size_t n = 0;
    while (needle[n] && s[n] &&
           (s[n] == needle[n] || (fold && pv_to_lower((byte)s[n]) == pv_to_lower((byte)needle[n]))))
      n++;
    if (!needle[n]) return (char *)s;
    if (!s[n]) return NULL;
  }
}
char *strstr(const char *s, const char *needle) {
  return find_string(s, needle, false);
}
char *strcasestr(const char *s, const char *needle) {
  return find_string(s, needle, true);
}

static char *token(char *s, const char *delimiters, char **rest) {
  if (!s) s = *rest;
  __proviso_check(s != NULL, "strtok is to go on with a string, and none was begun");
  if (!s) return NULL; /* glibc's behaviour for a fresh null */
  s += span(s, delimiters, true);
  if (!*s) {
    *rest = s;
    return NULL;
  }
  char *end = s + span(s, delimiters, false);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}
/* Not thread-safe: concurrent calls are reported as a race. */
char *strtok(char *restrict s, const char *restrict delimiters) {
  static char *rest;
  return token(s, delimiters, &rest);
}
char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
  return token(s, delimiters, rest);
}
char *__strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
  return token(s, delimiters, rest);
}
char *strsep(char **restrict text, const char *restrict delimiters) {
  char *s = *text;
  if (!s) return NULL;
  char *end = s + span(s, delimiters, false);
  *text = *end ? end + 1 : NULL;
  if (*end) *end = 0;
  return s;
}

static char *duplicate(const char *s, size_t n) {
  char *copy = __proviso_malloc(n + 1);
  if (!copy) return NULL;
  __proviso_copy_disjoint(copy, s, n);
  copy[n] = 0;
  return copy;
}
char *strdup(const char *s) {
  return duplicate(s, pv_length(s));
}
char *__strdup(const char *s) {
  return duplicate(s, pv_length(s));
}
char *strndup(const char *s, size_t n) {
  return duplicate(s, pv_length_max(s, n));
}

/* Compares names in version order: runs of digits as numbers, with leading zeros as fractions. */
int strverscmp(const char *a, const char *b) {
  size_t i = 0, start = 0;
  bool zeros = true; /* the common run of digits consists of zeros */
  for (; a[i] == b[i]; i++) {
    if (!a[i]) return 0;
    if (!pv_is_digit(a[i])) {
      start = i + 1;
      zeros = true;
    } else if (a[i] != '0') {
      zeros = false;
    }
  }
  int order = (byte)a[i] < (byte)b[i] ? -1 : 1;
  if (start < i && a[start] == '0') {
    /* a fraction: after zeros only, the side that continues with digits is smaller */
    if (!zeros || (pv_is_digit(a[i]) && pv_is_digit(b[i]))) return order;
    return pv_is_digit(a[i]) ? -1 : pv_is_digit(b[i]) ? 1 : order;
  }
  if (start == i && (a[i] == '0' || b[i] == '0')) return order;
  size_t na = i, nb = i;
  while (pv_is_digit(a[na])) na++;
  while (pv_is_digit(b[nb])) nb++;
  if (na == nb || (start == i && (na == i || nb == i))) return order;
  return na < nb ? -1 : 1;
}
char *basename(const char *path) {
  const char *slash = find_last(path, '/');
  return (char *)(slash ? slash + 1 : path);
}
/* libgen.h: cuts the path in place. */
char *dirname(char *path) {
  if (!path) return ".";
  size_t n = pv_length(path);
  while (n > 1 && path[n - 1] == '/') n--; /* slashes at the end */
  while (n > 0 && path[n - 1] != '/') n--; /* the last component */
  if (n == 0) return ".";
  while (n > 1 && path[n - 1] == '/') n--; /* the slashes before it */
  path[n] = 0;
  return path;
}

static int bit_of(unsigned long long x) {
  if (x == 0) return 0;
  int n = 1;
  while (!(x & 1)) {
    x >>= 1;
    n++;
  }
  return n;
}
int ffs(int x) {
  return bit_of((unsigned)x);
}
int ffsl(long x) {
  return bit_of((unsigned long)x);
}
int ffsll(long long x) {
  return bit_of((unsigned long long)x);
}
