/* clang_cache.c -- for tests: runs clang, unless the same was compiled before.
 *
 * Many tests check the same program with different options. Clang's own start takes more than half
 * of the time of a small check. With PROVISO_CLANG naming this program and PROVISO_CLANG_CACHE
 * naming a folder, each program is compiled once: the result of a call that makes bitcode is kept
 * under the digest of clang itself, the arguments, the working directory and the source text. It is
 * taken again as long as every file that it included has the same content. What has to be compiled is
 * handed to a clang that has started already, if PROVISO_CLANG_SERVER names its socket
 * (clang_server.c). The name of proviso's own
 * temporary folder is no part of that: it differs from run to run, so that nothing may depend on it.
 * Everything else is left to clang: other kinds of calls, errors, and sources that ask for the date
 * or the time. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct text {
  char *at;
  size_t n;
};

static void run_clang(char **argv) {
  execv(REAL_CLANG, argv);
  fprintf(stderr, "clang_cache: cannot run %s: %s\n", REAL_CLANG, strerror(errno));
  exit(127);
}

static bool read_file(const char *path, struct text *t) {
  struct stat st;
  int f = open(path, O_RDONLY | O_CLOEXEC);
  if (f < 0) return false;
  bool ok = fstat(f, &st) == 0 && S_ISREG(st.st_mode);
  t->n = ok ? (size_t)st.st_size : 0;
  t->at = malloc(t->n + 1);
  for (size_t done = 0; ok && done < t->n;) {
    ssize_t k = read(f, t->at + done, t->n - done);
    ok = k > 0;
    done += ok ? (size_t)k : 0;
  }
  if (ok) t->at[t->n] = '\0';
  close(f);
  return ok;
}

static bool write_all(int f, const char *at, size_t n) {
  while (n) {
    ssize_t k = write(f, at, n);
    if (k <= 0) return false;
    at += k, n -= (size_t)k;
  }
  return true;
}

static bool starts_with(const char *s, const char *start) {
  return strncmp(s, start, strlen(start)) == 0;
}

/* The call, as far as it can be kept. */
static const char *out, *input;
static char folder[4096]; /* of the output */

static bool understand(int argc, char **argv) {
  bool bitcode = false, only_compiles = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-emit-llvm") == 0) bitcode = true;
    if (strcmp(argv[i], "-c") == 0) only_compiles = true;
    if (strcmp(argv[i], "-o") == 0 && i > 1 && i + 1 < argc) {
      if (out) return false;
      input = argv[i - 1], out = argv[i + 1];
    }
    if (starts_with(argv[i], "-M") || starts_with(argv[i], "-save-temps")) return false;
  }
  const char *slash = out ? strrchr(out, '/') : NULL;
  if (!bitcode || !only_compiles || !slash || (size_t)(slash - out) >= sizeof folder) return false;
  memcpy(folder, out, (size_t)(slash - out));
  return *input != '-';
}

/* What of the environment clang looks at. */
static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "CCC_OVERRIDE_OPTIONS"};

static void digest(XXH3_state_t *h, const void *at, size_t n) {
  XXH3_128bits_update(h, &n, sizeof n);
  XXH3_128bits_update(h, at, n);
}

/* Of what decides the result but for the files that are included. The name of the folder is left out. */
static void key_of_call(int argc, char **argv, const struct text *source, char key[33]) {
  XXH3_state_t *h = XXH3_createState();
  XXH3_128bits_reset(h);
  struct stat st;
  memset(&st, 0, sizeof st);
  stat(REAL_CLANG, &st);
  digest(h, &st.st_size, sizeof st.st_size);
  digest(h, &st.st_mtim, sizeof st.st_mtim);
  char here[4096];
  if (!getcwd(here, sizeof here)) *here = '\0';
  digest(h, here, strlen(here));
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    digest(h, value ? value : "", value ? strlen(value) : 0);
  }
  size_t n = strlen(folder);
  for (int i = 1; i < argc; i++) {
    const char *at = strstr(argv[i], folder);
    if (!at) {
      digest(h, argv[i], strlen(argv[i]));
      continue;
    }
    digest(h, argv[i], (size_t)(at - argv[i]));
    digest(h, at + n, strlen(at + n));
  }
  digest(h, source->at, source->n);
  XXH128_hash_t d = XXH3_128bits_digest(h);
  snprintf(key, 33, "%016llx%016llx", (unsigned long long)d.high64, (unsigned long long)d.low64);
  XXH3_freeState(h);
}

