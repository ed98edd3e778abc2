#include "base/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define X(N, C, F, D, L, U, H)                                                                     \
  _Static_assert((L) <= (D) && (D) <= (U), N ": the default is out of range");
PV_NUMBER_OPTIONS(X)
#undef X

#define AT(F) offsetof(struct pv_options, F)
const struct pv_option_info pv_option_table[] = {
#define X(N, C, F, P, H) {N, PV_OPTION_TEXT, C, AT(F), NULL, P, 0, 0, 0, H},
    PV_TEXT_OPTIONS(X)
#undef X
#define X(N, C, F, D, V, H) {N, PV_OPTION_CHOICE, C, AT(F), D, V, 0, 0, 0, H},
        PV_CHOICE_OPTIONS(X)
#undef X
#define X(N, C, F, D, L, U, H) {N, PV_OPTION_NUMBER, C, AT(F), NULL, "N", D, L, U, H},
            PV_NUMBER_OPTIONS(X)
#undef X
#define X(N, C, F, H) {N, PV_OPTION_SWITCH, C, AT(F), NULL, NULL, 0, 0, 0, H},
                PV_SWITCH_OPTIONS(X)
#undef X
};
const size_t pv_option_count = sizeof pv_option_table / sizeof *pv_option_table;

struct pv_option_info pv_option_for(const struct pv_option_info *info, unsigned commands) {
  static const struct pv_option_info variants[] = {
#define X(N, C, V, D, H) {.name = N, .commands = C, .values = V, .dflt = D, .help = H},
      PV_OPTION_VARIANTS(X)
#undef X
  };
  struct pv_option_info own = *info;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (variants[i].commands == commands && !strcmp(variants[i].name, info->name)) {
      own.values = variants[i].values;
      own.help = variants[i].help;
      if (variants[i].dflt) own.dflt = variants[i].dflt;
    }
  return own;
}

static void *field(struct pv_options *o, const struct pv_option_info *i) {
  return (char *)o + i->offset;
}

static const struct pv_option_info *find(const char *name, size_t n) {
  for (size_t i = 0; i < pv_option_count; i++)
    if (strlen(pv_option_table[i].name) == n && !memcmp(pv_option_table[i].name, name, n))
      return &pv_option_table[i];
  return NULL;
}

/* The index of `value` in "a|b|c", or -1. */
static int choice_index(const char *values, const char *value) {
  size_t n = strlen(value);
  for (int i = 0;; i++) {
    size_t length = strcspn(values, "|");
    if (length == n && !memcmp(values, value, n)) return i;
    if (!values[length]) return -1;
    values += length + 1;
  }
}

static void texts_free(struct pv_texts *t) {
  for (uint32_t i = 0; i < t->n; i++) free(t->at[i]);
  pv_vec_free(t);
}

void pv_options_init(struct pv_options *o) {
  *o = (struct pv_options){0};
  for (size_t i = 0; i < pv_option_count; i++) {
    const struct pv_option_info *info = &pv_option_table[i];
    if (info->kind == PV_OPTION_CHOICE)
      *(int *)field(o, info) = choice_index(info->values, info->dflt);
    if (info->kind == PV_OPTION_NUMBER) *(long *)field(o, info) = info->number;
  }
  o->properties = pv_properties_default();
  o->limits.memory = pv_limits_default_memory();
}

void pv_options_free(struct pv_options *o) {
  for (size_t i = 0; i < pv_option_count; i++)
    if (pv_option_table[i].kind == PV_OPTION_TEXT) texts_free(field(o, &pv_option_table[i]));
  texts_free(&o->files);
  texts_free(&o->file_flags);
  texts_free(&o->clang_args);
}

/* ---- suggestions ----------------------------------------------------------------------------- */
enum { LONGEST_WORD = 40 };

/* The number of edits (insert, delete, replace, swap neighbours) that turn a into b. */
static unsigned edit_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  unsigned d[LONGEST_WORD + 1][LONGEST_WORD + 1];
  if (n > LONGEST_WORD || m > LONGEST_WORD) return UINT32_MAX;
  for (unsigned i = 0; i <= n; i++) d[i][0] = i;
  for (unsigned j = 0; j <= m; j++) d[0][j] = j;
  for (size_t i = 1; i <= n; i++)
    for (size_t j = 1; j <= m; j++) {
      unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < best)
        best = d[i - 2][j - 2] + 1;
      d[i][j] = best;
    }
  return d[n][m];
}

