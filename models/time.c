/* time.c -- time.h and sys/time.h. The time of day is an input: any second from 1970 to 2038,
 * independent of earlier calls. The monotonic clock never goes back. Local time is UTC. */
#include "model.h"

struct timeval {
  long tv_sec, tv_usec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
enum { SECOND = 1000000000, LATEST = 0x7fffffff, MAX_CLOCK = 11 };

/* Each use is a separate input. */
#define SECONDS()       ((long)__proviso_pick(0, LATEST, "the time"))
#define FRACTION(UNITS) ((long)__proviso_pick(0, (UNITS)-1, "the fraction of a second"))

long time(long *result) {
  long now = SECONDS();
  if (result) *result = now;
  return now;
}
int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  if (zone) __proviso_unsupported("gettimeofday with a time zone");
  *result = (struct timeval){SECONDS(), FRACTION(SECOND / 1000)};
  return 0;
}

/* Shared by all clocks except the time of day. If the seconds are not used, they can always have
 * advanced. */
static struct timespec latest;
static struct timespec monotonic(void) {
  int second = (int)SECONDS(), part = (int)FRACTION(SECOND);
  struct timespec now = {second, part};
  if (!__proviso_order_matters(second, part)) return now;
  __proviso_atomic_begin();
  __proviso_assume(now.tv_sec > latest.tv_sec ||
                   (now.tv_sec == latest.tv_sec && now.tv_nsec >= latest.tv_nsec));
  latest = now;
  __proviso_atomic_end();
  return now;
}
int __proviso_clock_gettime(int clock, struct timespec *result) {
  if (clock < 0 || clock > MAX_CLOCK) {
    errno = EINVAL;
    return -1;
  }
  *result = clock == 0 ? (struct timespec){SECONDS(), FRACTION(SECOND)} : monotonic();
  return 0;
}
int clock_gettime(int clock, struct timespec *result) {
  return __proviso_clock_gettime(clock, result);
}
int clock_getres(int clock, struct timespec *result) {
  if (clock < 0 || clock > MAX_CLOCK) {
    errno = EINVAL;
    return -1;
  }
  if (result) *result = (struct timespec){0, 1};
  return 0;
}
int timespec_get(struct timespec *result, int base) {
  if (base != 1) return 0;
  *result = (struct timespec){SECONDS(), FRACTION(SECOND)};
  return base;
}
long clock(void) {
  return __proviso_pick(0, LATEST, "clock");
}
double difftime(long a, long b) {
  return (double)a - (double)b;
}

/* Sleeping yields to other threads; only cancellation interrupts it. */
int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  (void)remaining;
  if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec >= SECOND) {
    errno = EINVAL;
    return -1;
  }
  pv_cancel_point();
  __proviso_thread_yield();
  return 0;
}
int clock_nanosleep(int clock, int flags, const struct timespec *when, struct timespec *rest) {
  (void)flags, (void)rest;
  if (clock < 0 || clock > MAX_CLOCK || when->tv_nsec < 0 || when->tv_nsec >= SECOND) return EINVAL;
  pv_cancel_point();
  __proviso_thread_yield();
  return 0;
}

/* ---- calendar ---- */