/* What is kept of a file that was included: the digest of its content. */
static bool content_of(const char *path, char content[33]) {
  struct text t = {0};
  bool ok = read_file(path, &t);
  XXH128_hash_t d = ok ? XXH3_128bits(t.at, t.n) : (XXH128_hash_t){0, 0};
  if (ok && (strstr(t.at, "__DATE__") || strstr(t.at, "__TIME__") || strstr(t.at, "__TIMESTAMP__")))
    ok = starts_with(path, "/usr/"); /* these only name them */
  free(t.at);
  snprintf(content, 33, "%016llx%016llx", (unsigned long long)d.high64, (unsigned long long)d.low64);
  return ok;
}

/* Kept: a line for each file that was included, "DIGEST PATH", where @ is the folder; an empty line;
 * the number of bytes that clang printed, as a line; these; the bitcode. Takes it if it still
 * holds. */
static bool take(const char *path) {
  struct text t = {0};
  if (!read_file(path, &t)) return false;
  char *at = t.at, *end = t.at + t.n;
  while (at < end && *at != '\n') {
    char *newline = memchr(at, '\n', (size_t)(end - at)), content[33];
    if (!newline || newline - at < 34) return false;
    *newline = '\0';
    char path_of[2 * sizeof folder];
    if (at[33] == '@') snprintf(path_of, sizeof path_of, "%s%s", folder, at + 34);
    if (!content_of(at[33] == '@' ? path_of : at + 33, content)) return false;
    if (memcmp(content, at, 32) != 0) return false;
    at = newline + 1;
  }
  if (at++ >= end) return false;
  char *rest;
  size_t printed = strtoul(at, &rest, 10);
  if (rest >= end || *rest != '\n' || (size_t)(end - rest) < printed + 1) return false;
  rest++;
  int f = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool ok = f >= 0 && write_all(f, rest + printed, (size_t)(end - rest) - printed) && close(f) == 0;
  return ok && write_all(1, rest, printed);
}

/* The next word of a rule for make; the words are separated by blanks, which \ quotes, and by "\" at
 * the ends of lines. */
static char *next_word(char **at) {
  char *s = *at;
  while (*s == ' ' || *s == '\n' || (s[0] == '\\' && s[1] == '\n')) s++;
  if (!*s) return NULL;
  char *word = s, *to = s;
  for (; *s && *s != ' ' && *s != '\n'; s++) {
    if (*s == '\\' && s[1] && s[1] != '\n') s++;
    if (s[0] == '$' && s[1] == '$') s++;
    *to++ = *s;
  }
  *at = *s ? s + 1 : s;
  *to = '\0';
  return word;
}

/* Writes what is to be kept, and moves it to its place. */
static void keep(const char *path, char *rule, const char *printed_path) {
  struct text printed = {0}, bitcode = {0};
  char *temporary = malloc(strlen(path) + 32);
  sprintf(temporary, "%s.%d", path, (int)getpid());
  FILE *f = fopen(temporary, "wbe");
  bool ok = f && read_file(printed_path, &printed) && read_file(out, &bitcode);
  next_word(&rule); /* the target */
  for (char *word; ok && (word = next_word(&rule));) {
    char content[33];
    if (strcmp(word, input) == 0) continue;
    bool inside = starts_with(word, folder);
    ok = *word != '@' && !strchr(word, '\n') && content_of(word, content);
    if (ok) fprintf(f, "%s %s%s\n", content, inside ? "@" : "", word + (inside ? strlen(folder) : 0));
  }
  if (ok) {
    fprintf(f, "\n%zu\n", printed.n);
    fwrite(printed.at, 1, printed.n, f);
    fwrite(bitcode.at, 1, bitcode.n, f);
    ok = !ferror(f);
  }
  if (f) ok = fclose(f) == 0 && ok;
  if (!ok || rename(temporary, path) != 0) unlink(temporary);
}