const char *pv_nearest(const char *word, const char *const *names, size_t n) {
  const char *nearest = NULL;
  size_t length = strlen(word);
  unsigned best = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    unsigned distance = edit_distance(word, names[i]);
    /* a prefix counts as one typing error: "prop" suggests "property" */
    if (length >= 3 && !strncmp(word, names[i], length) && distance > 1) distance = 1;
    if (distance < best) best = distance, nearest = names[i];
  }
  return best <= 1 + length / 3 ? nearest : NULL;
}

static bool applies(const struct pv_options *o, const struct pv_option_info *info) {
  return !o->command || (info->commands & o->command);
}

static enum pv_status unknown_option(const struct pv_options *o, const char *name, size_t n,
                                     struct pv_str *err) {
  const char *names[sizeof pv_option_table / sizeof *pv_option_table];
  size_t count = 0;
  for (size_t i = 0; i < pv_option_count; i++)
    if (applies(o, &pv_option_table[i])) names[count++] = pv_option_table[i].name;
  char *word = pv_format("%.*s", (int)n, name);
  const char *nearest = pv_nearest(word, names, count);
  if (nearest)
    pv_str_addf(err, "unknown option `--%s`; did you mean `--%s`?", word, nearest);
  else
    pv_str_addf(err, "unknown option `--%s`; see `proviso help`", word);
  free(word);
  return PV_E_INPUT;
}

/* "a, b or c" out of "a|b|c" */
static void add_values(const char *values, struct pv_str *out) {
  for (;;) {
    size_t n = strcspn(values, "|");
    pv_str_addn(out, values, n);
    if (!values[n]) return;
    values += n + 1;
    pv_str_add(out, strchr(values, '|') ? ", " : " or ");
  }
}

static void wrong_value(const struct pv_option_info *info, const char *value, struct pv_str *err) {
  pv_str_addf(err, "option `--%s`: ", info->name);
  if (value)
    pv_str_addf(err, "`%s` is not ", value);
  else
    pv_str_add(err, "a value is missing: ");
  if (info->kind == PV_OPTION_CHOICE)
    add_values(info->values, err);
  else if (info->kind == PV_OPTION_NUMBER)
    pv_str_addf(err, "a number from %ld to %ld", info->low, info->high);
  else if (info->kind == PV_OPTION_SWITCH)
    pv_str_add(err, "0 or 1");
  else
    pv_str_add(err, info->values);
}

/* ---- setting --------------------------------------------------------------------------------- */

/* Properties that an option asks for by being there. */
enum {
  BY_OPTION = PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_OBSERVER) |
              PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION) | PV_PROP_BIT(PV_PROP_LTL) |
              PV_PROP_BIT(PV_PROP_STARVATION_FREE)
};

/* The effect of a text option besides storing the text. */
static enum pv_status understand(struct pv_options *o, const struct pv_option_info *info,
                                 const char *value, struct pv_str *err) {
  bool property = !strcmp(info->name, "property"), spec = !strcmp(info->name, "spec");
  if (property || spec) {
    pv_properties set = o->properties;
    /* the first one replaces the default set; properties that other options ask for stay */
    if (!o->property.n && !o->spec.n) set &= BY_OPTION;
    PV_TRY(property ? pv_properties_parse(value, &set, err)
                    : pv_properties_read_spec(value, &set, err));
    o->properties = set;
  }
  if (!strcmp(info->name, "invariant")) o->properties |= PV_PROP_BIT(PV_PROP_INVARIANT);
  if (!strcmp(info->name, "observer")) o->properties |= PV_PROP_BIT(PV_PROP_OBSERVER);
  if (!strcmp(info->name, "mutex-region")) o->properties |= PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION);
  bool ltl = !strcmp(info->name, "ltl"), starvation = !strcmp(info->name, "starvation-free");
  if (ltl || starvation) {
    /* A formula is a question of its own: the default set is not asked for beside it. */
    if (!o->property.n && !o->spec.n) o->properties &= BY_OPTION;
    o->properties |= PV_PROP_BIT(ltl ? PV_PROP_LTL : PV_PROP_STARVATION_FREE);
  }
  if (!strcmp(info->name, "limit")) PV_TRY(pv_limits_parse(value, &o->limits, err));
  if (!strcmp(info->name, "condition")) PV_TRY(pv_monitors_parse(value, &o->monitors, err));
  return PV_OK;
}

