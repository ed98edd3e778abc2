/* load.c -- the frontend as a whole: private folder, compilation, linking, lowering of everything
 * that is reachable from the start. */
#include "frontend/assembly.h"
#include "frontend/flags.h"
#include "frontend/frontend_internal.h"
#include "ltl/spec.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <llvm-c/ErrorHandling.h>

void pv_fe_remove_folder(const char *folder) {
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    char *path = pv_format("%s/%s", folder, e->d_name);
    if (unlink(path) != 0) pv_fe_remove_folder(path);
    free(path);
  }
  if (d) closedir(d);
  rmdir(folder);
}

char *pv_fe_private_folder(const struct pv_options *o, struct pv_str *err) {
  const char *tmp = o->work.n ? pv_vec_last(&o->work) : getenv("TMPDIR");
  char *folder = pv_format("%s/proviso-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(folder)) return folder;
  pv_str_addf(err, "cannot make a folder for temporary files: %s: %s", folder, strerror(errno));
  free(folder);
  return NULL;
}

static enum pv_status check_kind(const char *file, struct pv_str *err) {
  PV_TRY(pv_fe_check_readable(file, err));
  if (pv_fe_is_source(file) || pv_fe_is_bitcode(file)) return PV_OK;
  pv_str_addf(err, "%s: unknown kind of file (known: .c .i .cpp .ll .bc)", file);
  return PV_E_INPUT;
}

struct inputs {
  char **path; /* bitcode files */
  bool *trusted;
  unsigned n;
};

static enum pv_status find_watched(struct pv_fe *fe) {
  const struct pv_options *o = fe->options;
  struct pv_ltl_spec spec;
  for (uint32_t i = 0; i < o->invariant.n; i++)
    pv_vec_push(&fe->watched.text, pv_strdup(o->invariant.at[i]));
  fe->watched.invariants = o->invariant.n;
  enum pv_status status = pv_ltl_spec_read(o, &spec, fe->err);
  for (uint32_t i = 0; i < spec.proposition.n && status == PV_OK; i++)
    if (spec.proposition.at[i].kind == PV_IS_EXPRESSION)
      pv_vec_push(&fe->watched.text, pv_strdup(spec.proposition.at[i].text));
  pv_ltl_spec_clear(&spec);
  return status;
}

static enum pv_status compile_all(struct pv_fe *fe, const char *folder, struct inputs *in) {
  const struct pv_options *o = fe->options;
  struct pv_str *err = fe->err;
  for (uint32_t i = 0; i < o->files.n; i++) PV_TRY(check_kind(o->files.at[i], err));
  PV_TRY(pv_flags_check(o, err));
  PV_TRY(find_watched(fe));
  const struct pv_watched *watched = fe->watched.text.n ? &fe->watched : NULL;
  if (watched && !pv_fe_is_c(o->files.at[0])) {
    pv_str_addf(err, "%s need C source: the first file must be a .c or .i file",
                fe->watched.invariants ? "invariants" : "propositions");
    return PV_E_INPUT;
  }
  for (uint32_t i = 0; i < o->files.n; i++) {
    const char *file = o->files.at[i];
    in->n = i + 1;
    in->trusted[i] = pv_fe_is_source(file);
    in->path[i] = in->trusted[i] ? pv_format("%s/%u.bc", folder, i) : pv_strdup(file);
    const struct pv_fe_input input = {.options = o,
                                      .number = i,
                                      .folder = folder,
                                      .out = in->path[i],
                                      .watched = i == 0 ? watched : NULL,
                                      .compiled = fe->compiled};
    if (in->trusted[i]) PV_TRY(pv_fe_compile(&input, &fe->folded, &fe->old, err));
    if (in->trusted[i] || !*pv_options_file_flags(o, i)) continue;
    pv_str_addf(err, "%s: flags for clang are for source files", file);
    return PV_E_INPUT;
  }
  return PV_OK;
}

enum pv_status pv_fe_native(const struct pv_options *o, const char *folder, const char *sanitizer,
                            struct pv_texts *out, struct pv_str *err) {
  struct pv_str folded = {0};
  struct pv_old_c old = {0};
  enum pv_status status = PV_OK;
  if (!o->files.n) {
    pv_str_add(err, "no input file");
    return PV_E_INPUT;
  }
  for (uint32_t i = 0; i < o->files.n && status == PV_OK; i++) {
    const char *file = o->files.at[i];
    status = check_kind(file, err);
    if (status != PV_OK) break;
    bool source = pv_fe_is_source(file);
    char *path = source ? pv_format("%s/%u.bc", folder, i) : pv_strdup(file);
    const struct pv_fe_input input = {.options = o,
                                      .number = i,
                                      .folder = folder,
                                      .out = path,
                                      .native = true,
                                      .sanitizer = sanitizer};
    if (source) status = pv_fe_compile(&input, &folded, &old, err);
    pv_vec_push(out, path);
  }
  pv_str_free(&folded);
  pv_old_c_free(&old);
  return status;
}

static enum pv_status compile_and_link(struct pv_fe *fe) {
  const struct pv_options *o = fe->options;
  if (!o->files.n) {
    pv_str_add(fe->err, "no input file");
    return PV_E_INPUT;
  }
  char *folder = pv_fe_private_folder(fe->options, fe->err);
  if (!folder) return PV_E_INPUT;
  struct inputs in = {.path = pv_alloc(o->files.n * sizeof(char *)),
                      .trusted = pv_alloc(o->files.n * sizeof(bool))};
  fe->foreign = pv_fe_optimises(o);
  fe->all_c = true;
  for (uint32_t i = 0; i < o->files.n; i++) fe->all_c &= pv_fe_is_c(o->files.at[i]);
  for (uint32_t i = 0; i < o->files.n; i++) fe->foreign |= !pv_fe_is_source(o->files.at[i]);
  enum pv_status st = compile_all(fe, folder, &in);
  if (st == PV_OK) st = pv_fe_link(fe, (const char *const *)in.path, in.trusted, in.n);
  for (unsigned i = 0; i < in.n; i++) free(in.path[i]);
  free(in.path);
  free(in.trusted);
  pv_fe_remove_folder(folder);
  free(folder);
  return st;
}

/* ---- the scheduler plug-in --------------------------------------------------------------------
 */
/* The first plug-in that has the primitive. */
static const struct pv_sched *owner(const char *primitive) {
  for (const struct pv_sched *const *s = pv_scheds; *s; s++)
    if (pv_sched_find(*s, primitive)) return *s;
  return NULL;
}

/* The plug-in whose primitives the program and its models call. Primitives of pthread in a program
 * of another plug-in are functions without a body: paths end there, with a proviso. */
static enum pv_status find_sched(struct pv_fe *fe) {
  size_t n;
  const struct pv_sched *found = &pv_sched_pthread;
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f)) {
    const struct pv_sched *s = LLVMIsDeclaration(f) ? owner(LLVMGetValueName2(f, &n)) : NULL;
    if (!s || s == &pv_sched_pthread || s == found) continue;
    if (found != &pv_sched_pthread) {
      pv_str_addf(fe->err, "the program uses two schedulers, `%s` and `%s`", found->name, s->name);
      return PV_E_INPUT;
    }
    found = s;
  }
  fe->sched = found;
  return PV_OK;
}

