/* err.c -- err.h and error.h: messages to standard error, some of which end the program. */
#include "model.h"

static void say(const char *text) {
  __proviso_output(2, text, pv_length(text));
}
/* "program: text: message\n"; with_number: the message of that error number. */
static void tell(const char *format, struct pv_args *args, bool with_number, int number) {
  pv_may_cancel_point();
  say("program: ");
  if (format) __proviso_print_error(format, args);
  if (with_number) {
    char buffer[32];
    if (format) say(": ");
    say(__proviso_error_text(number, buffer));
  }
  say("\n");
}

#define WITH_ARGUMENTS(STATEMENT, LAST)                                                            \
  do {                                                                                             \
    struct pv_args args;                                                                           \
    va_start(args.ap, LAST);                                                                       \
    STATEMENT;                                                                                     \
    va_end(args.ap);                                                                               \
  } while (0)
#define WITH_LIST(STATEMENT)                                                                       \
  do {                                                                                             \
    struct pv_args args;                                                                           \
    va_copy(args.ap, list);                                                                        \
    STATEMENT;                                                                                     \
    pv_list_used(list, &args);                                                                     \
    va_end(args.ap);                                                                               \
  } while (0)

void warn(const char *f, ...) {
  WITH_ARGUMENTS(tell(f, &args, true, errno), f);
}
void warnx(const char *f, ...) {
  WITH_ARGUMENTS(tell(f, &args, false, 0), f);
}
void vwarn(const char *f, va_list list) {
  WITH_LIST(tell(f, &args, true, errno));
}
void vwarnx(const char *f, va_list list) {
  WITH_LIST(tell(f, &args, false, 0));
}
_Noreturn void err(int status, const char *f, ...) {
  WITH_ARGUMENTS(tell(f, &args, true, errno), f);
  __proviso_end_program(status);
}
_Noreturn void errx(int status, const char *f, ...) {
  WITH_ARGUMENTS(tell(f, &args, false, 0), f);
  __proviso_end_program(status);
}
_Noreturn void verr(int status, const char *f, va_list list) {
  WITH_LIST(tell(f, &args, true, errno));
  __proviso_end_program(status);
}
_Noreturn void verrx(int status, const char *f, va_list list) {
  WITH_LIST(tell(f, &args, false, 0));
  __proviso_end_program(status);
}
unsigned error_message_count;
void error(int status, int number, const char *f, ...) {
  WITH_ARGUMENTS(tell(f, &args, number != 0, number), f);
  error_message_count++;
  if (status != 0) __proviso_end_program(status);
}
