/* compile.c -- runs clang as a child process on one source file.
 *
 * No shell is involved. Clang's standard output and error are written to a file that becomes part
 * of error messages. Preprocessed files are copied without their line markers first, so that
 * positions refer to the user's file. The user's invariants and propositions are appended to a copy
 * of the first C file, as small functions. */
#include "frontend/compiled.h"
#include "frontend/frontend_internal.h"
#include "frontend/gcc_text.h"
#include "frontend/models.h"
#include "frontend/old_c.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef PV_VEC(char *) words;

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), k = strlen(end);
  return n > k && strcmp(s + n - k, end) == 0;
}

static bool is_cpp(const char *file) {
  return ends_with(file, ".cpp") || ends_with(file, ".cc") || ends_with(file, ".cxx") ||
         ends_with(file, ".C") || ends_with(file, ".ii");
}

static bool is_preprocessed(const char *file) {
  return ends_with(file, ".i");
}

bool pv_fe_is_c(const char *file) {
  return ends_with(file, ".c") || is_preprocessed(file);
}

bool pv_fe_is_source(const char *file) {
  return pv_fe_is_c(file) || is_cpp(file);
}

bool pv_fe_is_bitcode(const char *file) {
  return ends_with(file, ".ll") || ends_with(file, ".bc");
}

/* One file, and how clang is called for it. */
struct job {
  const struct pv_options *o;
  uint32_t number;          /* of the input */
  const char *file, *input; /* the user's file, and what clang compiles instead */
  const char *folder, *out, *log;
  bool copied;                      /* `input` is a copy */
  const struct pv_watched *watched; /* expressions that are appended to it, or NULL */
  bool no_builtins;                 /* -fno-builtin */
  bool native;
  bool folds;            /* a constant expression overflows: clang checks every operation */
  const char *sanitizer; /* or NULL */
  struct pv_retry retry;
};

bool pv_fe_write_file(const char *path, const char *text, size_t n) {
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  bool ok = fwrite(text, 1, n, f) == n;
  return fclose(f) == 0 && ok;
}

static void add_quoted(struct pv_str *s, const char *path) {
  for (; *path; path++) {
    if (*path == '"' || *path == '\\') pv_str_addc(s, '\\');
    pv_str_addc(s, *path);
  }
}

/* Creates the text that clang compiles instead of the file; line numbers are those of the file. */
static enum pv_status rewrite(const struct job *job, struct pv_str *err) {
  const char *file = job->file, *copy = job->input;
  char *text = NULL;
  size_t n = 0;
  PV_TRY(pv_read_file(file, (size_t)256 << 20, &text, &n, err));
  struct pv_str s = {0};
  pv_str_add(&s, pv_str_cstr(&job->retry.declare));
  if (is_preprocessed(file)) {
    pv_gcc_blank_markers(text);
    pv_gcc_text(text, &s);
  }
  pv_str_add(&s, "# 1 \"");
  add_quoted(&s, file);
  pv_str_add(&s, "\"\n");
  pv_str_addn(&s, text, n);
  for (uint32_t i = 0; job->watched && i < job->watched->text.n; i++)
    pv_str_addf(&s,
                "\n# 1 \"%s\"\n_Bool __proviso_watched_%u(void);\n"
                "_Bool __proviso_watched_%u(void) { return !!(%s); }\n",
                pv_watched_option(job->watched, i), i, i, job->watched->text.at[i]);
  bool ok = pv_fe_write_file(copy, s.at, s.n);
  if (!ok && err) pv_str_addf(err, "%s: cannot write: %s", copy, strerror(errno));
  pv_str_free(&s);
  free(text);
  return ok ? PV_OK : PV_E_INPUT;
}

static void add(words *w, const char *word) {
  pv_vec_push(w, word ? pv_strdup(word) : NULL);
}

static void add_joined(words *w, const char *option, const char *what) {
  pv_vec_push(w, pv_format("%s%s", option, what));
}

/* glibc's headers support i386, but include one file that only the 32-bit package has; an empty one
 * replaces it. Its other headers are in the 64-bit folder. */
static void add_ilp32(words *w, const char *folder) {
  char *gnu = pv_format("%s/gnu", folder), *stub = pv_format("%s/gnu/stubs-32.h", folder);
  mkdir(gnu, 0700);
  pv_fe_write_file(stub, "", 0);
  add(w, "-m32");
  add(w, "-idirafter");
  add(w, folder);
  add(w, "-idirafter");
  add(w, "/usr/include/x86_64-linux-gnu");
  free(gnu);
  free(stub);
}

