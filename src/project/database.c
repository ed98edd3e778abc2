#include "project/database.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths ----------------------------------------------------------------------------------- */
/* The path without `.`, `..` and double slashes; `..` is resolved by names, as make and clang do.
 */
static char *tidy(const char *path) {
  struct pv_str out = {0};
  for (const char *at = path; *at;) {
    size_t n = strcspn(at, "/");
    if (n == 2 && at[0] == '.' && at[1] == '.') {
      char *slash = out.n ? strrchr(out.at, '/') : NULL;
      if (slash) out.n = (size_t)(slash - out.at), *slash = '\0';
    } else if (n && !(n == 1 && *at == '.')) {
      pv_str_addc(&out, '/');
      pv_str_addn(&out, at, n);
    }
    at += n + (at[n] == '/');
  }
  if (!out.n) pv_str_addc(&out, '/');
  char *result = pv_strdup(pv_str_cstr(&out));
  pv_str_free(&out);
  return result;
}

/* `path`, seen from `directory`, as seen from the working directory. */
static char *from_here(const char *directory, const char *path) {
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) here[0] = '\0';
  char *whole = *path == '/'        ? pv_strdup(path)
                : *directory == '/' ? pv_format("%s/%s", directory, path)
                                    : pv_format("%s/%s/%s", here, directory, path);
  char *clean = tidy(whole);
  free(whole);
  size_t n = strlen(here);
  bool is_below = n > 1 && !strncmp(clean, here, n) && clean[n] == '/';
  if (!is_below) return clean;
  char *relative = pv_strdup(clean + n + 1);
  free(clean);
  return relative;
}

/* ---- words of a command ---------------------------------------------------------------------- */
/* The next word of a command line as a shell splits it, without expansions. NULL at the end; else
 * the caller frees it. */
static char *next_word(const char **rest) {
  struct pv_str word = {0};
  const char *c = *rest + strspn(*rest, " \t\n");
  char quote = '\0';
  bool any = false;
  for (; *c && (quote || !strchr(" \t\n", *c)); c++) {
    any = true;
    if (quote ? *c == quote : *c == '\'' || *c == '"')
      quote = quote ? '\0' : *c;
    else if (*c == '\\' && quote != '\'' && c[1])
      pv_str_addc(&word, *++c);
    else
      pv_str_addc(&word, *c);
  }
  *rest = c;
  char *result = any ? pv_strdup(pv_str_cstr(&word)) : NULL;
  pv_str_free(&word);
  return result;
}

static bool words_of(const cJSON *entry, struct pv_texts *out) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, "arguments"), *item;
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "command"));
  cJSON_ArrayForEach(item, list) {
    const char *word = cJSON_GetStringValue(item);
    if (!word) return false;
    pv_vec_push(out, pv_strdup(word));
  }
  for (char *word; text && (word = next_word(&text));) pv_vec_push(out, word);
  return out->n > 0;
}

/* ---- flags ----------------------------------------------------------------------------------- */
/* Flags with a folder or a file as their value; it may be the next word. */
static const char *const paths[] = {"-I",       "-isystem", "-iquote",   "-idirafter",
                                    "-include", "-imacros", "-isysroot", "--sysroot="};
/* Flags with another value. */
static const char *const values[] = {"-D", "-U"};
/* Flags that change the meaning of programs. */
static const char *const kept[] = {"-std=",
                                   "-ansi",
                                   "-nostdinc",
                                   "-pthread",
                                   "-trigraphs",
                                   "-funsigned-char",
                                   "-fsigned-char",
                                   "-fshort-enums",
                                   "-fno-short-enums",
                                   "-fwrapv",
                                   "-fno-strict-overflow",
                                   "-fpack-struct",
                                   "-fms-extensions",
                                   "-fgnu89-inline",
                                   "-fno-builtin",
                                   "-fcommon",
                                   "-fno-common",
                                   "-ffreestanding",
                                   "-fshort-wchar",
                                   "-fblocks"};
/* Flags that say nothing about the meaning; those of the second table have a value. */
static const char *const idle[] = {"-c",
                                   "-W",
                                   "-w",
                                   "-g",
                                   "-O",
                                   "-pedantic",
                                   "-pipe",
                                   "-M",
                                   "-fPIC",
                                   "-fpic",
                                   "-fPIE",
                                   "-fpie",
                                   "-fno-PIC",
                                   "-fno-pie",
                                   "-fvisibility",
                                   "-fdiagnostics",
                                   "-fcolor",
                                   "-fno-color",
                                   "-fstack-protector",
                                   "-fno-stack-protector",
                                   "-fno-strict-aliasing",
                                   "-fstrict-aliasing",
                                   "-fomit-frame",
                                   "-fno-omit-frame",
                                   "-flto",
                                   "-fno-lto",
                                   "-ffunction-sections",
                                   "-fdata-sections",
                                   "-fsanitize",
                                   "-fno-sanitize",
                                   "-fprofile",
                                   "-ftest-coverage",
                                   "--coverage",
                                   "-march=",
                                   "-mtune=",
                                   "-m64",
                                   "-v",
                                   "-save-temps",
                                   "-rdynamic",
                                   "-fmacro-prefix-map",
                                   "-ffile-prefix-map",
                                   "-fdebug-prefix-map",
                                   "-fcf-protection",
                                   "-fno-plt",
                                   "-fexceptions",
                                   "-l",
                                   "-L"};
static const char *const idle_with_value[] = {"-o", "-MF", "-MT", "-MQ", "-MJ", "-x"};

