/* given.c -- what options say that the caller gives: arguments, environment, standard input, files.
 * They become initial values of variables of the models, so that every engine knows them exactly.
 */
#include "frontend/given.h"
#include "frontend/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 1 << 20, MOST_WORDS = 4096 };

struct words {
  PV_VEC(char *) at; /* owned */
};

static void free_words(struct words *w) {
  for (uint32_t i = 0; i < w->at.n; i++) free(w->at.at[i]);
  pv_vec_free(&w->at);
}

/* ---- words as a shell splits them ------------------------------------------------------------ */
/* Appends the characters from *s to the end of the word. Returns false if a quote is not closed. */
static bool next_word(const char **s, struct pv_str *word) {
  char quote = 0;
  for (; **s; ++*s) {
    if (!quote && strchr(" \t\n", **s)) break;
    if (quote ? **s == quote : **s == '\'' || **s == '"') {
      quote = quote ? 0 : **s;
    } else if (**s == '\\' && quote != '\'') {
      bool escapes = !quote || (*s)[1] == '"' || (*s)[1] == '\\';
      if (!escapes) pv_str_addc(word, '\\');
      if (!*++*s) return false;
      pv_str_addc(word, **s);
    } else {
      pv_str_addc(word, **s);
    }
  }
  return !quote;
}

static bool split_words(const char *s, struct words *out) {
  while (*(s += strspn(s, " \t\n"))) {
    struct pv_str word = {0};
    bool closed = next_word(&s, &word);
    if (closed) pv_vec_push(&out->at, pv_strdup(pv_str_cstr(&word)));
    pv_str_free(&word);
    if (!closed || out->at.n > MOST_WORDS) return false;
  }
  return true;
}

/* ---- values of variables --------------------------------------------------------------------- */
static LLVMValueRef add_bytes(struct pv_fe *fe, const char *name, const char *bytes, size_t n,
                              bool is_const) {
  LLVMValueRef text = LLVMConstStringInContext2(fe->ctx, bytes, n, true);
  LLVMValueRef g = LLVMAddGlobal(fe->module, LLVMTypeOf(text), name);
  LLVMSetInitializer(g, text);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetGlobalConstant(g, is_const);
  return g;
}

/* An array of pointers to writable strings, with a null pointer at the end. */
static LLVMValueRef add_strings(struct pv_fe *fe, const char *name, const struct words *words) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(fe->ctx, 0);
  LLVMValueRef *entries = pv_alloc((words->at.n + 1) * sizeof *entries);
  for (uint32_t i = 0; i < words->at.n; i++) {
    char *own = pv_format("%s[%u]", name, i);
    entries[i] = add_bytes(fe, own, words->at.at[i], strlen(words->at.at[i]) + 1, false);
    free(own);
  }
  entries[words->at.n] = LLVMConstNull(pointer);
  LLVMValueRef all = LLVMConstArray2(pointer, entries, words->at.n + 1);
  LLVMValueRef g = LLVMAddGlobal(fe->module, LLVMTypeOf(all), name);
  LLVMSetInitializer(g, all);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  free(entries);
  return g;
}

/* Sets a constant of the models. */
static void set_flag(struct pv_fe *fe, const char *variable, bool value) {
  LLVMValueRef g = LLVMGetNamedGlobal(fe->module, variable);
  if (!g || !value) return;
  LLVMSetInitializer(g, LLVMConstInt(LLVMGlobalGetValueType(g), 1, false));
}

bool pv_fe_flag(LLVMValueRef variable, uint64_t *value) {
  static const char prefix[] = "__proviso_has_";
  size_t n;
  LLVMValueRef init = LLVMIsAGlobalVariable(variable) ? LLVMGetInitializer(variable) : NULL;
  if (!init || !LLVMIsGlobalConstant(variable) || !LLVMIsAConstantInt(init)) return false;
  if (strncmp(LLVMGetValueName2(variable, &n), prefix, sizeof prefix - 1)) return false;
  *value = LLVMConstIntGetZExtValue(init);
  return true;
}

/* A model that the program does not need is not linked. */
static void set_pointer(struct pv_fe *fe, const char *variable, LLVMValueRef to) {
  LLVMValueRef g = LLVMGetNamedGlobal(fe->module, variable);
  if (g && !LLVMIsDeclaration(g)) LLVMSetInitializer(g, to);
}

static void set_number(struct pv_fe *fe, const char *variable, uint64_t value) {
  LLVMValueRef g = LLVMGetNamedGlobal(fe->module, variable);
  if (g && !LLVMIsDeclaration(g))
    LLVMSetInitializer(g, LLVMConstInt(LLVMGlobalGetValueType(g), value, false));
}

