#include "frontend/gcc_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void pv_gcc_blank_markers(char *text) {
  for (char *line = text; line && *line;) {
    char *end = strchr(line, '\n'), *c = line;
    while (*c == ' ' || *c == '\t') c++;
    if (*c == '#') {
      c++;
      while (*c == ' ' || *c == '\t') c++;
      bool marker = (*c >= '0' && *c <= '9') || strncmp(c, "line", 4) == 0;
      for (c = line; marker && *c && *c != '\n'; c++) *c = ' ';
    }
    line = end ? end + 1 : NULL;
  }
}

/* ---- tokens ---------------------------------------------------------------------------------- */
enum kind { NAME, NUMBER, OTHER }; /* OTHER: a literal, or one character */
struct token {
  uint32_t at, n;
  uint32_t partner; /* of a bracket: the index of the matching bracket; otherwise its own index */
  enum kind kind;
};
struct text {
  char *at;
  PV_VEC(struct token) tokens;
};

static bool begins_name(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool goes_on(char c) {
  return begins_name(c) || isdigit((unsigned char)c);
}

static size_t literal_length(const char *s) {
  size_t n = 1;
  while (s[n] && s[n] != '\n' && s[n] != *s) n += s[n] == '\\' && s[n + 1] ? 2 : 1;
  return s[n] == *s ? n + 1 : n;
}

static size_t number_length(const char *s) {
  size_t n = 1;
  while (goes_on(s[n]) || s[n] == '.' || ((s[n] == '+' || s[n] == '-') && strchr("eEpP", s[n - 1])))
    n++;
  return n;
}

/* Length of the text between tokens: blanks, comments (present with -C), directives. */
static size_t gap_length(const char *text, size_t at) {
  const char *s = text + at;
  if (isspace((unsigned char)*s)) return 1;
  if (s[0] == '/' && s[1] == '*') {
    const char *end = strstr(s + 2, "*/");
    return end ? (size_t)(end + 2 - s) : strlen(s);
  }
  if (s[0] == '/' && s[1] == '/') return strcspn(s, "\n");
  if (*s != '#') return 0;
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return at == 0 || text[at - 1] == '\n' ? strcspn(s, "\n") : 0;
}

static void find_tokens(struct text *t) {
  for (size_t at = 0; t->at[at] && at < UINT32_MAX - 1;) {
    const char *s = t->at + at;
    size_t gap = gap_length(t->at, at), n = 1;
    at += gap;
    if (gap) continue;
    enum kind kind = OTHER;
    if (begins_name(*s)) {
      kind = NAME;
      while (goes_on(s[n])) n++;
    } else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
      kind = NUMBER;
      n = number_length(s);
    } else if (*s == '"' || *s == '\'') {
      n = literal_length(s);
    }
    struct token token = {(uint32_t)at, (uint32_t)n, t->tokens.n, kind};
    pv_vec_push(&t->tokens, token);
    at += n;
  }
}

static bool is(const struct text *t, uint32_t i, const char *word) {
  if (i >= t->tokens.n) return false;
  const struct token *token = &t->tokens.at[i];
  return token->n == strlen(word) && memcmp(t->at + token->at, word, token->n) == 0;
}

/* Is it the word, possibly with two underscores on each side? */
static bool is_either(const struct text *t, uint32_t i, const char *word) {
  if (is(t, i, word)) return true;
  if (i >= t->tokens.n) return false;
  const struct token *token = &t->tokens.at[i];
  const char *s = t->at + token->at;
  size_t n = strlen(word);
  return token->n == n + 4 && memcmp(s, "__", 2) == 0 && memcmp(s + 2, word, n) == 0 &&
         memcmp(s + 2 + n, "__", 2) == 0;
}

static void pair_brackets(struct text *t) {
  PV_VEC(uint32_t) open = {0};
  for (uint32_t i = 0; i < t->tokens.n; i++) {
    char c = t->tokens.at[i].n == 1 ? t->at[t->tokens.at[i].at] : 0;
    if (c == '(' || c == '[' || c == '{') pv_vec_push(&open, i);
    if ((c != ')' && c != ']' && c != '}') || !open.n) continue;
    uint32_t from = pv_vec_pop(&open);
    t->tokens.at[from].partner = i;
    t->tokens.at[i].partner = from;
  }
  pv_vec_free(&open);
}

