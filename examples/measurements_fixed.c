// A program that reads measurements, leaves out those that cannot be, and reports the largest one.
// (In measurements.c nothing is left out.)
//
// args: --property unreach-call --args kelvin
// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

enum { COUNT = 4, LOWEST = -90, HIGHEST = 60 }; // degrees Celsius

int main(int argc, char **argv) {
  int offset = argc > 1 && strcmp(argv[1], "kelvin") == 0 ? 273 : 0;
  int number = 0, largest = LOWEST + offset;
  long sum = 0;
  for (int i = 0; i < COUNT; i++) {
    int value = __VERIFIER_nondet_int();
    if (value < LOWEST || value > HIGHEST) continue; // no thermometer says that
    number++;
    sum += value;
    if (value > largest - offset) largest = value + offset;
  }
  if (number > 0) printf("%d measurements, mean %ld\n", number, sum / number);
  assert(largest <= HIGHEST + offset);
  printf("largest %d\n", largest);
  return 0;
}