static enum pv_status give_arguments(struct pv_fe *fe) {
  const struct pv_options *o = fe->options;
  struct words words = {{0}};
  if (!o->args.n) return PV_OK;
  pv_vec_push(&words.at, pv_strdup("program"));
  bool fine = split_words(o->args.at[0], &words);
  if (fine) {
    set_pointer(fe, "__proviso_argv", add_strings(fe, "argv", &words));
    set_number(fe, "__proviso_argc", words.at.n);
  } else {
    pv_str_addf(fe->err, "option `--args`: `%s` has a quote that is not closed, or too many words",
                o->args.at[0]);
  }
  free_words(&words);
  return fine ? PV_OK : PV_E_INPUT;
}

static enum pv_status give_environment(struct pv_fe *fe) {
  const struct pv_options *o = fe->options;
  struct words words = {{0}};
  for (uint32_t i = 0; i < o->env.n; i++) {
    if (!strchr(o->env.at[i], '=') || o->env.at[i][0] == '=') {
      pv_str_addf(fe->err, "option `--env`: `%s` is not NAME=VALUE", o->env.at[i]);
      free_words(&words);
      return PV_E_INPUT;
    }
    pv_vec_push(&words.at, pv_strdup(o->env.at[i]));
  }
  if (words.at.n) {
    LLVMValueRef all = add_strings(fe, "environ", &words);
    set_pointer(fe, "environ", all);
    set_pointer(fe, "__environ", all);
    set_number(fe, "__proviso_environment_given", 1);
  }
  free_words(&words);
  return PV_OK;
}

/* ---- contents of files ----------------------------------------------------------------------- */
static enum pv_status read_whole(const char *option, const char *path, struct pv_str *out,
                                 struct pv_str *err) {
  struct stat info;
  char buffer[4096];
  size_t n;
  FILE *f = fopen(path, "rb");
  if (!f || fstat(fileno(f), &info) != 0) {
    pv_str_addf(err, "option `--%s`: %s: %s", option, path, strerror(errno));
    if (f) fclose(f);
    return PV_E_INPUT;
  }
  const char *why = S_ISDIR(info.st_mode) ? "is a directory" : NULL;
  while (!why && (n = fread(buffer, 1, sizeof buffer, f)) > 0) {
    pv_str_addn(out, buffer, n);
    if (out->n > LARGEST_FILE) why = "is larger than 1 MiB";
  }
  if (!why && ferror(f)) why = "cannot be read";
  fclose(f);
  if (!why) return PV_OK;
  pv_str_addf(err, "option `--%s`: %s %s", option, path, why);
  return PV_E_INPUT;
}

static enum pv_status give_stdin(struct pv_fe *fe) {
  const struct pv_options *o = fe->options;
  struct pv_str bytes = {0};
  if (!o->stdin_file.n) return PV_OK;
  enum pv_status st = read_whole("stdin", o->stdin_file.at[0], &bytes, fe->err);
  if (st == PV_OK) {
    uint64_t n = bytes.n;
    pv_str_addc(&bytes, 0); /* so that it is never empty */
    set_pointer(fe, "__proviso_stdin_bytes",
                add_bytes(fe, "standard input", bytes.at, bytes.n, true));
    set_number(fe, "__proviso_stdin_length", n);
    set_number(fe, "__proviso_stdin_given", 1);
  }
  pv_str_free(&bytes);
  return st;
}

/* NAME=PATH: creates an entry of the table, a struct given_file of models/file.c. */
static enum pv_status give_file(struct pv_fe *fe, const char *word, LLVMValueRef *entry) {
  struct pv_str bytes = {0};
  const char *equals = strchr(word, '=');
  if (!equals || equals == word || !equals[1]) {
    pv_str_addf(fe->err, "option `--file`: `%s` is not NAME=PATH", word);
    return PV_E_INPUT;
  }
  enum pv_status st = read_whole("file", equals + 1, &bytes, fe->err);
  if (st == PV_OK) {
    char *name = pv_strdup(word);
    name[equals - word] = '\0';
    LLVMTypeRef size = LLVMIntPtrTypeInContext(fe->ctx, LLVMGetModuleDataLayout(fe->module));
    LLVMValueRef length = LLVMConstInt(size, bytes.n, false);
    pv_str_addc(&bytes, 0); /* so that it is never empty */
    LLVMValueRef parts[] = {
        add_bytes(fe, "name of a file", name, (size_t)(equals - word) + 1, true),
        add_bytes(fe, "file", bytes.at, bytes.n, true), length};
    *entry = LLVMConstStructInContext(fe->ctx, parts, 3, false);
    free(name);
  }
  pv_str_free(&bytes);
  return st;
}

