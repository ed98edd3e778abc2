/* link.c -- reads bitcode, and links all modules and the models into one module.
 *
 * Bitcode from the user is parsed and verified in a child process first: LLVM's reader may abort or
 * crash on malformed input, and then only the child ends. Models are linked as weak definitions, so
 * that the program's own definitions take precedence. */
#include "frontend/frontend_internal.h"
#include "frontend/given.h"
#include "frontend/models.h"
#include "frontend/texts.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct diagnostics {
  struct pv_str text; /* the first error */
};

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) {
  struct diagnostics *d = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || d->text.n) return;
  char *text = LLVMGetDiagInfoDescription(info);
  pv_str_add(&d->text, text);
  LLVMDisposeMessage(text);
}

/* One line of a message of LLVM. */
static void add_line(struct pv_str *err, const char *text) {
  while (*text == '\n' || *text == ' ') text++;
  pv_str_addn(err, text, strcspn(text, "\n"));
}

static LLVMModuleRef parse(LLVMContextRef ctx, const char *path, struct pv_str *err) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef m = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    pv_str_addf(err, "%s: ", path);
    add_line(err, message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  if (LLVMParseIRInContext(ctx, buffer, &m, &message)) { /* takes ownership of the buffer */
    pv_str_addf(err, "%s: cannot be read", path);
    const char *error = message ? strstr(message, "error: ") : NULL;
    if (error) pv_str_add(err, ": "), add_line(err, error + strlen("error: "));
    LLVMDisposeMessage(message);
    return NULL;
  }
  return m;
}

/* Clang does not run its passes (compile.c), so coroutines are split into functions here. */
static void split_coroutines(LLVMModuleRef m) {
  if (!LLVMGetNamedFunction(m, "llvm.coro.begin")) return;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(m, "coro-early,cgscc(coro-split),coro-cleanup,globaldce", NULL, options);
  LLVMConsumeError(error); /* what remains of them is not modelled */
  LLVMDisposePassBuilderOptions(options);
}

static _Noreturn void child(const char *path, int to) {
  struct pv_str err = {0};
  struct diagnostics d = {{0}};
  int null = open("/dev/null", O_RDWR);
  if (null >= 0) dup2(null, 1), dup2(null, 2);
  LLVMContextRef ctx = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(ctx, on_diagnostic, &d);
  LLVMModuleRef m = parse(ctx, path, &err);
  char *message = NULL;
  if (m && LLVMVerifyModule(m, LLVMReturnStatusAction, &message)) {
    pv_str_addf(&err, "%s: is not valid: ", path);
    add_line(&err, message);
    m = NULL;
  }
  if (err.n && write(to, err.at, err.n < PIPE_BUF ? err.n : PIPE_BUF) < 0) _exit(2);
  _exit(m ? 0 : 1);
}

/* Parses the file in a child process, within the time limit. Messages about a bad file are appended
 * to `err`. They are short enough for the pipe's buffer. */
static enum pv_status try_in_child(const char *path, const struct pv_limits *limits,
                                   struct pv_str *err) {
  int ends[2], status = 0;
  struct stat info;
  if (stat(path, &info) == 0 &&
      !S_ISREG(info.st_mode)) { /* it may never end, or not be read twice */
    pv_str_addf(err, "%s: is not a regular file", path);
    return PV_E_INPUT;
  }
  if (pipe(ends) != 0) {
    pv_str_addf(err, "%s: cannot start a process: %s", path, strerror(errno));
    return PV_E_INPUT;
  }
  pid_t pid = fork();
  if (pid == 0) {
    signal(SIGABRT, SIG_DFL);
    close(ends[0]);
    child(path, ends[1]);
  }
  close(ends[1]);
  char text[512];
  bool ended = pid > 0 && pv_fe_wait(pid, limits, &status);
  ssize_t n = ended ? read(ends[0], text, sizeof text - 1) : 0;
  close(ends[0]);
  if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return PV_OK;
  text[n > 0 ? n : 0] = '\0';
  if (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    pv_str_addf(err, "%s: was not read within the time limit", path);
    return PV_E_LIMIT;
  }
  if (n > 0)
    add_line(err, text);
  else
    pv_str_addf(err, "%s: is malformed", path);
  return PV_E_INPUT;
}

static bool is_data_definition(LLVMValueRef g) {
  return LLVMGetInitializer(g) != NULL;
}

static bool is_shared(LLVMValueRef g) {
  LLVMLinkage l = LLVMGetLinkage(g);
  return l != LLVMInternalLinkage && l != LLVMPrivateLinkage;
}

static bool starts_own(LLVMValueRef f) {
  size_t n;
  return strncmp(LLVMGetValueName2(f, &n), "__proviso_", 10) == 0;
}