static enum pv_status set_option(struct pv_options *o, const struct pv_option_info *info,
                                 const char *value, struct pv_str *err) {
  const struct pv_option_info variant = pv_option_for(info, o->command);
  char *end = NULL;
  long number;
  switch (info->kind) {
  case PV_OPTION_CHOICE:
    if (!value || choice_index(variant.values, value) < 0) break;
    *(int *)field(o, info) = choice_index(info->values, value);
    return PV_OK;
  case PV_OPTION_NUMBER:
    if (!value || strspn(value, "0123456789") != strlen(value) || !*value) break;
    errno = 0;
    number = strtol(value, &end, 10);
    if (errno || number < info->low || number > info->high) break;
    *(long *)field(o, info) = number;
    return PV_OK;
  case PV_OPTION_SWITCH:
    if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0) break;
    *(bool *)field(o, info) = !value || *value == '1';
    return PV_OK;
  case PV_OPTION_TEXT:
    if (!value || (!*value && strcmp(info->name, "args") != 0)) {
      wrong_value(info, NULL, err);
      return PV_E_INPUT;
    }
    PV_TRY(understand(o, info, value, err));
    pv_vec_push((struct pv_texts *)field(o, info), pv_strdup(value));
    return PV_OK;
  }
  wrong_value(&variant, value, err);
  return PV_E_INPUT;
}

enum pv_status pv_options_set(struct pv_options *o, const char *name, const char *value,
                              struct pv_str *err) {
  struct pv_str ignored = {0};
  const struct pv_option_info *info = find(name, strlen(name));
  struct pv_str *to = err ? err : &ignored;
  enum pv_status status = info && applies(o, info) ? set_option(o, info, value, to)
                                                   : unknown_option(o, name, strlen(name), to);
  pv_str_free(&ignored);
  return status;
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* The option that a short word stands for. */
static const char *long_name(const char *word) {
  if (!strcmp(word, "-n")) return "--parts";
  if (!strcmp(word, "-o")) return "--output";
  if (!strcmp(word, "-p")) return "--project";
  return word;
}

/* Parses a word that begins with --, or stands for one that does. Moves *i past the value if that
 * is the next word. */
static enum pv_status parse_option(struct pv_options *o, int argc, char **argv, int *i,
                                   struct pv_str *err) {
  const char *name = long_name(argv[*i]) + 2, *value = NULL;
  size_t n = strcspn(name, "=");
  const struct pv_option_info *info = find(name, n);
  if (!info) return unknown_option(o, name, n, err);
  if (!applies(o, info)) {
    pv_str_addf(err, "option `--%s` does not belong to this command", info->name);
    return PV_E_INPUT;
  }
  if (name[n] == '=')
    value = name + n + 1;
  else if (info->kind != PV_OPTION_SWITCH)
    value = *i + 1 < argc ? argv[++*i] : NULL;
  return set_option(o, info, value, err);
}

/* The position of the flags in FILE:-FLAG..., or NULL: after the longest prefix that names a file,
 * else after the first colon. */
static const char *find_flags(const char *word) {
  const char *first = strstr(word, ":-"), *found = NULL;
  if (!first || first == word || access(word, F_OK) == 0) return NULL;
  for (const char *at = first; at; at = strstr(at + 1, ":-")) {
    char *name = pv_format("%.*s", (int)(at - word), word);
    if (access(name, F_OK) == 0) found = at;
    free(name);
  }
  return found ? found : first;
}

void pv_options_add_file(struct pv_options *o, const char *word) {
  const char *flags = find_flags(word);
  if (!flags) {
    pv_vec_push(&o->files, pv_strdup(word));
    return;
  }
  pv_vec_push(&o->files, pv_format("%.*s", (int)(flags - word), word));
  while (o->file_flags.n + 1 < o->files.n) pv_vec_push(&o->file_flags, pv_strdup(""));
  pv_vec_push(&o->file_flags, pv_strdup(flags + 1));
}

const char *pv_options_file_flags(const struct pv_options *o, uint32_t i) {
  return i < o->file_flags.n ? o->file_flags.at[i] : "";
}

char *pv_options_next_flag(const char **rest) {
  if (!**rest) return NULL;
  const char *flag = *rest, *end = strstr(flag, ",-");
  *rest = end ? end + 1 : flag + strlen(flag);
  return pv_format("%.*s", (int)((end ? end : *rest) - flag), flag);
}

/* Takes -DNAME, -UNAME and -IFOLDER, also in two words: every compiler has them. */
static bool take_preprocessor_option(struct pv_options *o, int argc, char **argv, int *i) {
  const char *word = argv[*i];
  if (word[0] != '-' || !word[1] || !strchr("DUI", word[1])) return false;
  if (!word[2] && *i + 1 == argc) return false;
  pv_vec_push(&o->clang_args, pv_format("%.2s%s", word, word[2] ? word + 2 : argv[++*i]));
  return true;
}

enum pv_status pv_options_parse(struct pv_options *o, int argc, char **argv, struct pv_str *err) {
  bool shortens = applies(o, find("output", strlen("output")));
  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    if (!strcmp(word, "--")) {
      for (i++; i < argc; i++) pv_vec_push(&o->clang_args, pv_strdup(argv[i]));
    } else if (!strncmp(word, "--", 2) ||
               ((shortens || (word[0] && word[1] == 'p')) && long_name(word) != word)) {
      PV_TRY(parse_option(o, argc, argv, &i, err));
    } else if (take_preprocessor_option(o, argc, argv, &i)) {
      continue;
    } else if (word[0] == '-' && word[1]) {
      pv_str_addf(err, "unknown option `%s`; arguments for clang go after `--`", word);
      return PV_E_INPUT;
    } else {
      pv_options_add_file(o, word);
    }
  }
  return pv_options_check(o, err);
}