/* The bracket that matches the one at `i`; `i` itself if there is none. */
static uint32_t closing(const struct text *t, uint32_t i) {
  uint32_t end = t->tokens.at[i].partner;
  return end > i ? end : i;
}

static void blank(struct text *t, uint32_t from, uint32_t to) {
  char *end = t->at + t->tokens.at[to].at + t->tokens.at[to].n;
  for (char *c = t->at + t->tokens.at[from].at; c < end; c++)
    if (*c != '\n') *c = ' ';
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Removes the arguments of `malloc (free, 1)`, which name the deallocating function. */
static void blank_arguments_of_malloc(struct text *t) {
  for (uint32_t i = 0; i + 1 < t->tokens.n; i++) {
    bool gnu = is_either(t, i, "attribute") || is(t, i, "__attribute");
    bool standard = is(t, i, "[") && is(t, i + 1, "[");
    if (!gnu && !standard) continue;
    uint32_t end = closing(t, i + gnu);
    for (uint32_t k = i + 1; k < end; k++) {
      bool named = t->tokens.at[k].kind == NAME && is_either(t, k, "malloc") && is(t, k + 1, "(");
      if (named) blank(t, k + 1, closing(t, k + 1));
    }
    i = end > i ? end : i;
  }
}

/* ---- types and constants --------------------------------------------------------------------- */
static const struct {
  const char *name, *spelling;
} types[] = {{"_Float32", "float"},       {"_Float64", "double"},
             {"_Float32x", "double"},     {"_Float64x", "long double"},
             {"_Float128", "__float128"}, {"__float80", "long double"}};
enum { TYPES = sizeof types / sizeof *types };

/* Suffixes of constants, longer ones first, and their replacements. */
static const struct {
  const char *suffix;
  char letter;
} suffixes[] = {{"f128", 'q'}, {"f64x", 'L'}, {"f32x", ' '}, {"f64", ' '}, {"f32", 'f'}};

static void adapt_constant(char *s, size_t n) {
  bool hex = n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  if (hex && !memchr(s, 'p', n) && !memchr(s, 'P', n)) return;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    size_t k = strlen(suffixes[i].suffix);
    char *end = s + n - k;
    if (n <= k || (*end != 'f' && *end != 'F') || strncmp(end + 1, suffixes[i].suffix + 1, k - 1))
      continue;
    memset(end, ' ', k);
    *end = suffixes[i].letter;
    return;
  }
}

/* If the file itself declares a type of that name (headers do so for compilers that lack it),
 * nothing is changed. */
static void adapt_types(struct text *t, struct pv_str *prelude) {
  bool used[TYPES] = {0}, declared[TYPES] = {0}, in_typedef = false;
  for (uint32_t i = 0; i < t->tokens.n; i++) {
    const struct token *token = &t->tokens.at[i];
    if (token->kind == NUMBER) adapt_constant(t->at + token->at, token->n);
    if (is(t, i, "typedef")) in_typedef = true;
    if (is(t, i, ";")) in_typedef = false;
    if (token->kind != NAME) continue;
    bool last = is(t, i + 1, ";") || is(t, i + 1, ",") || is_either(t, i + 1, "attribute");
    for (size_t k = 0; k < TYPES; k++)
      if (is(t, i, types[k].name))
        used[k] = true, declared[k] |= in_typedef && last && i > 0 && !is(t, i - 1, "typedef");
  }
  for (size_t k = 0; k < TYPES; k++)
    if (used[k] && !declared[k])
      pv_str_addf(prelude, "#define %s %s\n", types[k].name, types[k].spelling);
}

/* ---- builtins -------------------------------------------------------------------------------- */

/* `__builtin_nanf32` and similar ones have C's own suffixes in clang. */
static const char *const float_builtins[] = {"huge_val", "inf", "nan", "nans", "fabs", "copysign"};
enum { FLOAT_BUILTINS = sizeof float_builtins / sizeof *float_builtins };
static const struct {
  const char *suffix, *c;
} float_suffixes[] = {{"f32", "f"}, {"f64", ""}, {"f32x", ""}, {"f64x", "l"}};
enum { FLOAT_SUFFIXES = sizeof float_suffixes / sizeof *float_suffixes };