/* Days since 1970-01-01 of a day in the proleptic Gregorian calendar; month 0..11. */
static long long days_of(long long year, int month, int day) {
  year -= month < 2; /* years begin in March, so that the leap day is the last day */
  long long era = (year >= 0 ? year : year - 399) / 400, in_era = year - era * 400;
  int from_march = (month + 10) % 12;
  long long day_of_year = (153 * from_march + 2) / 5 + day - 1;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + day_of_year - 719468;
}
static bool split(long long t, struct tm *tm) {
  long long days = t / 86400, rest = t % 86400;
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  long long d = days + 719468, era = (d >= 0 ? d : d - 146096) / 146097, doe = d - era * 146097;
  long long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  long long doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
  int month = (int)(mp < 10 ? mp + 2 : mp - 10);
  long long year = yoe + era * 400 + (month < 2), weekday = (days + 4) % 7;
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
    errno = EOVERFLOW;
    return false;
  }
  *tm = (struct tm){.tm_sec = (int)(rest % 60), .tm_min = (int)(rest / 60 % 60)};
  tm->tm_hour = (int)(rest / 3600);
  tm->tm_mday = (int)(doy - (153 * mp + 2) / 5 + 1);
  tm->tm_mon = month;
  tm->tm_year = (int)(year - 1900);
  tm->tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
  tm->tm_yday = (int)(days - days_of(year, 0, 1));
  tm->tm_zone = "GMT";
  return true;
}
/* All threads share one result, as C allows: its races are races of the program. */
static struct tm shared;
struct tm *gmtime_r(const long *restrict t, struct tm *restrict tm) {
  return split(*t, tm) ? tm : NULL;
}
struct tm *gmtime(const long *t) {
  return split(*t, &shared) ? &shared : NULL;
}
static struct tm *local(const long *t, struct tm *tm) {
  if (!split(*t, tm)) return NULL;
  tm->tm_zone = "UTC";
  return tm;
}
struct tm *localtime_r(const long *restrict t, struct tm *restrict tm) {
  return local(t, tm);
}
struct tm *localtime(const long *t) {
  return local(t, &shared);
}
static long long join(const struct tm *tm) {
  long long month = tm->tm_mon, year = 1900LL + tm->tm_year + month / 12;
  month %= 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  long long days = days_of(year, (int)month, 1) + tm->tm_mday - 1;
  return days * 86400 + tm->tm_hour * 3600LL + tm->tm_min * 60LL + tm->tm_sec;
}
static long make_time(struct tm *tm, const char *zone) {
  long long t = join(tm);
  if (t > LONG_MAX || t < LONG_MIN) {
    errno = EOVERFLOW;
    return -1;
  }
  struct tm normal;
  if (!split(t, &normal)) return -1;
  normal.tm_zone = zone;
  *tm = normal;
  return (long)t;
}
long mktime(struct tm *tm) {
  return make_time(tm, "UTC");
}
long timegm(struct tm *tm) {
  return make_time(tm, "GMT");
}
void tzset(void) {}