static bool same_name(const char *a, const char *b) {
  size_t n = strcspn(a, "=");
  return n == strcspn(b, "=") && !strncmp(a, b, n);
}

static enum pv_status give_files(struct pv_fe *fe) {
  const struct pv_texts *files = &fe->options->file;
  if (!files->n) return PV_OK;
  LLVMValueRef *entries = pv_alloc(files->n * sizeof *entries);
  enum pv_status st = PV_OK;
  for (uint32_t i = 0; i < files->n && st == PV_OK; i++) {
    for (uint32_t k = 0; k < i; k++)
      if (same_name(files->at[i], files->at[k])) {
        pv_str_addf(fe->err, "option `--file`: `%s` is given more than once", files->at[i]);
        st = PV_E_INPUT;
        break;
      }
    if (st == PV_OK) st = give_file(fe, files->at[i], &entries[i]);
  }
  if (st == PV_OK) {
    LLVMValueRef all = LLVMConstArray2(LLVMTypeOf(entries[0]), entries, files->n);
    LLVMValueRef g = LLVMAddGlobal(fe->module, LLVMTypeOf(all), "files");
    LLVMSetInitializer(g, all);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, true);
    set_pointer(fe, "__proviso_given_files", g);
    set_number(fe, "__proviso_given_files_count", files->n);
  }
  free(entries);
  return st;
}

/* Does the program refer to this function of the library? */
static bool refers_to(struct pv_fe *fe, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(fe->module, name);
  return f && LLVMGetFirstUse(f) && !LLVMIsDeclaration(f) && pv_fe_is_model(f);
}

/* Would an ending thread have to run destructors, or other code for exceptions? In C++, and in C
 * with -fexceptions. What follows a call that does not return is not even in the module, so the
 * names of functions decide. */
static bool may_have_destructors(struct pv_fe *fe) {
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f)) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (LLVMIsDeclaration(f) || pv_fe_is_model(f)) continue;
    if (LLVMHasPersonalityFn(f) || !strncmp(name, "_Z", 2)) return true;
  }
  return false;
}

static void look_for_cancellation(struct pv_fe *fe) {
  bool cancels = refers_to(fe, "pthread_cancel");
  bool handles = refers_to(fe, "__pthread_register_cancel") ||
                 refers_to(fe, "__pthread_register_cancel_defer");
  bool leaves = refers_to(fe, "pthread_exit") || refers_to(fe, "thrd_exit");
  if (may_have_destructors(fe)) {
    set_flag(fe, "__proviso_has_destructors", true);
    return;
  }
  fe->has_cancel = cancels;
  fe->has_cleanup = handles && (cancels || leaves);
  set_flag(fe, "__proviso_has_cancel", fe->has_cancel);
  set_flag(fe, "__proviso_has_cleanup", fe->has_cleanup);
}

/* Does the program ask for the results of threads? */
static bool reads_thread_results(struct pv_fe *fe) {
  static const char *const joins[] = {"pthread_join", "thrd_join", "__proviso_ft_pthread_join"};
  for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
    LLVMValueRef f = LLVMGetNamedFunction(fe->module, joins[i]);
    for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      bool calls = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f;
      if (!calls || LLVMGetNumArgOperands(user) != 2) return true;
      if (!LLVMIsAConstantPointerNull(LLVMGetOperand(user, 1))) return true;
    }
  }
  return false;
}

/* What the program reads of the state of a SystemC simulation. */
static void look_for_simulation(struct pv_fe *fe) {
  set_flag(fe, "__proviso_has_sysc_time", refers_to(fe, "sysc_now"));
  set_flag(fe, "__proviso_has_sysc_deltas", refers_to(fe, "sysc_deltas"));
  set_flag(fe, "__proviso_has_sysc_triggered", refers_to(fe, "sysc_is_triggered"));
  set_flag(fe, "__proviso_has_sysc_timed_out", refers_to(fe, "sysc_timed_out"));
  set_flag(fe, "__proviso_has_sysc_activity",
           refers_to(fe, "sysc_activity") || refers_to(fe, "sysc_time_to_activity"));
}

enum pv_status pv_fe_give(struct pv_fe *fe) {
  look_for_cancellation(fe);
  fe->p->reads_thread_results = reads_thread_results(fe);
  set_flag(fe, "__proviso_has_files", pv_fe_opens_files(fe));
  LLVMValueRef create = LLVMGetNamedFunction(fe->module, "__proviso_thread_create");
  set_flag(fe, "__proviso_has_threads", create && LLVMGetFirstUse(create));
  look_for_simulation(fe);
  PV_TRY(give_arguments(fe));
  PV_TRY(give_environment(fe));
  PV_TRY(give_stdin(fe));
  return give_files(fe);
}
