// A va_list from which a function took arguments is indeterminate afterwards (C11, 7.16, 3).
// run: => true
// run: -- -DPRINT => true
// run: -- -DPRINT -DBUG => false(def-behavior)
// run: --engine bmc -- -DPRINT -DBUG => false(def-behavior)
// run: -- -DSCAN => true
// run: -- -DSCAN -DBUG => false(def-behavior)
// run: --32 -- -DPRINT => true
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static char text[20];
static void put(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
#ifndef BUG
  va_list again;
  va_copy(again, ap);
#endif
  int n = vsnprintf(NULL, 0, format, ap);
#ifdef BUG
  vsnprintf(text, sizeof text, format, ap);
#else
  vsnprintf(text, sizeof text, format, again);
  va_end(again);
#endif
  va_end(ap);
  assert(n == (int)strlen(text));
}
static int get(const char *from, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsscanf(from, format, ap);
#ifdef BUG
  n += vsscanf(from, format, ap);
#endif
  va_end(ap);
  return n;
}
static void twice(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, "none taken", ap);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
}
int main(void) {
#ifdef PRINT
  put("%d,%s;", 5, "x");
  assert(!strcmp(text, "5,x;"));
#elif defined SCAN
  int a = 0, b = 0;
  assert(get("3 4", "%d%d", &a, &b) == 2 && a == 3 && b == 4);
#else
  twice("%d", 7);
  assert(!strcmp(text, "7"));
#endif
  return 0;
}
