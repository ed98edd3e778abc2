// Functions that are used where C does not allow it.
// expect: false(def-behavior)
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(def-behavior)
// run: -- -DCASE=5 => false(def-behavior)
// run: -- -DCASE=11 => true
// run: -- -DCASE=12 => true
// run: -- -DCASE=13 => true
// run: -- -DCASE=14 => true
// run: -- -DCASE=15 => true
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef CASE
#define CASE 1
#endif
static void again(void) {
  exit(1);
}
static void fine(void) {}
int main(void) {
  char text[] = "a b", b[8] = "";
  struct tm tm = {.tm_mday = 1, .tm_mon = CASE == 4 ? 12 : 11, .tm_year = 99};
  switch (CASE) {
  case 1: return strtok(NULL, " ") != NULL;
  case 2: fflush(stdin); break;
  case 3: atexit(again); break;
  case 4: return *asctime(&tm);
  case 5: strftime(b, sizeof b, "%Y-%m-%d", &tm); return b[0] == '1'; /* too small: 0 */
  case 11: strtok(text, " "); return !strtok(NULL, " ");
  case 12: fflush(stdout); break;
  case 13: atexit(fine); break;
  case 14: assert(strcmp(asctime(&tm), "Sun Dec  1 00:00:00 1999\n") == 0); break;
  case 15: if (strftime(b, sizeof b, "%Y-%m", &tm)) assert(strcmp(b, "1999-12") == 0); break;
  }
  return 0;
}