/* Our headers of interfaces that are modelled. Those of the user or the system come first. */
static void add_headers(words *w, const char *folder) {
  char *headers = pv_format("%s/headers", folder), *of_cxx = pv_format("%s/cxx", headers);
  mkdir(headers, 0700);
  mkdir(of_cxx, 0700);
  free(of_cxx);
  for (const struct pv_header *h = pv_headers; h->name; h++) {
    char *path = pv_format("%s/%s", headers, h->name);
    pv_fe_write_file(path, h->begin, (size_t)(h->end - h->begin));
    free(path);
  }
  add(w, "-D__PROVISO__=1");
  add(w, "-idirafter");
  add(w, headers);
  free(headers);
}

/* Clang's own checks for undefined behaviour become CHECK edges, those for overflow only where they
 * are needed (overflow_checks.c). Only the requested ones are enabled: if a check always fails,
 * clang drops the code after it. */
static void add_checks(words *w, const struct pv_options *o, bool folds) {
  bool overflow = o->properties & PV_PROP_BIT(PV_PROP_NO_OVERFLOW);
  bool behaviour = o->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR);
  if (overflow) add(w, "-fsanitize=shift-base");
  if (overflow && folds) add(w, "-fsanitize=signed-integer-overflow");
  if (behaviour)
    add(w, "-fsanitize=shift-exponent,float-cast-overflow,vla-bound,array-bounds,unreachable");
  if (overflow || behaviour) add(w, "-fsanitize-trap=all");
  add(w, "-Wno-everything");
  if (overflow) add(w, "-Winteger-overflow"); /* see folded_overflows */
}

static void add_language(words *w, const struct job *job) {
  const char *file = job->file;
  static const char *const tolerant[] = {"-std=gnu11", "-fgnu89-inline", "-Wno-error=return-type"};
  static const char *const told[] = {/* accepted, and reported in a note (old_c.h) */
                                     "implicit-function-declaration",
                                     "implicit-int",
                                     "int-conversion",
                                     "pointer-integer-compare",
                                     "incompatible-pointer-types",
                                     "incompatible-function-pointer-types",
                                     "return-mismatch",
                                     "main",
                                     "main-return-type"};
  if (is_cpp(file)) {
    add(w, "-fno-exceptions");
    if (!pv_fe_is_systemc(file, job->o)) {
      add(w, "-fno-rtti");
      return;
    }
    /* The streams and SystemC of models/, and templates without a compiled library. */
    char *headers = pv_format("%s/headers/cxx", job->folder);
    add(w, "-isystem");
    add(w, headers);
    char *shown = pv_format("-fdebug-prefix-map=%s=models/include/c++", headers);
    add(w, shown);
    free(shown);
    add(w, "-D_GLIBCXX_EXTERN_TEMPLATE=0");
    add(w, "-fno-threadsafe-statics"); /* threads are cooperative */
    free(headers);
    return;
  }
  /* Results of functions are objects of their own. */
  add(w, "-Xclang"), add(w, "-fno-elide-constructors");
  for (size_t i = 0; i < sizeof tolerant / sizeof tolerant[0]; i++) add(w, tolerant[i]);
  for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
    add_joined(w, "-W", told[i]);
    add_joined(w, "-Wno-error=", told[i]);
  }
}

static void add_include_folder(words *w, const char *file) {
  const char *slash = strrchr(file, '/');
  char *folder = slash ? pv_strdup(file) : pv_strdup(".");
  if (slash) folder[slash == file ? 1 : slash - file] = '\0';
  add(w, "-iquote");
  add(w, folder);
  free(folder);
}

/* Does the argument switch optimisation on or off? Otherwise returns `before`. */
static bool asks_to_optimise(const char *arg, bool before) {
  return strncmp(arg, "-O", 2) == 0 ? strcmp(arg, "-O0") != 0 : before;
}

static bool optimises_file(const struct pv_options *o, uint32_t number) {
  bool does = false;
  for (uint32_t i = 0; i < o->clang_args.n; i++) does = asks_to_optimise(o->clang_args.at[i], does);
  const char *rest = pv_options_file_flags(o, number);
  for (char *flag; (flag = pv_options_next_flag(&rest)); free(flag))
    does = asks_to_optimise(flag, does);
  return does;
}

