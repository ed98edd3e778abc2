/* clang_server.c -- for tests: a clang that has started already.
 *
 * Three quarters of what clang needs for a small program is its own start: the system loads and
 * binds a hundred megabytes of libraries. This library is preloaded (LD_PRELOAD) into one clang,
 * which then does not begin: it listens on the socket that PROVISO_CLANG_SERVER names, and for each
 * call of clang_cache.c makes a copy of itself (fork) that begins with the arguments of the call.
 *
 * A message has the working directory and the arguments, each ended by a zero byte, and the three
 * standard streams. The answer is the exit status as one byte. The copy dies with its client, and the server
 * when its standard input ends. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1 << 16, WORDS = 1 << 10 };
typedef int (*begin)(int, char **, char **);
static begin clang;
static int client;
static char message[MOST];
static char *words[WORDS + 1];

static void answer(int status, void *unused) {
  (void)unused;
  unsigned char byte = (unsigned char)status;
  _exit(write(client, &byte, 1) == 1 ? status : 1);
}

/* In the copy. */
static int serve(char **environment) {
  char control[CMSG_SPACE(3 * sizeof(int))];
  struct rlimit cpu;
  struct iovec parts[] = {{&cpu, sizeof cpu}, {message, MOST - 1}};
  struct msghdr m = {
      .msg_iov = parts, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t n = recvmsg(client, &m, 0);
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  if (n <= (ssize_t)sizeof cpu || !c || c->cmsg_type != SCM_RIGHTS) _exit(1);
  int streams[3];
  memcpy(streams, CMSG_DATA(c), sizeof streams);
  for (int i = 0; i < 3; i++)
    if (dup2(streams[i], i) < 0 || close(streams[i]) < 0) _exit(1);
  int count = 0;
  char *end = message + n - sizeof cpu, *at = message + strlen(message) + 1;
  for (; at < end && count < WORDS; at += strlen(at) + 1) words[count++] = at;
  signal(SIGCHLD, SIG_DFL);
  if (chdir(message) != 0 || setrlimit(RLIMIT_CPU, &cpu) != 0 || at < end) _exit(1);
  fcntl(client, F_SETOWN, getpid());
  fcntl(client, F_SETFL, O_ASYNC); /* SIGIO when the client ends */
  on_exit(answer, NULL);
  exit(clang(count, words, environment));
}

static void reap(int number) {
  (void)number;
  while (waitpid(-1, NULL, WNOHANG) > 0) continue;
}

static int listens(int argc, char **argv, char **environment) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  const char *path = getenv("PROVISO_CLANG_SERVER");
  (void)argc, (void)argv;
  if (!path || strlen(path) >= sizeof a.sun_path) return 1;
  strcpy(a.sun_path, path);
  unsetenv("LD_PRELOAD");
  signal(SIGCHLD, reap); /* so that their CPU time is known */
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof a) != 0 || listen(s, 64) != 0) return 1;
  for (;;) {
    struct pollfd wait[] = {{.fd = s, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents) return 0;
    client = accept4(s, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) continue;
    if (fork() == 0) {
      close(s);
      serve(environment);
    }
    close(client);
  }
}

/* What the start-up code of every program calls. */
int __libc_start_main(begin main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void *stack) {
  int (*start)(begin, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  clang = main;
  bool is_clang = strncmp(program_invocation_short_name, "clang", 5) == 0;
  return start(is_clang ? listens : main, argc, argv, init, fini, end, stack);
}
