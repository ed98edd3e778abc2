/* wchar.c -- strings of wide characters (wchar.h, part of wctype.h) in the C locale: wide
 * characters are 32-bit numbers, and those below 128 are the ASCII characters. Input and output of
 * wide characters are not modelled. */
#include "model.h"

typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
enum { WIDTH = sizeof(wchar_t) };
#define WEOF ((wint_t)-1)

/* The size in bytes of n wide characters. */
static size_t size_of(size_t n) {
  __proviso_check(n <= (size_t)-1 / WIDTH, "a block of wide characters is larger than memory");
  return n * WIDTH;
}
static size_t length_of(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
static size_t length_max(const wchar_t *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}
size_t wcslen(const wchar_t *s) {
  return length_of(s);
}
size_t wcsnlen(const wchar_t *s, size_t max) {
  return length_max(s, max);
}

/* ---- copies -----------------------------------------------------------------------------------
 */
wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy_disjoint(to, from, size_of(n));
  return to;
}
wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy_disjoint(to, from, size_of(n));
  return to + n;
}
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy(to, from, size_of(n));
  return to;
}
wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  pv_check_given(to, n);
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}

/* Returns the address of the new terminator. */
static wchar_t *copy_string(wchar_t *to, const wchar_t *from) {
  size_t n = length_of(from);
  pv_copy_text((char *)to, (const char *)from, size_of(n + 1));
  return to + n;
}
wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  copy_string(to, from);
  return to;
}
wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
  return copy_string(to, from);
}
static wchar_t *copy_padded(wchar_t *to, const wchar_t *from, size_t n) {
  size_t length = length_max(from, n);
  pv_check_given(to, n), pv_check_given(from, n);
  /* the terminator is read, and zeros are written after the text */
  __proviso_check(!pv_overlap(to, size_of(n), from, size_of(length + (length < n))), PV_OVERLAP);
  __proviso_copy(to, from, size_of(length));
  for (size_t i = length; i < n; i++) to[i] = 0;
  return to + length;
}
wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  copy_padded(to, from, n);
  return to;
}
wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  return copy_padded(to, from, n);
}
wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  copy_string(to + length_of(to), from);
  return to;
}
wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  wchar_t *end = to + length_of(to);
  size_t length = length_max(from, n);
  pv_check_given(from, n);
  __proviso_check(!pv_overlap(end, size_of(length + 1), from, size_of(length + (length < n))),
                  PV_OVERLAP);
  __proviso_copy(end, from, size_of(length));
  end[length] = 0;
  return to;
}
wchar_t *wcsdup(const wchar_t *s) {
  size_t n = size_of(length_of(s) + 1);
  wchar_t *copy = __proviso_malloc(n);
  if (copy) __proviso_copy(copy, s, n);
  return copy;
}

/* ---- comparisons ------------------------------------------------------------------------------
 */
static int compare(wchar_t a, wchar_t b) {
  return (a > b) - (a < b);
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  pv_check_given(a, n), pv_check_given(b, n);
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return compare(a[i], b[i]);
  return 0;
}
static int compare_strings(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return compare(a[i], b[i]);
    if (!a[i]) return 0;
  }
  return 0;
}
int wcscmp(const wchar_t *a, const wchar_t *b) {
  return compare_strings(a, b, (size_t)-1);
}
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  return compare_strings(a, b, n);
}
int wcscoll(const wchar_t *a, const wchar_t *b) {
  return compare_strings(a, b, (size_t)-1);
}

/* ---- searches ---------------------------------------------------------------------------------
 */
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  pv_check_given(s, n);
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t *)(s + i);
  return NULL;
}
wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}
wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
  while (*s && *s != c) s++;
  return (wchar_t *)s;
}
wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = NULL;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (wchar_t *)last;
  }
}
static bool is_one_of(wchar_t c, const wchar_t *set) {
  for (; *set; set++)
    if (*set == c) return true;
  return false;
}
size_t wcsspn(const wchar_t *s, const wchar_t *accept) {
  size_t n = 0;
  while (s[n] && is_one_of(s[n], accept)) n++;
  return n;
}
static size_t span_without(const wchar_t *s, const wchar_t *reject) {
  size_t n = 0;
  while (s[n] && !is_one_of(s[n], reject)) n++;
  return n;
}
size_t wcscspn(const wchar_t *s, const wchar_t *reject) {
  return span_without(s, reject);
}
wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept) {
  s += span_without(s, accept);
  return *s ? (wchar_t *)s : NULL;
}
static bool begins_with(const wchar_t *s, const wchar_t *prefix) {
  for (; *prefix; s++, prefix++)
    if (*s != *prefix) return false;
  return true;
}
wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle) {
  for (;; hay++) {
    if (begins_with(hay, needle)) return (wchar_t *)hay;
    if (!*hay) return NULL;
  }
}
wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict separators, wchar_t **restrict rest) {
  if (!s) s = *rest;
  while (*s && is_one_of(*s, separators)) s++;
  if (!*s) {
    *rest = s;
    return NULL;
  }
  wchar_t *end = s + span_without(s, separators);
  *rest = end;
  if (*end) {
    *end = 0;
    *rest = end + 1;
  }
  return s;
}

/* ---- conversions ------------------------------------------------------------------------------
 */
wint_t btowc(int c) {
  return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}
int wctob(wint_t c) {
  return c < 128 ? (int)c : EOF;
}

/* Strings of bytes. A byte above 127 is no character. */
int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n) {
  if (!s) return 0; /* the encoding has no state */
  if (n == 0) return -1;
  if ((unsigned char)*s >= 128) {
    errno = EILSEQ;
    return -1;
  }
  if (to) *to = (unsigned char)*s;
  return *s != 0;
}
int wctomb(char *s, wchar_t c) {
  if (!s) return 0;
  if (c < 0 || c >= 128) {
    errno = EILSEQ;
    return -1;
  }
  *s = (char)c;
  return 1;
}
size_t mbstowcs(wchar_t *restrict to, const char *restrict s, size_t n) {
  for (size_t i = 0; !to || i < n; i++) {
    if ((unsigned char)s[i] >= 128) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (to) to[i] = (unsigned char)s[i];
    if (!s[i]) return i;
  }
  return n;
}
size_t wcstombs(char *restrict to, const wchar_t *restrict s, size_t n) {
  for (size_t i = 0; !to || i < n; i++) {
    if (s[i] < 0 || s[i] >= 128) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (to) to[i] = (char)s[i];
    if (!s[i]) return i;
  }
  return n;
}

wint_t towlower(wint_t c) {
  return c < 128 ? (wint_t)pv_to_lower((int)c) : c;
}
wint_t towupper(wint_t c) {
  return c < 128 ? (wint_t)pv_to_upper((int)c) : c;
}
int iswdigit(wint_t c) {
  return c < 128 && pv_is_digit((int)c);
}
int iswupper(wint_t c) {
  return c < 128 && pv_is_upper((int)c);
}
int iswlower(wint_t c) {
  return c < 128 && pv_is_lower((int)c);
}
int iswalpha(wint_t c) {
  return c < 128 && (pv_is_upper((int)c) || pv_is_lower((int)c));
}
int iswalnum(wint_t c) {
  return c < 128 && (pv_is_upper((int)c) || pv_is_lower((int)c) || pv_is_digit((int)c));
}
int iswspace(wint_t c) {
  return c < 128 && pv_is_space((int)c);
}
