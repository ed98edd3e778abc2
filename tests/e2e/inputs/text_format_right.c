// A text that fits a format, with one number at its bound. Twin: text_format.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>

static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(int argc, char **argv) {
  int year, month, day;
  if (argc < 2 || sscanf(argv[1], "%d-%d-%d", &year, &month, &day) != 3) return 1;
  if (month < 1 || month > 12 || day < 1) return 1;
  puts(day <= days[month - 1] ? "right" : "wrong");
  return 0;
}