/* Makes the plug-in's bottom frame of threads the program's. */
static void name_bottom(struct pv_fe *fe) {
  static const char name[] = "__proviso_thread_main";
  LLVMValueRef bottom = LLVMGetNamedFunction(fe->module, fe->sched->bottom);
  LLVMValueRef other = LLVMGetNamedFunction(fe->module, name);
  if (!bottom || bottom == other) return;
  if (other) LLVMSetValueName2(other, "__proviso_other_thread_main", 27);
  LLVMSetValueName2(bottom, name, sizeof name - 1);
}

static enum pv_status choose_sched(struct pv_fe *fe) {
  if (!fe->sched && fe->options->scheduler) fe->sched = pv_scheds[fe->options->scheduler - 1];
  if (!fe->sched) PV_TRY(find_sched(fe));
  name_bottom(fe);
  return PV_OK;
}

static void add_watched(struct pv_fe *fe) {
  for (uint32_t i = 0; i < fe->watched.text.n; i++) {
    char *name = pv_format("__proviso_watched_%u", i);
    LLVMValueRef f = LLVMGetNamedFunction(fe->module, name);
    if (f) {
      uint32_t index = pv_fe_function_body(fe, f);
      fe->p->functions.at[index].is_model = fe->p->functions.at[index].is_library = true;
      pv_vec_push(&fe->p->invariants, index);
    }
    free(name);
  }
}

/* Assembly at file scope may define, rename or change anything, so it is rejected. */
static void look_for_assembly(struct pv_fe *fe) {
  size_t n;
  const char *text = LLVMGetModuleInlineAsm(fe->module, &n);
  if (n && !pv_asm_only_marks(text, n)) fe->cannot_start = "assembly at file scope";
}

/* Adds a STOP at the start if something at file scope cannot be expressed: it must not be
 * ignored. */
static void refuse_start(struct pv_fe *fe) {
  struct pv_function *f = &fe->p->functions.at[fe->p->start];
  if (!fe->cannot_start) return;
  pv_loc first = pv_loc_add(f);
  struct pv_edge stop = pv_edge_of(PV_OP_STOP, first, f->exit);
  stop.aux = PV_STOP_UNSUPPORTED;
  stop.text = fe->cannot_start;
  pv_vec_push(&f->edges, stop);
  f->entry = first;
  pv_function_finish(fe->p, f);
}