bool pv_fe_optimises(const struct pv_options *o) {
  for (uint32_t i = 0; i < o->files.n; i++)
    if (optimises_file(o, i)) return true;
  return false;
}

/* Adds what earlier runs have shown to be needed. */
static void add_retry(words *w, const struct job *job) {
  const struct pv_retry *retry = &job->retry;
  if (job->no_builtins) add(w, "-fno-builtin");
  if (retry->any_main) add(w, "-ffreestanding");
  char *names = pv_strdup(pv_str_cstr(&retry->forget));
  for (char *name = strtok(names, "\n"); name; name = strtok(NULL, "\n"))
    add_joined(w, "-fno-builtin-", name);
  free(names);
  if (job->copied || !retry->declare.n) return; /* a copy contains them at its start */
  char *prelude = pv_format("%s/prelude.h", job->folder);
  pv_fe_write_file(prelude, retry->declare.at, retry->declare.n);
  add(w, "-include");
  add(w, prelude);
  free(prelude);
}

static void command(words *w, const struct job *job) {
  const struct pv_options *o = job->o;
  const char *file = job->file, *input = job->input;
  static const char *const always[] = {"-O0",
                                       "-Xclang",
                                       "-disable-O0-optnone",
                                       "-fno-discard-value-names",
                                       "-Xclang",
                                       "-fsanitize-address-use-after-scope",
                                       "-fno-stack-protector",
                                       "-ffp-contract=off",
                                       "-fno-color-diagnostics",
                                       "-emit-llvm",
                                       "-c"};
  add(w, "clang-19");
  for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) add(w, always[i]);
  /* No function is inlined, whatever its attributes say. So structures are passed in the usual way,
   * and the lifetimes of a function's variables begin with each call. */
  if (!optimises_file(o, job->number)) add(w, "-Xclang"), add(w, "-disable-llvm-passes");
  if (job->native)
    add(w, "-Wno-everything");
  else
    add_checks(w, o, job->folds), add_headers(w, job->folder);
  if (job->sanitizer) add_joined(w, "-fsanitize=", job->sanitizer);
  add_language(w, job);
  add_retry(w, job);
  if (o->ilp32) add_ilp32(w, job->folder);
  if (strcmp(file, input) != 0) add_include_folder(w, file);
  for (uint32_t i = 0; i < o->clang_args.n; i++) add(w, o->clang_args.at[i]);
  const char *rest = pv_options_file_flags(o, job->number);
  for (char *flag; (flag = pv_options_next_flag(&rest));) pv_vec_push(w, flag);
  add(w, "-g"); /* also if -g0 is given */
  /* As C even if the text is preprocessed: macros are expanded, and the markers of a copy are
   * ours. */
  add(w, "-x");
  add(w, is_cpp(file) ? "c++" : is_preprocessed(file) ? "cpp-output" : "c");
  add(w, input);
  add(w, "-o");
  add(w, job->out);
  add(w, NULL);
}

/* The time limit also applies to clang, as CPU time, because clang rarely waits for anything
 * else. */
static void limit_child(pid_t child, const struct pv_limits *limits) {
  double rest = limits->seconds - (limits->started > 0 ? pv_limits_elapsed(limits) : 0);
  if (limits->seconds <= 0) return;
  struct rlimit r = {(rlim_t)(rest > 0 ? rest : 0) + 1, (rlim_t)(rest > 0 ? rest : 0) + 2};
  prlimit(child, RLIMIT_CPU, &r, NULL);
}

bool pv_fe_wait(pid_t child, const struct pv_limits *limits, int *status) {
  double began = pv_clock(), pause = 0.0002;
  double rest = limits->seconds - (limits->started > 0 ? pv_limits_elapsed(limits) : 0);
  bool killed = false;
  for (;;) {
    pid_t ended = waitpid(child, status, killed ? 0 : WNOHANG);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return false;
    bool late = limits->seconds > 0 && pv_clock() - began > (rest > 0 ? rest : 0) + 2;
    if (!killed && (late || pv_limits_interrupted())) {
      kill(child, SIGKILL);
      killed = true;
    } else if (!killed) {
      struct timespec t = {0, (long)(pause * 1e9)};
      nanosleep(&t, NULL);
      if (pause < 0.02) pause *= 1.1;
    }
  }
}

void pv_fe_log_child(posix_spawn_file_actions_t *actions, const char *log) {
  posix_spawn_file_actions_init(actions);
  posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(actions, 1, 2);
}