static void define_float_builtin(const char *name, struct pv_str *prelude) {
  static const char prefix[] = "__builtin_";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return;
  for (size_t i = 0; i < FLOAT_BUILTINS * FLOAT_SUFFIXES; i++) {
    const char *of = float_builtins[i / FLOAT_SUFFIXES];
    size_t k = i % FLOAT_SUFFIXES, n = strlen(of);
    const char *rest = name + sizeof prefix - 1;
    if (strncmp(rest, of, n) == 0 && strcmp(rest + n, float_suffixes[k].suffix) == 0)
      pv_str_addf(prelude, "#define %s %s%s%s\n", name, prefix, of, float_suffixes[k].c);
  }
}

/* GCC's atomic builtins accept pointers to `_Atomic` objects, and its <stdatomic.h> relies on that.
 * Clang's accept pointers to plain objects, with the same semantics. */
static void define_atomic_builtin(const char *name, struct pv_str *prelude) {
  static const char *const prefixes[] = {"__atomic_load",     "__atomic_store",
                                         "__atomic_exchange", "__atomic_compare_exchange",
                                         "__atomic_fetch_",   "__sync_"};
  static const char end[] = "_fetch";
  size_t n = strlen(name), k = sizeof end - 1;
  bool wrap = strncmp(name, "__atomic_", 9) == 0 && n > k && strcmp(name + n - k, end) == 0;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    wrap |= strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
  if (wrap && strcmp(name, "__sync_synchronize") != 0)
    pv_str_addf(prelude,
                "#if __has_builtin(%s)\n"
                "#define %s(p, ...) %s((__typeof_unqual__(*(p)) *)(p) __VA_OPT__(,) __VA_ARGS__)\n"
                "#endif\n",
                name, name, name);
}

