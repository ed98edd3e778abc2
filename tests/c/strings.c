/* string.h, ctype.h and the conversions of stdlib.h, on texts with known answers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sign(int x) {
  return (x > 0) - (x < 0);
}

int main(void) {
  char buffer[64] = "the quick brown fox", copy[64];
  printf("%zu %zu\n", strlen(buffer), strnlen(buffer, 5));
  strcpy(copy, buffer);
  strcat(copy, " jumps");
  strncat(copy, " over the dog", 5);
  printf("%s|\n", copy);
  printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strncmp("abcx", "abcy", 3)),
         sign(memcmp("b", "a", 1)));
  printf("%s %s %s\n", strchr(copy, 'q'), strrchr(copy, 'o'), strstr(copy, "fox"));
  printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("hello", "lo"), strpbrk("some text", "xt"));
  int words = 0;
  for (char *w = strtok(buffer, " "); w; w = strtok(NULL, " ")) printf("%d:%s ", ++words, w);
  printf("\n");
  memmove(copy + 2, copy, 9);
  copy[11] = '\0';
  printf("%s\n", copy);
  memset(copy, 'z', 4);
  printf("%s %td\n", copy, (char *)memchr(copy, 'q', 12) - copy);
  char upper[] = "MiXeD 42!";
  for (char *s = upper; *s; s++)
    *s = (char)(isupper((unsigned char)*s) ? tolower(*s) : toupper(*s));
  printf("%s %d %d %d\n", upper, !!isdigit('4'), !!isalpha('4'), !!ispunct('!'));
  char *end;
  long hex = strtol("0x1fz", &end, 0);
  printf("%d %ld %lu %s\n", atoi("  -123x"), hex, strtoul("777", NULL, 8), end);
  double d = strtod("3.25e2abc", &end);
  printf("%g %g %s\n", d, atof("-.5"), end);
  char text[20];
  int n = snprintf(text, sizeof text, "%05d|%-6s|%x|%o", 42, "ab", 255, 8);
  printf("%d %s\n", n, text);
  int a, b;
  char name[10];
  printf("%d", sscanf("12 -34 name", "%d %d %9s", &a, &b, name));
  printf(" %d %d %s\n", a, b, name);
  return (int)strlen(copy) + words;
}
