/* harness.c -- makes a program's normal end visible: compiled together with a program whose `main`
 * and `exit` are renamed to program_main and program_exit, it writes the exit status as the last
 * line of the output and then calls reach_error, so that a check of the whole ends in an error path
 * that holds all the program wrote. PROGRAM_ARGUMENTS: main takes arguments. Valid C and C++. */
#undef main
#undef exit

#ifdef __cplusplus
extern "C" {
#  define NO_RETURN
#else
#  define NO_RETURN _Noreturn
#endif
int printf(const char *format, ...);
int atexit(void (*function)(void));
NO_RETURN void exit(int status);
void reach_error(void);
NO_RETURN void program_exit(int status);
void reach_error(void) {}

static int end_status;

static void finish(void) {
  printf("status %d\n", end_status & 255);
  reach_error();
}
NO_RETURN void program_exit(int status) {
  end_status = status;
  exit(status);
}
#ifdef __cplusplus
}
#endif

/* Registered before everything else, so that it runs after every handler and destructor. */
__attribute__((constructor(101))) static void begin(void) {
  atexit(finish);
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
  end_status = program_main(1, arguments);
#else
  end_status = program_main();
#endif
  return end_status;
}
