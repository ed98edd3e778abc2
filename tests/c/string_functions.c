/* string.h and ctype.h: each function on short, long, empty and overlapping operands. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) {
  return (x > 0) - (x < 0);
}
static int at(const char *s, const char *p) {
  return p ? (int)(p - s) : -1;
}

static void searching(void) {
  const char s[] = "the quick brown fox jumps over the lazy dog";
  printf("%d %d %d %d\n", at(s, strchr(s, 'q')), at(s, strrchr(s, 'o')), at(s, strchr(s, 0)),
         at(s, strchr(s, 'Z')));
  printf("%d %d %d\n", at(s, strstr(s, "fox")), at(s, strstr(s, "")),
         at(s, strstr(s, "the lazy cat")));
  printf("%d %d %d\n", (int)strspn(s, "eht "), (int)strcspn(s, "xyz"), at(s, strpbrk(s, "vwx")));
  printf("%d %d\n", at(s, memchr(s, 'j', sizeof s)), memchr(s, 'j', 5) == NULL);
  printf("%d %d %d\n", (int)strlen(s), (int)strnlen(s, 7), (int)strnlen("ab", 7));
  char text[] = ";;one,two;;three,";
  char *save, *t = strtok_r(text, ";,", &save);
  for (; t; t = strtok_r(NULL, ";,", &save)) printf("<%s>", t);
  char other[] = "a b  c";
  for (t = strtok(other, " "); t; t = strtok(NULL, " ")) printf("[%s]", t);
  char fields[] = "x::y:", *f = fields;
  while ((t = strsep(&f, ":"))) printf("(%s)", t);
  printf("\n");
}
static void comparing(void) {
  const char *v[] = {"", "a", "ab", "abc", "abd", "B", "\xff", "a\x80"};
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++)
      printf("%d%d%d%d ", sign(strcmp(v[i], v[j])), sign(strncmp(v[i], v[j], 2)),
             sign(strcasecmp(v[i], v[j])), sign(strncasecmp(v[i], v[j], 1)));
    printf("\n");
  }
  printf("%d %d %d\n", sign(memcmp("a\0b", "a\0c", 3)), sign(memcmp("a\0b", "a\0c", 2)),
         sign(strcoll("x", "y")));
}
static void copying(void) {
  char b[32], c[8];
  memset(b, '.', sizeof b);
  printf("%s ", strcpy(b, "abc"));
  printf("%s ", strcat(b, "def"));
  printf("%s ", strncat(b, "ghijkl", 3));
  strncpy(c, "ab", sizeof c);
  printf("%d%d ", c[2], c[7]);
  strncpy(c, "abcdefghij", sizeof c);
  printf("%.8s ", c);
  printf("%d ", at(b, stpcpy(b, "stp")));
  printf("%d ", at(c, memccpy(c, "12x45", 'x', 8)));
  char *d = strdup(b), *n = strndup("strndup", 3);
  printf("%s %s ", d, n);
  free(d);
  free(n);
  memmove(b + 1, b, 4);
  printf("%s ", b);
  memcpy(c, "1234567", 8);
  memmove(c, c + 2, 6);
  printf("%s\n", c);
  mempcpy(c, "zz", 2);
  printf("%s %s\n", c, strerror(2));
}

int main(void) {
  searching();
  comparing();
  copying();
  unsigned sum = 0;
  for (int c = -1; c < 256; c++)
    sum = sum * 31 +
          (unsigned)(!!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) + 8 * !!ispunct(c) +
                     16 * !!isupper(c) + 32 * !!isxdigit(c) + 64 * !!iscntrl(c) +
                     128 * !!isgraph(c) + 256 * !!isblank(c) + 512 * !!isprint(c)) +
          (unsigned)(tolower(c) * 3 + toupper(c));
  printf("%u\n", sum);
  return 0;
}