static enum pv_status check_file(const struct pv_options *o, const char *path, struct pv_str *err) {
  /* For these, a directory stands for the condition in it. */
  const unsigned conditions = PV_FOR_RESUME | PV_FOR_SPLIT | PV_FOR_JOIN | PV_FOR_CONDITION;
  struct stat info;
  const char *why = NULL;
  if (!*path)
    why = "is not a file name";
  else if (stat(path, &info) != 0)
    why = strerror(errno);
  else if (S_ISDIR(info.st_mode) && !(o->command && !(o->command & ~conditions)))
    why = "is a directory";
  else if (access(path, R_OK) != 0)
    why = strerror(errno);
  if (!why) return PV_OK;
  pv_str_addf(err, "%s: %s", path, why);
  return PV_E_INPUT;
}

/* Returns an option that does not work with a store that may lose states, or NULL. */
static const char *store_lacks(const struct pv_options *o) {
  enum { SLEEP = 1 }; /* a value of `por` */
  if (o->store == PV_STORE_EXACT) return NULL;
  if (o->search != PV_SEARCH_DFS) return "`--search dfs`: it cannot rebuild states that wait";
  if (o->threads > 1) return "`--threads 1`: it cannot rebuild states that wait";
  if (o->por == SLEEP) return "`--por persistent` or none: it cannot keep sleep sets by state";
  if (o->limits.depth) return "no `--limit depth`: it cannot keep depths by state";
  return NULL;
}

/* Returns an option that does not work with symmetry reduction, or NULL. */
static const char *symmetry_lacks(const struct pv_options *o) {
  if (o->symmetry == PV_SYMMETRY_NONE) return NULL;
  if (o->search != PV_SEARCH_DFS) return "`--search dfs`: it cannot rebuild states that wait";
  if (o->threads > 1) return "`--threads 1`: it cannot rebuild states that wait";
  if (o->store != PV_STORE_EXACT) return "`--store exact`";
  return NULL;
}

/* Does the search use estimates of distances? */
static bool is_guided(const struct pv_options *o) {
  return o->search > PV_SEARCH_BFS && o->search != PV_SEARCH_WALK;
}

/* Returns an option that does not work with this order of search or heuristic, or NULL. */
static const char *search_lacks(const struct pv_options *o) {
  bool explicit = o->engine == PV_ENGINE_AUTO || o->engine == PV_ENGINE_EXPLICIT;
  bool chosen = o->heuristic != PV_HEURISTIC_AUTO && o->heuristic != PV_HEURISTIC_NONE;
  if (o->search > PV_SEARCH_BFS && !explicit)
    return "option `--search` needs `--engine explicit`, unless it is dfs or bfs";
  if (o->search > PV_SEARCH_BFS && o->threads > 1)
    return "option `--threads` needs `--search dfs` or bfs: the others use one thread";
  if (o->command == PV_FOR_CHECK && chosen && !is_guided(o))
    return "option `--heuristic` needs `--search best`, astar, beam, greedy or portfolio";
  if (o->ties != PV_TIES_LAST && o->search != PV_SEARCH_BEST && o->search != PV_SEARCH_BEAM)
    return "option `--ties` needs `--search best` or beam";
  if (o->ties != PV_TIES_LAST && o->seed)
    return "option `--ties`: with a `--seed` ties are broken at random";
  if (o->context != PV_CONTEXT_DEFAULT && o->heuristic != PV_HEURISTIC_EFSM)
    return "option `--context` needs `--heuristic efsm`";
  if (o->command == PV_FOR_DISTANCES && (o->limits.states || o->limits.depth))
    return "option `--limit`: only time and memory bound the computation of distances";
  return NULL;
}

