/* Unions: reading through another member, nested anonymous members, by value, tagged variants. */
#include <stdint.h>
#include <stdio.h>

union bits {
  float f;
  double d;
  uint32_t u;
  uint64_t w;
  unsigned char b[8];
};

enum kind { INTEGER, REAL, TEXT };
struct value {
  enum kind kind;
  union {
    long integer;
    double real;
    struct {
      const char *text;
      int length;
    };
  };
};

static struct value make_text(const char *t, int n) {
  struct value v = {.kind = TEXT, .text = t, .length = n};
  return v;
}

static void show(struct value v) {
  switch (v.kind) {
  case INTEGER: printf("integer %ld\n", v.integer); break;
  case REAL: printf("real %g\n", v.real); break;
  case TEXT: printf("text %.*s\n", v.length, v.text); break;
  }
}

static union bits doubled(union bits x) {
  x.d = x.d * 2;
  return x;
}

int main(void) {
  union bits x = {.w = 0};
  x.f = 1.5f;
  printf("%08x\n", (unsigned)x.u);
  x.d = -2.25;
  printf("%016llx %02x\n", (unsigned long long)x.w, x.b[7]);
  x = doubled(x);
  printf("%g\n", x.d);
  struct value v[3] = {{INTEGER, {.integer = -42}}, {REAL, {.real = 0.125}}};
  v[2] = make_text("hello, world", 5);
  for (int i = 0; i < 3; i++) show(v[i]);
  return (int)sizeof(struct value);
}
