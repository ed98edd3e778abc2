#include "frontend/flags.h"

#include <stdlib.h>
#include <string.h>

/* Options whose value may be the next word. */
static const char *const with_value[] = {"-D",
                                         "-U",
                                         "-I",
                                         "-F",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-iquote",
                                         "-idirafter",
                                         "-isysroot",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-x",
                                         "-target",
                                         "-arch",
                                         "-iwithprefixbefore",
                                         "-iwithsysroot",
                                         "--sysroot",
                                         "--include-directory",
                                         "-std"};

/* Beginnings of what is refused although it looks like a warning, a feature or a machine option:
 * these write files, load code, or hand other options on. */
static const char *const refused[] = {"-Wp,",
                                      "-Wa,",
                                      "-Wl,",
                                      "-fplugin",
                                      "-fpass-plugin",
                                      "-fmodule",
                                      "-fimplicit-module",
                                      "-fprebuilt",
                                      "-fprofile",
                                      "-fcs-profile",
                                      "-fcoverage",
                                      "-ftest-coverage",
                                      "-fsave-optimization",
                                      "-foptimization",
                                      "-ftime-trace",
                                      "-ftime-report",
                                      "-fcrash",
                                      "-fproc-stat",
                                      "-fstack-usage",
                                      "-fdump",
                                      "-fthinlto",
                                      "-flto",
                                      "-fembed",
                                      "-fbuild",
                                      "-fuse-ld",
                                      "-fintegrated",
                                      "-fno-integrated",
                                      "-fsplit",
                                      "-fdriver",
                                      "-fdebug-compilation-dir",
                                      "-fxray",
                                      "-fsyntax-only",
                                      "-femit",
                                      "-fapinotes",
                                      "-include-pch",
                                      "-foffload",
                                      "-fopenmp-host",
                                      "-fgnu-runtime",
                                      "-fcodegen",
                                      "-fminimize",
                                      "-fsanitize-blacklist",
                                      "-fcas",
                                      "-fdepscan",
                                      "-mllvm",
                                      "-mmlir",
                                      "-gsplit",
                                      "-gen-",
                                      "-gcc-",
                                      "-gz",
                                      "-ggcc"};

/* Beginnings of what is harmless. */
static const char *const harmless[] = {
    "-D",        "-U",    "-I",        "-W",         "-O",        "-f",      "-m",
    "-g",        "-std=", "-include",  "-imacros",   "-isystem",  "-iquote", "-idirafter",
    "-isysroot", "-x",    "-pedantic", "--sysroot=", "--target=", "--std=",  "-ansi"};
static const char *const exactly[] = {"-w",         "-pthread",     "-pipe",
                                      "-nostdinc",  "-nostdlibinc", "-nobuiltininc",
                                      "-trigraphs", "-undef",       "-Qunused-arguments"};

/* Options for clang's front end that change only the translation. */
static const char *const of_front_end[] = {"-fsanitize-address-use-after-scope",
                                           "-disable-O0-optnone", "-fno-elide-constructors",
                                           "-disable-llvm-passes"};

#define IS_IN(T, WORD, BEGINS) is_in(T, sizeof(T) / sizeof *(T), WORD, BEGINS)
static bool is_in(const char *const *table, size_t n, const char *word, bool begins) {
  for (size_t i = 0; i < n; i++)
    if (begins ? !strncmp(word, table[i], strlen(table[i])) : !strcmp(word, table[i])) return true;
  return false;
}

enum pv_flag_kind pv_flag_kind(const char *flag) {
  if (IS_IN(with_value, flag, false)) return PV_FLAG_WITH_VALUE;
  if (IS_IN(refused, flag, true)) return PV_FLAG_REFUSED;
  if (IS_IN(harmless, flag, true) || IS_IN(exactly, flag, false)) return PV_FLAG_HARMLESS;
  return PV_FLAG_REFUSED;
}

static enum pv_status refuse(const char *flag, const char *value, struct pv_str *err) {
  pv_str_addf(err, "clang's argument `%s%s%s` is refused: it may write files or execute programs",
              flag, value ? " " : "", value ? value : "");
  return PV_E_INPUT;
}

/* Checks words that are passed one after the other. */
static enum pv_status check_words(char *const *at, uint32_t n, struct pv_str *err) {
  for (uint32_t i = 0; i < n; i++) {
    if (!strcmp(at[i], "-Xclang")) {
      if (++i == n || !IS_IN(of_front_end, at[i], false))
        return refuse("-Xclang", i < n ? at[i] : NULL, err);
      continue;
    }
    enum pv_flag_kind kind = pv_flag_kind(at[i]);
    if (kind == PV_FLAG_REFUSED) return refuse(at[i], NULL, err);
    if (kind == PV_FLAG_WITH_VALUE) i++;
  }
  return PV_OK;
}

enum pv_status pv_flags_check(const struct pv_options *o, struct pv_str *err) {
  PV_TRY(check_words(o->clang_args.at, o->clang_args.n, err));
  for (uint32_t i = 0; i < o->files.n; i++) {
    struct pv_texts words = {0};
    const char *rest = pv_options_file_flags(o, i);
    for (char *flag; (flag = pv_options_next_flag(&rest));) pv_vec_push(&words, flag);
    enum pv_status status = check_words(words.at, words.n, err);
    for (uint32_t k = 0; k < words.n; k++) free(words.at[k]);
    pv_vec_free(&words);
    PV_TRY(status);
  }
  return PV_OK;
}
