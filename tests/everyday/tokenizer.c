// Cuts an expression into numbers, names and operators.
// bug: none
// expect: true
// args: "b*(c - 3)"
// stdin:
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct token {
  char text[8];
  enum { END, NUMBER, NAME, OPERATOR } kind;
};

static const char *next_token(const char *s, struct token *t) {
  size_t n = 0;
  while (isspace((unsigned char)*s))
    s++;
  if (*s == '\0') {
    t->kind = END;
    t->text[0] = '\0';
    return s;
  }
  if (isdigit((unsigned char)*s)) {
    t->kind = NUMBER;
    while (isdigit((unsigned char)s[n]))
      n++;
  } else if (isalpha((unsigned char)*s)) {
    t->kind = NAME;
    while (isalnum((unsigned char)s[n]))
      n++;
  } else {
    t->kind = OPERATOR;
    n = 1;
  }
  size_t kept = n < sizeof t->text ? n : sizeof t->text - 1;
  memcpy(t->text, s, kept);
  t->text[kept] = '\0';
  return s + n;
}

int main(int argc, char **argv) {
  struct token t;
  int count[4] = {0};
  const char *s = argc > 1 ? argv[1] : "a + 12";
  do {
    s = next_token(s, &t);
    count[t.kind]++;
    printf("%s\n", t.text);
  } while (t.kind != END);
  return count[NUMBER] > count[NAME];
}