static void mark_models(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMSetSection(f, "proviso-model");
    if (is_shared(f))
      LLVMSetLinkage(f, starts_own(f) ? LLVMWeakAnyLinkage : LLVMLinkOnceAnyLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    const char *name = LLVMGetValueName(g);
    if (!is_data_definition(g) || strncmp(name, "llvm.", 5) == 0) continue;
    LLVMSetSection(g, "proviso-model");
    if (is_shared(g)) LLVMSetLinkage(g, LLVMWeakAnyLinkage);
  }
}

/* ---- models: linked like an archive, file by file, if something in them is needed
 * --------------- */
/* Functions that the frontend itself needs (start.c). */
static const char *const called[] = {"exit", "atexit", "__proviso_any_arguments",
                                     "__proviso_any_count"};

static LLVMValueRef alias_body(LLVMModuleRef m, LLVMValueRef declaration) {
  size_t n;
  return LLVMIsDeclaration(declaration) ? pv_fe_alias_body(m, LLVMGetValueName2(declaration, &n))
                                        : NULL;
}

/* Drops functions of the models to which nothing refers, except those that the frontend needs, and
 * those that the program calls by another name. */
static void keep_models(LLVMModuleRef program, LLVMModuleRef m) {
  for (size_t i = 0; i < sizeof called / sizeof called[0]; i++) {
    LLVMValueRef f = LLVMGetNamedFunction(m, called[i]);
    if (f) LLVMSetLinkage(f, LLVMWeakAnyLinkage);
  }
  for (LLVMValueRef p = LLVMGetFirstFunction(program); p; p = LLVMGetNextFunction(p)) {
    LLVMValueRef f = alias_body(m, p);
    if (f) LLVMSetLinkage(f, LLVMWeakAnyLinkage);
  }
}

static bool lacks_data(LLVMModuleRef program, const char *name) {
  LLVMValueRef g = LLVMGetNamedGlobal(program, name);
  return g && !is_data_definition(g);
}

static bool lacks_function(LLVMModuleRef program, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(program, name);
  return f && LLVMIsDeclaration(f);
}

/* Functions of C for which clang may have put an intrinsic: llvm.lround.i64.f32 is lroundf. They
 * get their names in C, so that they have models. */
static void name_rounding(LLVMModuleRef m) {
  static const char *const names[] = {"lround", "llround", "lrint", "llrint"};
  for (LLVMValueRef next, f = LLVMGetFirstFunction(m); f; f = next) {
    next = LLVMGetNextFunction(f);
    size_t length;
    const char *name = LLVMGetValueName2(f, &length), *rest = name + strlen("llvm.");
    if (strncmp(name, "llvm.", strlen("llvm.")) != 0) continue;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
      size_t n = strlen(names[i]);
      if (strncmp(rest, names[i], n) != 0 || rest[n] != '.') continue;
      const char *type = strrchr(rest, '.');
      const char *suffix = !strcmp(type, ".f32") ? "f" : !strcmp(type, ".f80") ? "l" : "";
      if (*suffix == '\0' && strcmp(type, ".f64") != 0) break; /* vectors, other types */
      char *in_c = pv_format("%s%s", names[i], suffix);
      LLVMValueRef other = LLVMGetNamedFunction(m, in_c);
      if (other)
        LLVMReplaceAllUsesWith(f, other), LLVMDeleteFunction(f);
      else
        LLVMSetValueName2(f, in_c, n + strlen(suffix));
      free(in_c);
      break;
    }
  }
}

/* Is the name needed? A program that creates threads needs their bottom frame. */
static bool calls_for(LLVMModuleRef program, const char *name) {
  for (size_t i = 0; i < sizeof called / sizeof called[0]; i++)
    if (!strcmp(name, called[i])) return true;
  if (!strcmp(name, "__proviso_thread_main")) name = "__proviso_thread_create";
  return lacks_function(program, name) || lacks_data(program, name);
}

static bool has_name(const char *names, const char *name) {
  size_t n = strlen(name);
  for (; *names; names += strcspn(names, "\n") + 1)
    if (strcspn(names, "\n") == n && !strncmp(names, name, n)) return true;
  return false;
}

static bool is_wanted(LLVMModuleRef program, const char *names) {
  char name[256];
  size_t n;
  for (const char *s = names; *s; s += n + 1) {
    n = strcspn(s, "\n");
    PV_REQUIRE(n < sizeof name, "a model has a name that is too long");
    memcpy(name, s, n);
    name[n] = '\0';
    if (calls_for(program, name)) return true;
  }
  for (LLVMValueRef p = LLVMGetFirstFunction(program); p; p = LLVMGetNextFunction(p)) {
    const char *plain = LLVMIsDeclaration(p) ? pv_fe_plain_name(LLVMGetValueName2(p, &n)) : NULL;
    if (plain && has_name(names, plain)) return true;
  }
  return false;
}