/* Returns an option that contradicts another one that only some engines use, or NULL. */
static const char *engine_lacks(const struct pv_options *o) {
  bool abstracts = o->engine == PV_ENGINE_AUTO || o->engine == PV_ENGINE_PREDICATE ||
                   o->engine == PV_ENGINE_COMPOSITE || o->engine == PV_ENGINE_KINDUCTION;
  if (o->window && o->engine != PV_ENGINE_EXPLICIT)
    return "option `--window` needs `--engine explicit`";
  if (o->predicates.n && !abstracts)
    return "option `--predicates` needs `--engine predicate`, composite, kinduction or auto";
  bool symbolic = abstracts || o->engine == PV_ENGINE_VALUE || o->engine == PV_ENGINE_BMC ||
                  o->engine == PV_ENGINE_ESST;
  if (pv_monitors_any(&o->monitors) && !symbolic)
    return "option `--condition` needs a symbolic engine (`--engine value`, predicate, composite, "
           "bmc, kinduction, esst or auto)";
  return NULL;
}

/* The file that the run would write over although it is an input, or NULL. Conditions may be
 * written in place. */
static const char *input_overwritten(const struct pv_options *o) {
  const struct pv_texts *written[] = {&o->output, &o->json,     &o->report, &o->sarif,
                                      &o->junit,  &o->coverage, &o->gdb};
  uint32_t in_place = PV_FOR_SPLIT | PV_FOR_JOIN | PV_FOR_CONDITION;
  for (size_t k = 0; k < sizeof(written) / sizeof(*written) && !(o->command & in_place); k++)
    for (uint32_t i = 0; i < written[k]->n; i++)
      for (uint32_t j = 0; j < o->files.n; j++) {
        struct stat to, from;
        const char *path = written[k]->at[i];
        if (stat(path, &to) == 0 && S_ISREG(to.st_mode) && stat(o->files.at[j], &from) == 0 &&
            to.st_dev == from.st_dev && to.st_ino == from.st_ino)
          return path;
      }
  return NULL;
}

enum pv_status pv_options_check(const struct pv_options *o, struct pv_str *err) {
  const char *wrong = NULL;
  if (o->command == PV_FOR_LTL) { /* formulas, not files */
    if (o->files.n == 1) return PV_OK;
    pv_str_add(err, o->files.n ? "more than one formula" : "no formula");
    return PV_E_INPUT;
  }
  if (!o->files.n && !o->project.n && !o->trace.n && !(o->command & (PV_FOR_CI | PV_FOR_INIT)))
    wrong = "no input file";
  else if (o->trace.n && (o->files.n || o->confirm))
    wrong = "option `--trace` takes no program and no `--confirm`";
  else if (o->project.n > 1)
    wrong = "option `--project` is given more than once";
  else if (o->ilp32 && o->lp64)
    wrong = "options `--32` and `--64` exclude each other";
  else if (o->json.n > 1)
    wrong = "option `--json` is given more than once";
  else if (o->output.n > 1)
    wrong = "option `--output` is given more than once";
  else if (o->coverage.n > 1)
    wrong = "option `--coverage` is given more than once";
  else if (o->work.n > 1)
    wrong = "option `--work` is given more than once";
  else if (o->witness.n > 1)
    wrong = "option `--witness` is given more than once";
  else if (o->harness.n > 1)
    wrong = "option `--harness` is given more than once";
  else if (o->stdin_file.n > 1)
    wrong = "option `--stdin` is given more than once";
  else if (o->args.n > 1)
    wrong = "option `--args` is given more than once: all words go into one";
  else if (o->entry.n > 1 && o->command != PV_FOR_CHECK)
    wrong = "option `--entry` is given more than once";
  else if (o->properties & PV_PROP_BIT(PV_PROP_INVARIANT) && !o->invariant.n)
    wrong = "property `invariant` needs an `--invariant`";
  else if (o->properties & PV_PROP_BIT(PV_PROP_OBSERVER) && !o->observer.n && !o->marks)
    wrong = "property `observer` needs an `--observer`";
  else if (o->properties & PV_PROP_BIT(PV_PROP_LTL) && !o->ltl.n)
    wrong = "property `ltl` needs a `--ltl`";
  else if (o->properties & PV_PROP_BIT(PV_PROP_STARVATION_FREE) && !o->starvation_free.n)
    wrong = "property `starvation-free` needs a `--starvation-free`";
  else if (o->ap.n && !o->ltl.n)
    wrong = "option `--ap` needs a `--ltl`";
  else if (o->properties & PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION) && !o->mutex_region.n)
    wrong = "property `mutual-exclusion` needs a `--mutex-region`";
  else
    wrong = engine_lacks(o) ? engine_lacks(o) : search_lacks(o);
  if (wrong) {
    pv_str_add(err, wrong);
    return PV_E_INPUT;
  }
  if (store_lacks(o)) {
    pv_str_addf(err, "option `--store %s` needs %s", pv_options_choice_name("store", o->store),
                store_lacks(o));
    return PV_E_INPUT;
  }
  if (symmetry_lacks(o)) {
    pv_str_addf(err, "option `--symmetry %s` needs %s",
                pv_options_choice_name("symmetry", o->symmetry), symmetry_lacks(o));
    return PV_E_INPUT;
  }
  for (uint32_t i = 0; i < o->files.n; i++) PV_TRY(check_file(o, o->files.at[i], err));
  if (input_overwritten(o)) {
    pv_str_addf(err, "%s: is an input and would be written over", input_overwritten(o));
    return PV_E_INPUT;
  }
  return PV_OK;
}

