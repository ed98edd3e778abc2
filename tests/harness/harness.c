/* harness.c -- makes a program's normal end visible: compiled together with a program whose `main`
 * is renamed to program_main, it writes the exit status as the last line of the output and then
 * calls reach_error, so that a check of the whole ends in an error path that holds all the program
 * wrote. PROGRAM_ARGUMENTS: main takes arguments. Valid C and C++. */
#undef main

#ifdef __cplusplus
extern "C" {
#endif
int printf(const char *format, ...);
int on_exit(void (*function)(int, void *), void *argument);
void reach_error(void);
void reach_error(void) {}
#ifdef __cplusplus
}
#endif

static void finish(int status, void *argument) {
  (void)argument;
  printf("\nstatus %d\n", status & 255);
  reach_error();
}

/* Registered before everything else, so that it runs after every handler and destructor. */
__attribute__((constructor(101))) static void begin(void) {
  on_exit(finish, 0);
}

#ifdef PROGRAM_ARGUMENTS
int program_main(int argc, char **argv);
#else
int program_main(void);
#endif

int main(void) {
#ifdef PROGRAM_ARGUMENTS
  char name[] = "program";
  char *arguments[] = {name, 0};
  return program_main(1, arguments);
#else
  return program_main();
#endif
}