/* Has the program an edge for an overflow in that line, "file:line"? */
static bool checks_overflow(const struct pv_program *p, const char *line) {
  bool found = false;
  for (uint32_t f = 0; f < p->functions.n && !found; f++) {
    const struct pv_function *fn = &p->functions.at[f];
    for (uint32_t i = 0; i < fn->edges.n && !found; i++) {
      const struct pv_edge *e = &fn->edges.at[i];
      if (e->op != PV_OP_CHECK || e->aux != PV_CHECK_OVERFLOW) continue;
      char *own = pv_format("%s:%u", pv_span_file(p, e->span), pv_span_of(p, e->span)->line);
      found = !strcmp(own, line);
      free(own);
    }
  }
  return found;
}

/* Keeps the lines in which no edge shows the overflow. */
static void keep_folded(struct pv_fe *fe) {
  for (char *line = strtok(fe->folded.at, "\n"); line; line = strtok(NULL, "\n"))
    if (!checks_overflow(fe->p, line))
      pv_vec_push(&fe->p->folded_overflows, pv_program_string(fe->p, line));
}

static void keep_note(struct pv_fe *fe) {
  char *note = pv_old_c_note(&fe->old);
  if (note) pv_vec_push(&fe->p->notes, pv_program_string(fe->p, note));
  free(note);
}

static enum pv_status lower_all(struct pv_fe *fe) {
  fe->p->sched = fe->sched;
  PV_TRY(pv_fe_make_start(fe));
  add_watched(fe);
  while (fe->functions_done < fe->p->functions.n || fe->globals_done < fe->p->globals.n) {
    while (fe->functions_done < fe->p->functions.n) pv_fe_lower_function(fe, fe->functions_done++);
    while (fe->globals_done < fe->p->globals.n) pv_fe_lower_global(fe, fe->globals_done++);
  }
  if (fe->p->start != PV_NO_FUNC) pv_fe_choose_undefined(fe, fe->undefined);
  look_for_assembly(fe);
  if (fe->p->start != PV_NO_FUNC) { /* a user of a library may write anything */
    refuse_start(fe);
    if (fe->folded.n) keep_folded(fe);
    pv_program_fold_unwritten(fe->p);
    pv_program_drop_idle(fe->p);
  }
  keep_note(fe);
  pv_fe_note_imports(fe);
  pv_fe_finish_types(fe);
  char *broken = pv_program_verify(fe->p);
  if (!broken) return PV_OK;
  pv_str_addf(fe->err, "internal error: the program was lowered wrongly: %s", broken);
  free(broken);
  return PV_E_INTERNAL;
}

static void clean_up(struct pv_fe *fe) {
  pv_str_free(&fe->folded);
  pv_old_c_free(&fe->old);
  if (fe->layout) LLVMDisposeTargetData(fe->layout);
  if (fe->module) LLVMDisposeModule(fe->module);
  LLVMContextDispose(fe->ctx);
  pv_map_free(&fe->function_of);
  pv_map_free(&fe->global_of);
  pv_map_free(&fe->srctype_of);
  pv_map_free(&fe->file_of);
  pv_map_free(&fe->span_of);
  pv_map_free(&fe->stmt_of);
  pv_map_free(&fe->prim_of);
  pv_vec_free(&fe->source);
  pv_vec_free(&fe->global_source);
  pv_vec_free(&fe->info);
  pv_vec_free(&fe->typedefs);
  for (uint32_t i = 0; i < fe->watched.text.n; i++) free(fe->watched.text.at[i]);
  pv_vec_free(&fe->watched.text);
  for (uint32_t i = 0; i < fe->statements.n; i++) pv_vec_free(&fe->statements.at[i].start);
  pv_vec_free(&fe->statements);
}

/* Replaces LLVM's own report of fatal errors, which is for its developers. */
static void on_fatal(const char *reason) {
  fprintf(stderr, "proviso: internal error in LLVM: %s\n", reason);
  _Exit(70);
}

enum pv_status pv_load(const struct pv_options *options, const struct pv_sched *sched,
                       struct pv_program **out, struct pv_str *err) {
  return pv_load_cached(options, sched, NULL, out, err);
}

enum pv_status pv_load_cached(const struct pv_options *options, const struct pv_sched *sched,
                              struct pv_compiled *compiled, struct pv_program **out,
                              struct pv_str *err) {
  struct pv_fe fe = {.compiled = compiled,
                     .options = options,
                     .sched = sched,
                     .err = err,
                     .undefined = PV_NO_FUNC};
  *out = NULL;
  LLVMResetFatalErrorHandler();
  LLVMInstallFatalErrorHandler(on_fatal);
  fe.ctx = LLVMContextCreate();
  enum pv_status st = compile_and_link(&fe);
  if (st == PV_OK) st = choose_sched(&fe);
  if (st == PV_OK) st = lower_all(&fe);
  clean_up(&fe);
  if (st == PV_OK)
    *out = fe.p;
  else
    pv_program_free(fe.p);
  return st;
}