/* Returns the row that the word begins with, or is if `whole`; NULL if there is none. */
static const char *row(const char *const *table, size_t n, const char *word, bool whole) {
  for (size_t i = 0; i < n; i++)
    if (whole ? !strcmp(word, table[i]) : !strncmp(word, table[i], strlen(table[i])))
      return table[i];
  return NULL;
}
#define ROW(T, WORD, WHOLE) row(T, sizeof(T) / sizeof *(T), WORD, WHOLE)

struct flags {
  struct pv_str text;
  bool is_ilp32, defines_ndebug, is_unfit;
};

static void add_flag(struct flags *f, const char *name, const char *value) {
  if (strstr(value, ",-")) f->is_unfit = true; /* it would be read as two */
  pv_str_addf(&f->text, "%s%s%s", f->text.n ? "," : "", name, value);
}

static void add_once(struct pv_texts *list, const char *text) {
  for (uint32_t i = 0; i < list->n; i++)
    if (!strcmp(list->at[i], text)) return;
  pv_vec_push(list, pv_strdup(text));
}

/* Reads the word number i and its value. Returns the number of the last word read. */
static uint32_t read_flag(const struct pv_texts *words, uint32_t i, const char *directory,
                          struct flags *f, struct pv_texts *dropped) {
  const char *word = words->at[i], *next = i + 1 < words->n ? words->at[i + 1] : "";
  const char *path = ROW(paths, word, false), *value = ROW(values, word, false);
  if (path) {
    bool is_apart = !word[strlen(path)];
    char *place = from_here(directory, is_apart ? next : word + strlen(path));
    add_flag(f, path, place);
    free(place);
    return i + is_apart;
  }
  if (value) {
    bool is_apart = !word[strlen(value)];
    const char *text = is_apart ? next : word + strlen(value);
    add_flag(f, value, text);
    f->defines_ndebug |= !strcmp(value, "-D") && !strncmp(text, "NDEBUG", 6);
    return i + is_apart;
  }
  if (ROW(idle_with_value, word, true)) return i + 1;
  if (ROW(kept, word, false))
    add_flag(f, word, "");
  else if (!strcmp(word, "-m32"))
    f->is_ilp32 = true;
  else if (*word == '-' && !ROW(idle, word, false) && strncmp(word, "-o", 2) != 0)
    add_once(dropped, word);
  return i;
}

/* ---- the file -------------------------------------------------------------------------------- */
static enum pv_status read_entry(struct pv_database *d, const char *path, const cJSON *entry,
                                 struct pv_str *err) {
  const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "file"));
  const char *directory =
      cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "directory"));
  struct pv_texts words = {0};
  struct flags flags = {0};
  enum pv_status status = PV_E_INPUT;
  if (!file || !directory || !words_of(entry, &words)) {
    pv_str_addf(err, "%s: an entry without `file`, `directory` or `command`", path);
  } else {
    /* the first word is the compiler */
    for (uint32_t i = 1; i < words.n; i++) i = read_flag(&words, i, directory, &flags, &d->dropped);
    char *here = from_here(directory, file);
    if (flags.is_unfit)
      pv_str_addf(err, "%s: %s: a flag with the value `,-` cannot be passed on", path, file);
    else
      status = PV_OK;
    if (status == PV_OK && !pv_database_find(d, here))
      pv_vec_push(&d->units,
                  ((struct pv_project_file){pv_strdup(here), pv_strdup(pv_str_cstr(&flags.text)),
                                            flags.is_ilp32, flags.defines_ndebug}));
    free(here);
  }
  for (uint32_t i = 0; i < words.n; i++) free(words.at[i]);
  pv_vec_free(&words);
  pv_str_free(&flags.text);
  return status;
}

enum pv_status pv_database_read(const char *path, struct pv_database *out, struct pv_str *err) {
  struct stat info;
  char *text = NULL;
  size_t n;
  bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  char *file = is_folder ? pv_format("%s/compile_commands.json", path) : pv_strdup(path);
  *out = (struct pv_database){0};
  enum pv_status status = pv_read_file(file, (size_t)1 << 28, &text, &n, err);
  cJSON *root = status == PV_OK ? cJSON_ParseWithLength(text, n) : NULL;
  const cJSON *entry;
  if (status == PV_OK && !cJSON_IsArray(root)) {
    pv_str_addf(err, "%s: is not a compilation database: no JSON array", file);
    status = PV_E_INPUT;
  }
  if (status == PV_OK)
    cJSON_ArrayForEach(entry, root) if (status == PV_OK) status = read_entry(out, file, entry, err);
  if (status != PV_OK) pv_database_free(out);
  cJSON_Delete(root);
  free(text);
  free(file);
  return status;
}

const struct pv_project_file *pv_database_find(const struct pv_database *d, const char *file) {
  char *here = from_here(".", file);
  const struct pv_project_file *found = NULL;
  for (uint32_t i = 0; i < d->units.n && !found; i++)
    if (!strcmp(d->units.at[i].path, here)) found = &d->units.at[i];
  free(here);
  return found;
}

void pv_database_free(struct pv_database *d) {
  for (uint32_t i = 0; i < d->units.n; i++) {
    free(d->units.at[i].path);
    free(d->units.at[i].flags);
  }
  pv_vec_free(&d->units);
  for (uint32_t i = 0; i < d->dropped.n; i++) free(d->dropped.at[i]);
  pv_vec_free(&d->dropped);
}