int pv_fe_clang(char *const *argv, const struct pv_limits *limits, const char *log) {
  const char *const names[] = {getenv("PROVISO_CLANG"), /* if the user says so */
#ifdef PROVISO_CLANG
                               PROVISO_CLANG, /* found when proviso was built */
#endif
                               "clang-19", "/usr/lib/llvm-19/bin/clang"};
  posix_spawn_file_actions_t actions;
  pv_fe_log_child(&actions, log);
  pid_t child = -1;
  int failed = ENOENT;
  for (size_t i = names[0] && *names[0] ? 0 : 1; i < sizeof names / sizeof names[0] && failed; i++)
    failed = posix_spawnp(&child, names[i], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return PV_CLANG_ABSENT;
  limit_child(child, limits);
  int status = 0;
  if (!pv_fe_wait(child, limits, &status)) return PV_CLANG_ABSENT;
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return PV_CLANG_STOPPED;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int compile(const struct job *job) {
  words w = {0};
  command(&w, job);
  int rc = pv_fe_clang(w.at, &job->o->limits, job->log);
  for (uint32_t i = 0; i < w.n; i++) free(w.at[i]);
  pv_vec_free(&w);
  return rc;
}

/* What the bitcode depends on: the arguments, with names instead of the folder of this run, and the
 * text that was copied there. The sources are taken to be unchanged (compiled.h). */
static void key_of(const struct job *job, struct pv_str *key) {
  words w = {0};
  char *text = NULL;
  size_t n = 0, folder = strlen(job->folder);
  command(&w, job);
  for (uint32_t i = 0; i < w.n; i++) {
    const char *word = w.at[i] ? w.at[i] : "", *at = strstr(word, job->folder);
    if (at)
      pv_str_addf(key, "%.*s<folder>%s", (int)(at - word), word, at + folder);
    else
      pv_str_add(key, word);
    pv_str_addc(key, '\0');
    free(w.at[i]);
  }
  pv_vec_free(&w);
  if (job->copied && pv_read_file(job->input, (size_t)1 << 30, &text, &n, NULL) == PV_OK)
    pv_str_addn(key, text, n);
  free(text);
}

static char *read_log(const char *log) {
  char *text = NULL;
  size_t n = 0;
  return pv_read_file(log, (size_t)1 << 20, &text, &n, NULL) == PV_OK ? text : pv_strdup("");
}

/* An error in an invariant or a proposition is reported as one line: clang's first message about
 * it. */
static bool watched_error(const struct pv_watched *w, const char *text, struct pv_str *err) {
  for (uint32_t i = 0; w && i < w->text.n; i++) {
    char *place = pv_format("%s:", pv_watched_option(w, i));
    const char *at = strstr(text, place), *message = at ? strstr(at, "error: ") : NULL;
    if (message) {
      message += strlen("error: ");
      pv_str_addf(err, "%s ", place);
      pv_str_addn(err, message, strcspn(message, "\n"));
    }
    free(place);
    if (message) return true;
  }
  return false;
}

/* Adds clang's errors without warnings, and without the notes that belong to these. */
static void add_errors(const char *log, struct pv_str *out) {
  bool skip = false;
  char *text = pv_strdup(log);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (strstr(line, ": warning: ")) skip = true;
    if (strstr(line, " error: ") || strstr(line, " generated.")) skip = false;
    char *count = strstr(line, " generated.") ? strstr(line, " and ") : NULL;
    if (count) line = count + strlen(" and "); /* "2 warnings and 1 error generated." */
    if (!skip) pv_str_addf(out, "%s%s", out->n ? "\n" : "", line);
  }
  free(text);
}

static enum pv_status explain(const struct job *job, const char *text, int rc, struct pv_str *err) {
  const char *file = job->file;
  if (rc == PV_CLANG_STOPPED) {
    pv_str_addf(err, "%s: clang did not end within the time limit", file);
    return PV_E_LIMIT;
  }
  if (rc == PV_CLANG_ABSENT) {
    pv_str_add(err, "cannot run clang-19: is the package clang-19 installed?");
    return PV_E_INPUT;
  }
  if (!watched_error(job->watched, text, err)) {
    pv_str_addf(err, "%s: does not compile", file);
    add_errors(text, err);
  }
  return PV_E_INPUT;
}

static const char overflow_warning[] = ": warning: overflow in expression";

/* Signed overflow in a constant expression is folded before there is bitcode; a warning of clang
 * reports it, but not in an operand of `?:`. Adds a line "file:line" for each warning. */
static void folded_overflows(const char *log, struct pv_str *out) {
  char *text = pv_strdup(log);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    char *end = strstr(line, overflow_warning);
    if (!end) continue;
    *end = '\0';
    char *column = strrchr(line, ':');
    if (column) *column = '\0';
    pv_str_addf(out, "%s\n", line);
  }
  free(text);
}