/* ---- help ------------------------------------------------------------------------------------ */
enum { HELP_COLUMN = 26, HELP_WIDTH = 79 };

/* Adds `text` wrapped, continuing at column `at`, further lines indented to HELP_COLUMN. */
static void add_wrapped(const char *text, size_t at, struct pv_str *out) {
  while (*text) {
    size_t n = strcspn(text, " ");
    if (at > HELP_COLUMN && at + 1 + n > HELP_WIDTH) {
      pv_str_addf(out, "\n%*s", HELP_COLUMN, "");
      at = HELP_COLUMN;
    } else if (at > HELP_COLUMN) {
      pv_str_addc(out, ' ');
      at++;
    }
    pv_str_addn(out, text, n);
    at += n;
    text += n + strspn(text + n, " ");
  }
  pv_str_addc(out, '\n');
}

void pv_help_row(const char *name, const char *text, struct pv_str *out) {
  size_t at = 2 + strlen(name);
  pv_str_addf(out, "  %s", name);
  if (at + 1 > HELP_COLUMN)
    pv_str_addf(out, "\n%*s", HELP_COLUMN, "");
  else
    pv_str_addf(out, "%*s", (int)(HELP_COLUMN - at), "");
  add_wrapped(text, HELP_COLUMN, out);
}

static void add_option_help(const struct pv_option_info *option, unsigned commands,
                            struct pv_str *out) {
  const struct pv_option_info variant = pv_option_for(option, commands), *info = &variant;
  struct pv_str name = {0}, text = {0};
  pv_str_addf(&name, "--%s", info->name);
  pv_str_add(&text, info->help);
  if (info->kind == PV_OPTION_CHOICE) {
    pv_str_add(&name, " NAME");
    pv_str_add(&text, "; one of ");
    add_values(info->values, &text);
    pv_str_addf(&text, " (default %s)", info->dflt);
  } else if (info->kind == PV_OPTION_NUMBER) {
    pv_str_add(&name, " N");
    pv_str_addf(&text, " (default %ld)", info->number);
  } else if (info->kind == PV_OPTION_TEXT) {
    pv_str_addf(&name, " %s", info->values);
  }
  pv_help_row(pv_str_cstr(&name), pv_str_cstr(&text), out);
  pv_str_free(&name);
  pv_str_free(&text);
}

void pv_options_help_for(unsigned commands, struct pv_str *out) {
  for (size_t i = 0; i < pv_option_count; i++)
    if (pv_option_table[i].commands & commands) add_option_help(&pv_option_table[i], commands, out);
}

const char *pv_options_choice_name(const char *option, int value) {
  static _Thread_local char name[32];
  const struct pv_option_info *info = find(option, strlen(option));
  PV_REQUIRE(info && info->kind == PV_OPTION_CHOICE && value >= 0, "not a choice option");
  const char *at = info->values;
  for (; value > 0; value--) {
    at += strcspn(at, "|");
    PV_REQUIRE(*at, "not a value of this option");
    at++;
  }
  snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "|"), at);
  return name;
}