/* Lets clang_server.c compile, if it runs; -1: no, or it did not end in order. */
static int served(char **words) {
  enum { MOST = 1 << 16 };
  static const int unlimited[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_STACK};
  static char message[MOST];
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  struct rlimit cpu, limit, usual = {8 << 20, RLIM_INFINITY};
  const char *path = getenv("PROVISO_CLANG_SERVER");
  if (!path || strlen(path) >= sizeof a.sun_path || !getcwd(message, 4096)) return -1;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (getenv(variables[i])) return -1;
  for (size_t i = 0; i < sizeof unlimited / sizeof *unlimited; i++)
    if (getrlimit(unlimited[i], &limit) != 0 ||
        limit.rlim_cur < (unlimited[i] == RLIMIT_STACK ? usual.rlim_cur : usual.rlim_max))
      return -1;
  getrlimit(RLIMIT_CPU, &cpu);
  size_t n = strlen(message) + 1;
  for (; *words; words++) {
    size_t k = strlen(*words) + 1;
    if (n + k > MOST - 1) return -1;
    memcpy(message + n, *words, k);
    n += k;
  }
  strcpy(a.sun_path, path);
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof a) != 0) return -1;
  int streams[] = {0, 1, 2};
  union {
    char at[CMSG_SPACE(sizeof streams)];
    struct cmsghdr aligned;
  } control;
  struct iovec parts[] = {{&cpu, sizeof cpu}, {message, n}};
  struct msghdr m = {.msg_iov = parts,
                     .msg_iovlen = 2,
                     .msg_control = control.at,
                     .msg_controllen = sizeof control.at};
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof streams);
  memcpy(CMSG_DATA(c), streams, sizeof streams);
  unsigned char status;
  bool ok = sendmsg(s, &m, MSG_NOSIGNAL) > 0 && read(s, &status, 1) == 1;
  close(s);
  return ok ? status : -1;
}

/* Returns the status as waitpid gives it. */
static int compile(char **words) {
  int status = served(words);
  if (status >= 0) return status << 8;
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever kills this program means clang */
    run_clang(words);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

int main(int argc, char **argv) {
  const char *cache = getenv("PROVISO_CLANG_CACHE");
  struct text source = {0};
  char key[33], content[33];
  if (!cache || !understand(argc, argv) || !read_file(input, &source) || !content_of(input, content))
    run_clang(argv);
  key_of_call(argc, argv, &source, key);
  char *path = malloc(strlen(cache) + 64);
  mkdir(cache, 0777);
  sprintf(path, "%s/%.2s", cache, key);
  mkdir(path, 0777);
  sprintf(path, "%s/%.2s/%s", cache, key, key + 2);
  if (take(path)) return 0;

  /* Clang writes its messages where it would, as a file that is read afterwards. */
  char *rule = malloc(sizeof folder + 64);
  sprintf(rule, "%s/kept-%d.d", folder, (int)getpid());
  char **words = calloc((size_t)argc + 4, sizeof *words);
  memcpy(words, argv, (size_t)argc * sizeof *words);
  words[argc] = "-MD", words[argc + 1] = "-MF", words[argc + 2] = rule;
  int status = compile(words);
  struct text dependencies = {0};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && read_file(rule, &dependencies))
    keep(path, dependencies.at, "/proc/self/fd/1");
  unlink(rule);
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