static enum pv_status add_model(struct pv_fe *fe, const struct pv_model *model,
                                const struct diagnostics *d) {
  LLVMModuleRef m = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      model->begin, (size_t)(model->end - model->begin), "model", 0);
  /* lazily, when the linker needs a function */
  if (LLVMGetBitcodeModuleInContext2(fe->ctx, buffer, &m)) {
    LLVMDisposeMemoryBuffer(buffer);
    pv_str_add(fe->err, "the models of the C library cannot be read");
    return PV_E_INTERNAL;
  }
  mark_models(m);
  keep_models(fe->module, m);
  LLVMSetTarget(m, LLVMGetTarget(fe->module)); /* the same machine, spelled differently */
  LLVMSetDataLayout(m, LLVMGetDataLayoutStr(fe->module));
  if (!LLVMLinkModules2(fe->module, m)) return PV_OK;
  pv_str_add(fe->err, "cannot link the models: ");
  add_line(fe->err, pv_str_cstr(&d->text));
  return PV_E_INPUT;
}

static enum pv_status add_models(struct pv_fe *fe, unsigned pointer_bits,
                                 const struct diagnostics *d) {
  unsigned n;
  const struct pv_model *models = pv_models(pointer_bits, &n);
  bool *added = pv_alloc(n * sizeof *added);
  enum pv_status st = PV_OK;
  for (bool again = true; again && st == PV_OK;) {
    again = false;
    for (unsigned i = 0; i < n && st == PV_OK; i++) {
      if (added[i] || !is_wanted(fe->module, models[i].names)) continue;
      st = add_model(fe, &models[i], d);
      added[i] = again = true;
    }
  }
  free(added);
  return st;
}

/* Sets the data model: that of the first module unless the user chose one. */
static enum pv_status data_model(struct pv_fe *fe, const char *path, unsigned *bits) {
  LLVMTargetDataRef layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(fe->module));
  *bits = LLVMPointerSize(layout) * 8;
  LLVMDisposeTargetData(layout);
  bool asked_32 = fe->options->ilp32, asked_64 = fe->options->lp64;
  if ((*bits == 32 || *bits == 64) && !(asked_32 && *bits == 64) && !(asked_64 && *bits == 32))
    return PV_OK;
  pv_str_addf(fe->err, "%s: is compiled for %u bits, not %d", path, *bits, asked_32 ? 32 : 64);
  return PV_E_INPUT;
}

static enum pv_status link_all(struct pv_fe *fe, const char *const *bitcode, const bool *trusted,
                               unsigned n, struct diagnostics *d) {
  for (unsigned i = 0; i < n; i++) {
    if (!trusted[i]) PV_TRY(try_in_child(bitcode[i], &fe->options->limits, fe->err));
    LLVMModuleRef m = parse(fe->ctx, bitcode[i], fe->err);
    if (!m) return PV_E_INPUT;
    if (trusted[i]) split_coroutines(m), pv_fe_drop_overflow_checks(m);
    if (!fe->module) {
      fe->module = m;
      continue;
    }
    if (LLVMLinkModules2(fe->module, m)) {
      pv_str_add(fe->err, "cannot link the files: ");
      add_line(fe->err, pv_str_cstr(&d->text));
      return PV_E_INPUT;
    }
  }
  return PV_OK;
}

enum pv_status pv_fe_link(struct pv_fe *fe, const char *const *bitcode, const bool *trusted,
                          unsigned n) {
  struct diagnostics d = {{0}};
  unsigned bits = 0;
  LLVMContextSetDiagnosticHandler(fe->ctx, on_diagnostic, &d);
  enum pv_status st = link_all(fe, bitcode, trusted, n, &d);
  if (st == PV_OK) st = data_model(fe, fe->options->files.at[0], &bits);
  if (st == PV_OK) {
    fe->p = pv_program_new(bits);
    pv_fe_find_texts(fe);
    name_rounding(fe->module);
    st = add_models(fe, bits, &d);
    if (st == PV_OK) pv_fe_specialise_formats(fe);
    if (st == PV_OK) pv_fe_specialise_streams(fe);
  }
  if (st == PV_OK) st = pv_fe_give(fe);
  pv_str_free(&d.text);
  LLVMContextSetDiagnosticHandler(fe->ctx, NULL, NULL);
  if (st != PV_OK) return st;
  LLVMSetIsNewDbgInfoFormat(fe->module, 0); /* the C API of LLVM 19 cannot read debug records */
  fe->layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(fe->module));
  fe->ptr = PV_TYPE(PV_T_PTR, bits);
  fe->word = PV_INT(bits);
  return PV_OK;
}