/* ---- strftime, in the C locale ---- */
struct text {
  char *at;
  size_t n, room; /* n: the length without the bound */
};
static void put(struct text *t, char c) {
  if (t->n < t->room) t->at[t->n] = c;
  t->n++;
}
static void put_text(struct text *t, const char *s, size_t most) {
  for (size_t i = 0; s[i] && i < most; i++) put(t, s[i]);
}
static void put_number(struct text *t, long value, int width, char pad) {
  char digits[24];
  int n = 0;
  unsigned long rest = value < 0 ? 0ul - (unsigned long)value : (unsigned long)value;
  do digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  int room = width - n - (value < 0);
  for (; pad == ' ' && room > 0; room--) put(t, ' ');
  if (value < 0) put(t, '-');
  for (; room > 0; room--) put(t, '0');
  while (n) put(t, digits[--n]);
}
static void put_two(struct text *t, int value) {
  put_number(t, value, 2, '0');
}
static int hour_of_12(int hour) {
  int less = hour > 12 ? hour - 12 : hour;
  return less ? less : 12;
}
/* In C the output for values out of range is unspecified; this is glibc's. */
static void put_weekday(struct text *t, int day, size_t most) {
  static const char *const names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
  put_text(t, day < 0 || day > 6 ? "?" : names[day], most);
}
static void put_month(struct text *t, int month, size_t most) {
  static const char *const names[] = {"January",   "February", "March",    "April",
                                      "May",       "June",     "July",     "August",
                                      "September", "October",  "November", "December"};
  put_text(t, month < 0 || month > 11 ? "?" : names[month], most);
}
static void put_field(struct text *t, char what, const struct tm *tm) {
  switch (what) {
  case 'a': put_weekday(t, tm->tm_wday, 3); break;
  case 'A': put_weekday(t, tm->tm_wday, SIZE_MAX); break;
  case 'b':
  case 'h': put_month(t, tm->tm_mon, 3); break;
  case 'B': put_month(t, tm->tm_mon, SIZE_MAX); break;
  case 'd': put_two(t, tm->tm_mday); break;
  case 'e': put_number(t, tm->tm_mday, 2, ' '); break;
  case 'H': put_two(t, tm->tm_hour); break;
  case 'I': put_two(t, hour_of_12(tm->tm_hour)); break;
  case 'j': put_number(t, 1L + tm->tm_yday, 3, '0'); break;
  case 'm': put_number(t, 1L + tm->tm_mon, 2, '0'); break;
  case 'M': put_two(t, tm->tm_min); break;
  case 'n': put(t, '\n'); break;
  case 'p': put_text(t, tm->tm_hour > 11 ? "PM" : "AM", SIZE_MAX); break;
  case 'S': put_two(t, tm->tm_sec); break;
  case 't': put(t, '\t'); break;
  case 'w': put_number(t, tm->tm_wday, 1, '0'); break;
  case 'y': put_two(t, (tm->tm_year % 100 + 100) % 100); break;
  case 'Y': put_number(t, 1900L + tm->tm_year, 1, '0'); break;
  case '%': put(t, '%'); break;
  default: __proviso_unsupported("strftime with another conversion");
  }
}
/* The expansion of a conversion, or NULL. */
static const char *in_full(char what) {
  switch (what) {
  case 'c': return "%a %b %e %H:%M:%S %Y";
  case 'D':
  case 'x': return "%m/%d/%y";
  case 'F': return "%Y-%m-%d";
  case 'r': return "%I:%M:%S %p";
  case 'R': return "%H:%M";
  case 'T':
  case 'X': return "%H:%M:%S";
  default: return NULL;
  }
}
static void put_fields(struct text *t, const char *full, const struct tm *tm) {
  for (; *full; full++)
    if (*full == '%')
      put_field(t, *++full, tm);
    else
      put(t, *full);
}
size_t strftime(char *restrict s, size_t room, const char *restrict format,
                const struct tm *restrict tm) {
  struct text t = {s, 0, room};
  for (; *format; format++) {
    if (*format != '%') {
      put(&t, *format);
      continue;
    }
    const char *full = in_full(*++format);
    if (full)
      put_fields(&t, full, tm);
    else
      put_field(&t, *format, tm); /* a single % at the end is no conversion */
  }
  if (t.n >= room) { /* the content of the array is then indeterminate (C11, 7.27.3.5) */
    char unset[1];
    for (size_t i = 0; i < room; i++) __proviso_copy(s + i, unset, 1);
    return 0;
  }
  s[t.n] = '\0';
  return t.n;
}

/* ---- asctime and ctime: "Sun Sep 16 01:03:52 1973\n" ---- */

static char *write_time(char *to, const struct tm *tm) {
  bool fits = tm->tm_wday >= 0 && tm->tm_wday < 7 && tm->tm_mon >= 0 && tm->tm_mon < 12 &&
              tm->tm_mday >= 1 && tm->tm_mday <= 31 && tm->tm_hour >= 0 && tm->tm_hour < 24 &&
              tm->tm_min >= 0 && tm->tm_min < 60 && tm->tm_sec >= 0 && tm->tm_sec <= 60 &&
              tm->tm_year >= -900 && tm->tm_year <= 8099;
  __proviso_check(fits, "asctime of a time with a member out of its range");
  if (!fits) __proviso_unsupported("asctime of a time with a member out of its range");
  struct text t = {to, 0, 26};
  put_fields(&t, "%a %b", tm);
  put_number(&t, tm->tm_mday, 3, ' ');
  put_fields(&t, " %H:%M:%S %Y\n", tm);
  put(&t, '\0');
  return to;
}
static char written[26]; /* shared by all threads, like `shared` */
char *asctime(const struct tm *tm) {
  return write_time(written, tm);
}
char *asctime_r(const struct tm *restrict tm, char *restrict to) {
  return write_time(to, tm);
}
char *ctime(const long *t) {
  struct tm *tm = local(t, &shared);
  return tm ? write_time(written, tm) : NULL;
}
char *ctime_r(const long *t, char *to) {
  struct tm tm;
  return local(t, &tm) ? write_time(to, &tm) : NULL;
}
