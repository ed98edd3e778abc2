// Tells the day of the year of a date.
// bug: none
// expect: true
// args:
// stdin: 24 12 2024
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int is_leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int month, int year) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month - 1] + (month == 2 && is_leap(year));
}

static int day_of_year(int day, int month, int year) {
  int n = day;
  for (int m = 1; m < month; m++)
    n += days_in(m, year);
  return n;
}

int main(void) {
  int day, month, year;
  if (scanf("%d %d %d", &day, &month, &year) != 3)
    return 1;
  if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1 ||
      day > days_in(month, year)) {
    fprintf(stderr, "no such date\n");
    return 1;
  }
  int n = day_of_year(day, month, year);
  assert(n >= 1 && n <= 366);
  printf("%d\n", n);
  return 0;
}