/* Builtins that only GCC has, and whose value is that of their first argument. */
static void define_builtin(const char *name, struct pv_str *prelude) {
  static const char *const first[] = {"__builtin_speculation_safe_value",
                                      "__builtin_assoc_barrier"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (strcmp(name, first[i]) == 0) pv_str_addf(prelude, "#define %s(x, ...) (x)\n", name);
  define_float_builtin(name, prelude);
  define_atomic_builtin(name, prelude);
}

static void adapt_builtins(const struct text *t, struct pv_str *prelude) {
  struct pv_map seen = {0};
  for (uint32_t i = 0; i < t->tokens.n; i++) {
    const struct token *token = &t->tokens.at[i];
    bool is_new = false;
    if (token->kind != NAME || strncmp(t->at + token->at, "__", 2) != 0) continue;
    if (!is(t, i + 1, "(")) continue;
    pv_map_put(&seen, t->at + token->at, token->n, 0, &is_new);
    if (!is_new) continue;
    char *name = pv_format("%.*s", (int)token->n, t->at + token->at);
    define_builtin(name, prelude);
    free(name);
  }
  pv_map_free(&seen);
}

/* ---- inline functions ------------------------------------------------------------------------ */
struct inlined {             /* a definition with `extern inline` and the attribute gnu_inline */
  uint32_t from, name, body; /* numbers of tokens */
  bool used;
};
typedef PV_VEC(struct inlined) inlines;

/* The token of the function's name in the head [from, body). */
static uint32_t function_name(const struct text *t, uint32_t from, uint32_t body) {
  for (uint32_t i = from; i + 1 < body; i++) {
    bool group = is(t, i + 1, "(");
    bool keyword = is_either(t, i, "attribute") || is(t, i, "__attribute") ||
                   is_either(t, i, "typeof") || is_either(t, i, "asm") || is(t, i, "__asm");
    if (group && !keyword && t->tokens.at[i].kind == NAME) return i;
    if (group) i = closing(t, i + 1);
  }
  return from;
}

static bool is_gnu_inline(const struct text *t, uint32_t from, uint32_t body) {
  bool is_extern = false, is_inline = false, gnu = false;
  for (uint32_t i = from; i < body; i++) {
    is_extern |= is(t, i, "extern");
    is_inline |= is_either(t, i, "inline") || is(t, i, "__inline");
    gnu |= is_either(t, i, "gnu_inline");
  }
  return is_extern && is_inline && gnu;
}

static void find_inlines(const struct text *t, inlines *out) {
  uint32_t from = 0;
  for (uint32_t i = 0; i < t->tokens.n; i++) {
    uint32_t end = closing(t, i);
    bool body = is(t, i, "{") && end > i && (i == from || is(t, i - 1, ")"));
    if (body && is_gnu_inline(t, from, i)) {
      struct inlined f = {from, function_name(t, from, i), i, false};
      if (f.name != from) pv_vec_push(out, f);
    }
    if (body || is(t, i, ";")) from = end + 1;
    i = end;
  }
}

/* Marks the inline functions that the tokens [from, to) refer to, and adds them to the list. */
static void mark(const struct text *t, inlines *all, const struct pv_map *by_name, uint32_t from,
                 uint32_t to, uint32_t *list, uint32_t *n) {
  for (uint32_t i = from; i < to; i++) {
    const struct token *token = &t->tokens.at[i];
    if (token->kind != NAME) continue;
    const uint32_t *f = pv_map_get(by_name, t->at + token->at, token->n);
    if (!f || all->at[*f].used) continue;
    all->at[*f].used = true;
    list[(*n)++] = *f;
  }
}

static void mark_used(const struct text *t, inlines *all) {
  struct pv_map by_name = {0};
  uint32_t *list = pv_alloc((all->n + 1) * sizeof *list), n = 0, from = 0;
  for (uint32_t k = 0; k < all->n; k++) {
    const struct token *name = &t->tokens.at[all->at[k].name];
    bool is_new;
    pv_map_put(&by_name, t->at + name->at, name->n, k, &is_new);
    if (is_new) continue;
    all->at[k].used = true; /* defined twice: clang reports it */
    list[n++] = k;
  }
  for (uint32_t k = 0; k <= all->n; k++) {
    uint32_t to = k < all->n ? all->at[k].from : t->tokens.n;
    mark(t, all, &by_name, from, to, list, &n);
    if (k < all->n) from = closing(t, all->at[k].body) + 1;
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct inlined *f = &all->at[list[i]];
    mark(t, all, &by_name, f->name + 1, closing(t, f->body), list, &n);
  }
  free(list);
  pv_map_free(&by_name);
}

/* Does it pass on the arguments of the caller into which it is inlined? Clang does not support
 * this. */
static bool passes_arguments_on(const struct text *t, const struct inlined *f) {
  for (uint32_t i = f->body; i < closing(t, f->body); i++)
    if (is(t, i, "__builtin_va_arg_pack") || is(t, i, "__builtin_va_arg_pack_len")) return true;
  return false;
}

static void drop_inlines(struct text *t, struct pv_str *prelude) {
  inlines all = {0};
  find_inlines(t, &all);
  mark_used(t, &all);
  for (uint32_t k = 0; k < all.n; k++) {
    const struct inlined *f = &all.at[k];
    const struct token *name = &t->tokens.at[f->name];
    if (!f->used) {
      blank(t, f->from, closing(t, f->body));
    } else if (passes_arguments_on(t, f)) {
      blank(t, f->body, closing(t, f->body));
      t->at[t->tokens.at[f->body].at] = ';';
    } else if (t->at[name->at] == '_') { /* an intrinsic may also be one of clang's */
      pv_str_addf(prelude, "#if __has_builtin(%.*s)\n#define %.*s __gcc_%.*s\n#endif\n",
                  (int)name->n, t->at + name->at, (int)name->n, t->at + name->at, (int)name->n,
                  t->at + name->at);
    }
  }
  pv_vec_free(&all);
}

void pv_gcc_text(char *text, struct pv_str *prelude) {
  struct text t = {.at = text};
  find_tokens(&t);
  pair_brackets(&t);
  blank_arguments_of_malloc(&t);
  adapt_types(&t, prelude);
  adapt_builtins(&t, prelude);
  drop_inlines(&t, prelude);
  pv_vec_free(&t.tokens);
}