enum pv_status pv_fe_check_readable(const char *file, struct pv_str *err) {
  struct stat st;
  if (stat(file, &st) != 0) {
    pv_str_addf(err, "%s: %s", file, strerror(errno));
    return PV_E_INPUT;
  }
  if (S_ISDIR(st.st_mode)) {
    pv_str_addf(err, "%s: is a directory", file);
    return PV_E_INPUT;
  }
  return PV_OK;
}

/* Compiles the file, and repeats it as long as messages show what to change. The status and the log
 * are those of the successful run, else of the first one, whose messages are about the unchanged
 * program. `failed` receives the logs of the others. The caller frees *log. */
static int compile_until_taken(struct job *job, char **log, struct pv_str *failed,
                               struct pv_str *err) {
  enum { ROUNDS = 16 };
  int first = compile(job), rc = first;
  *log = read_log(job->log);
  char *now = pv_strdup(*log);
  for (int round = 0; rc > 0 && round < ROUNDS; round++) {
    /* finally without any builtin: clang may reject the program's own declaration of one with
     * another message */
    if (!pv_retry_learn(&job->retry, now)) {
      if (job->no_builtins) break;
      job->no_builtins = true;
    }
    pv_str_add(failed, now);
    if (job->copied && rewrite(job, err) != PV_OK) break;
    rc = compile(job);
    free(now);
    now = read_log(job->log);
  }
  if (rc > 0) rc = first;
  bool optimises = optimises_file(job->o, job->number);
  if (rc == 0 && strstr(now, overflow_warning) && !optimises) {
    job->folds = true; /* clang does not fold what it checks (overflow_checks.c) */
    rc = compile(job);
  }
  if (rc == 0) free(*log), *log = pv_strdup(now);
  free(now);
  return rc;
}

/* The same, unless the bitcode is kept already. */
static int compile_or_take(struct job *job, struct pv_compiled *compiled, char **log,
                           struct pv_str *failed, struct pv_str *err) {
  struct pv_str key = {0};
  struct pv_compiled_logs logs = {0};
  if (compiled) key_of(job, &key);
  bool kept = pv_compiled_get(compiled, &key, job->out, &logs);
  int rc = 0;
  if (kept) {
    *log = logs.text;
    pv_str_add(failed, pv_str_cstr(&logs.failed));
  } else {
    rc = compile_until_taken(job, log, failed, err);
    if (rc == 0) pv_compiled_put(compiled, &key, job->out, *log, failed);
  }
  pv_str_free(&logs.failed);
  pv_str_free(&key);
  return rc;
}

enum pv_status pv_fe_compile(const struct pv_fe_input *in, struct pv_str *folded,
                             struct pv_old_c *old, struct pv_str *err) {
  const char *file = in->options->files.at[in->number];
  PV_TRY(pv_fe_check_readable(file, err));
  bool copied = is_preprocessed(file) || in->watched;
  char *log = pv_format("%s/log", in->folder), *text = NULL;
  char *input = copied ? pv_format("%s/input%s", in->folder, is_preprocessed(file) ? ".i" : ".c")
                       : pv_format("%s%s", *file == '-' ? "./" : "", file);
  struct job job = {.o = in->options,
                    .number = in->number,
                    .file = file,
                    .input = input,
                    .folder = in->folder,
                    .out = in->out,
                    .log = log,
                    .copied = copied,
                    .watched = in->watched,
                    .native = in->native,
                    .sanitizer = in->sanitizer};
  struct pv_str failed = {0};
  enum pv_status st = copied ? rewrite(&job, err) : PV_OK;
  int rc = st == PV_OK ? compile_or_take(&job, in->compiled, &text, &failed, err) : 0;
  if (rc != 0) {
    st = explain(&job, text, rc, err);
  } else if (st == PV_OK) {
    folded_overflows(text, folded);
    pv_old_c_read(old, text);
    pv_old_c_read_failed(old, pv_str_cstr(&failed));
  }
  pv_str_free(&failed);
  pv_retry_free(&job.retry);
  free(text);
  free(input);
  free(log);
  return st;
}
