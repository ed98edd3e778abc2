/* texts.c -- composes texts from the program's clues: lists of arguments, values of variables,
 * lines. Kinds of texts take turns (text_values.h). */
#include "frontend/texts.h"
#include "frontend/text_values.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LIST = 80 }; /* number of items: a,a,a,... */

/* ---- arguments: each ends with a zero -------------------------------------------------------- */
static void push_argument(struct pv_str *s, const struct pv_text *value) {
  pv_str_addn(s, (const char *)value->bytes, value->n);
  pv_str_addc(s, 0);
}

static void add_three(struct pv_text_list *t, const struct pv_text *a, const struct pv_text *b,
                      const struct pv_text *c) {
  struct pv_str s = {0};
  push_argument(&s, a);
  if (b) push_argument(&s, b);
  if (c) push_argument(&s, c);
  pv_texts_add_str(t, &s);
  pv_str_free(&s);
}

/* One value among plain ones, in each position. */
static void add_beside(struct pv_text_list *out, const struct pv_text_list *all,
                       const struct pv_text_list *few, bool three) {
  for (uint32_t k = 0; k < few->list.n; k++)
    for (uint32_t i = 0; i < all->list.n && (i < 400 || k < 2); i++) {
      const struct pv_text *value = &all->list.at[i], *plain = &few->list.at[k];
      add_three(out, value, plain, NULL);
      add_three(out, plain, value, NULL);
      if (!three || k > 2) continue;
      add_three(out, value, plain, plain);
      add_three(out, plain, value, plain);
      add_three(out, plain, plain, value);
    }
}

/* The same value several times. */
static void add_equal(struct pv_text_list *out, const struct pv_text_list *all, long most_args) {
  struct pv_str s = {0};
  for (uint32_t i = 0; i < all->list.n; i++)
    for (long n = most_args < 8 ? most_args : 8; n >= 2; n--) {
      for (long k = 0; k < n; k++) push_argument(&s, &all->list.at[i]);
      pv_texts_add_str(out, &s);
    }
  pv_str_free(&s);
}

/* A number, an operator (a word or a character), a number; and a word with a number. */
static void add_operations(struct pv_text_list *out, const struct pv_clues *c, bool three) {
  struct pv_text_list numbers = {.most = 0}, words = {.most = 40};
  pv_texts_few_numbers(&numbers, c);
  for (uint32_t i = 0; i < c->n_specials; i++) pv_texts_add(&words, &c->special[i], 1);
  for (uint32_t i = 0; i < c->n_words; i++) pv_texts_add(&words, c->word[i], strlen(c->word[i]));
  for (uint32_t k = 0; k < numbers.list.n; k++)
    for (uint32_t i = 0; i < words.list.n; i++) {
      add_three(out, &words.list.at[i], &numbers.list.at[k], NULL);
      if (!three) continue;
      add_three(out, &numbers.list.at[0], &words.list.at[i], &numbers.list.at[k]);
      add_three(out, &numbers.list.at[k], &words.list.at[i], &numbers.list.at[0]);
      add_three(out, &words.list.at[i], &numbers.list.at[0], &numbers.list.at[k]);
      add_three(out, &words.list.at[i], &numbers.list.at[k], &numbers.list.at[0]);
    }
  for (uint32_t k = 0; k < numbers.list.n; k++) /* both numbers */
    for (uint32_t j = 0; j < numbers.list.n && three; j++)
      for (uint32_t i = 0; i < words.list.n; i++)
        add_three(out, &numbers.list.at[k], &words.list.at[i], &numbers.list.at[j]);
  pv_texts_free(&numbers);
  pv_texts_free(&words);
}

/* All combinations of a few values. */
static void add_combinations(struct pv_text_list *out, const struct pv_text_list *few, bool three) {
  for (uint32_t i = 0; i < few->list.n; i++)
    for (uint32_t k = 0; k < few->list.n; k++) {
      add_three(out, &few->list.at[i], &few->list.at[k], NULL);
      for (uint32_t l = 0; l < few->list.n && three; l++)
        add_three(out, &few->list.at[i], &few->list.at[k], &few->list.at[l]);
    }
}

/* So many plain arguments: up to the bound, and more than fit in an array. */
static void add_counts(struct pv_text_list *out, const struct pv_clues *c, long most_args) {
  struct pv_str s = {0};
  for (long n = 0; n <= most_args; n++) {
    pv_texts_repeat(&s, "a", 2, (uint64_t)n);
    pv_texts_add_str(out, &s);
    pv_texts_repeat(&s, "1", 2, (uint64_t)n);
    pv_texts_add_str(out, &s);
  }
  for (uint32_t k = 0; k < c->n_sizes; k++) {
    if (c->size[k] > LONGEST_LIST || (long)c->size[k] > most_args) continue;
    pv_texts_repeat(&s, "a", 2, c->size[k]);
    pv_texts_add_str(out, &s);
  }
  pv_str_free(&s);
}

static void add_arguments(struct pv_text_list *out, const struct pv_clues *c, long most_args,
                          uint64_t least) {
  enum { COUNTS, ONE, BESIDE, EQUAL, OPERATIONS, COMBINATIONS, FORMS };
  static const unsigned share[FORMS] = {1, 6, 3, 2, 2, 1};
  struct pv_text_list few = {.most = 10}, all = {.most = out->most}, form[FORMS];
  memset(form, 0, sizeof form);
  for (unsigned i = 0; i < FORMS; i++) form[i].most = out->most;
  pv_texts_add_values(&all, c, least);
  pv_texts_add(&few, "a", 1);
  pv_texts_add_repeated(&few, "", "a", least, "");
  pv_texts_add(&few, "0", 1);
  pv_texts_add(&few, "", 0);
  for (uint32_t i = 0; i < c->n_words && i < 4; i++)
    pv_texts_add(&few, c->word[i], strlen(c->word[i]));
  pv_texts_add(&few, "-1", 2);
  pv_texts_add(&few, "1", 1);
  add_counts(&form[COUNTS], c, most_args);
  for (uint32_t i = 0; i < all.list.n && most_args > 0; i++)
    add_three(&form[ONE], &all.list.at[i], NULL, NULL);
  if (most_args > 1) {
    add_beside(&form[BESIDE], &all, &few, most_args > 2);
    add_equal(&form[EQUAL], &all, most_args);
    add_operations(&form[OPERATIONS], c, most_args > 2);
    add_combinations(&form[COMBINATIONS], &few, most_args > 2);
  }
  pv_texts_take_turns(out, form, share, FORMS);
  for (unsigned i = 0; i < FORMS; i++) pv_texts_free(&form[i]);
  pv_texts_free(&few);
  pv_texts_free(&all);
}

/* ---- files and standard input: lines --------------------------------------------------------- */
/* Numbers on one line, and a number followed by that many others. */
static void add_number_lists(struct pv_text_list *out, const struct pv_clues *c, uint64_t least) {
  struct pv_text_list numbers = {.most = 0};
  struct pv_str s = {0};
  char a[32], b[32];
  (void)least;
  pv_texts_few_numbers(&numbers, c);
  for (unsigned three = 0; three < 2; three++)
    for (uint32_t i = 0; i < numbers.list.n; i++)
      for (uint32_t k = 0; k < numbers.list.n; k++) {
        const char *end = three == 0 ? "" : k % 2 ? " 1" : " 0";
        pv_str_addf(&s, "%s %s%s\n", pv_texts_string(&numbers, i, a),
                    pv_texts_string(&numbers, k, b), end);
        pv_texts_add_str(out, &s);
      }
  pv_str_free(&s);
  pv_texts_free(&numbers);
}

/* A count, followed by that many numbers, or fewer, or more. */
static void add_counted(struct pv_text_list *out, const struct pv_clues *c, uint64_t least) {
  struct pv_str s = {0};
  (void)least;
  for (uint32_t k = 0; k <= c->n_sizes; k++)
    for (uint64_t d = 0; d < 3; d++) {
      uint64_t times = (k < c->n_sizes ? c->size[k] : 3) + 1 - d;
      if (times > LONGEST_LIST) continue;
      for (unsigned form = 0; form < 4; form++) {
        if (form < 3) pv_str_addf(&s, "%d\n", (int)times);
        for (uint64_t i = form == 1 ? 1 : 0; i < times + (form == 2); i++)
          pv_str_addf(&s, "%d ", form == 3 ? (int)i : 1);
        pv_str_addc(&s, '\n');
        pv_texts_add_str(out, &s);
      }
    }
  pv_str_free(&s);
}

/* As many lines as arrays have elements, and one more: empty ones, plain ones, words with a
 * number. */
static void add_many_lines(struct pv_text_list *out, const struct pv_clues *c, uint64_t least) {
  static const char *const ends[] = {"\n", " 1\n", " ", " a\n"};
  (void)least;
  for (uint32_t i = 0; i < c->n_specials; i++) /* two fields in each line */
    for (uint32_t k = 0; k <= c->n_sizes; k++) {
      char line[] = {'a', (char)c->special[i], '1', '\n', 0};
      uint64_t times = (k < c->n_sizes ? c->size[k] : 4) + 1;
      if (times <= LONGEST_LIST) pv_texts_add_repeated(out, "", line, times, "");
    }
  for (uint32_t i = 0; i < c->n_words + 3; i++)
    for (uint32_t k = 0; k <= c->n_sizes; k++)
      for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
        for (uint64_t d = 0; d < 2; d++) {
          static const char *const plain[] = {"a", "", "1"};
          struct pv_str s = {0};
          uint64_t times = (k < c->n_sizes ? c->size[k] : 4) + d;
          if (times > LONGEST_LIST) continue;
          pv_str_add(&s, i < 3 ? plain[i] : c->word[i - 3]);
          pv_str_add(&s, ends[e]);
          pv_texts_add_repeated(out, "", s.at, times, "");
          pv_str_free(&s);
        }
}

/* Two or three words, one on each line, with and without a number. */
static void add_commands(struct pv_text_list *out, const struct pv_clues *c, uint64_t least) {
  struct pv_text_list words = {.most = 16};
  struct pv_str s = {0};
  (void)least;
  for (uint32_t i = 0; i < c->n_words && i < 8; i++)
    pv_texts_add_joined(&words, c->word[i], i < 4 ? " 1" : "", "\n");
  for (uint32_t i = 0; i < c->n_words; i++) pv_texts_add_joined(&words, c->word[i], "\n", "");
  for (uint32_t i = 0; i < c->n_specials; i++) {
    char line[] = {(char)c->special[i], '\n', 0};
    pv_texts_add(&words, line, 2);
  }
  for (unsigned three = 0; three < 2; three++)
    for (uint32_t i = 0; i < words.list.n; i++)
      for (uint32_t k = 0; k < words.list.n; k++)
        for (uint32_t l = 0; l < (three ? words.list.n : 1); l++) {
          const uint32_t line[] = {i, k, l};
          for (unsigned j = 0; j < 2 + three; j++)
            pv_str_addn(&s, (char *)words.list.at[line[j]].bytes, words.list.at[line[j]].n);
          pv_texts_add_str(out, &s);
        }
  pv_str_free(&s);
  pv_texts_free(&words);
}

/* A binary length, followed by that many bytes, or fewer, or more. */
static void add_packets(struct pv_text_list *out, const struct pv_clues *c, uint64_t least) {
  struct pv_str s = {0};
  uint64_t lengths[4 + 2 * PV_CLUES_SIZES + PV_CLUES_NUMBERS] = {2, 0, 1, 255};
  unsigned n = 4;
  (void)least;
  for (uint32_t i = 0; i < c->n_sizes; i++) {
    lengths[n++] = c->size[i];
    lengths[n++] = c->size[i] + 1;
  }
  for (uint32_t i = 0; i < c->n_numbers; i++)
    if (c->number[i] > 2 && c->number[i] < 256) lengths[n++] = (uint64_t)c->number[i];
  for (unsigned form = 0; form < 5; form++)
    for (unsigned i = 0; i < n; i++)
      for (uint64_t d = 0; d < 4; d++) {
        uint64_t length = lengths[i], bytes = length + d;
        if (bytes < 1 || length > 255) continue;
        if (form == 1) pv_str_addc(&s, 0);                                /* two bytes */
        if (form == 2) pv_str_addc(&s, 1);                                /* a type before it */
        for (unsigned k = 0; form == 4 && k < 3; k++) pv_str_addc(&s, 0); /* four bytes */
        pv_str_addc(&s, (char)length);
        if (form == 3) pv_str_addc(&s, 0);
        pv_texts_repeat(&s, "\x01", 1, bytes - 1);
        pv_texts_add_str(out, &s);
      }
  pv_str_free(&s);
}

/* Empty lines, lines without an end, zeros in a line. */
static void add_odd_lines(struct pv_text_list *out, const struct pv_clues *c, uint64_t least) {
  static const struct {
    const char *text;
    unsigned n;
  } odd[] = {{"", 0},     {"\n", 1},    {"\0\n", 2},      {"a\n\na\n", 5},
             {"\n\n", 2}, {"a\nb", 3},  {"a\r\n", 3},     {"a\0b\n", 4},
             {" \n", 2},  {"\na\n", 3}, {"a\na\na\n", 6}, {"a b c d\n", 8},
             {"\xff", 1}, {"\0", 1},    {"a  a\n", 5},    {"\t\n", 2}};
  (void)least;
  (void)c;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) pv_texts_add(out, odd[i].text, odd[i].n);
}

static const struct pv_text_family line_families[] = {
    {add_odd_lines, 1},  {add_number_lists, 2}, {add_counted, 1},
    {add_many_lines, 2}, {add_commands, 2},     {add_packets, 2},
};

/* Each value as a line, without an end of line, before another line, after one. */
static void add_lines(struct pv_text_list *out, struct pv_clues *c, uint64_t least) {
  enum { LINE, BARE, BEFORE, BEHIND, OTHERS, FORMS };
  static const unsigned share[FORMS] = {4, 3, 1, 1, 4};
  struct pv_text_list all = {.most = out->most}, form[FORMS];
  struct pv_str s = {0};
  memset(form, 0, sizeof form);
  for (unsigned i = 0; i < FORMS; i++) form[i].most = out->most;
  pv_clues_add_special(c, ' ');
  pv_texts_add_values(&all, c, least);
  for (unsigned f = 0; f < OTHERS; f++)
    for (uint32_t i = 0; i < all.list.n; i++) {
      const struct pv_text *v = &all.list.at[i];
      if (f == BEHIND) pv_str_add(&s, "a\n");
      pv_str_addn(&s, (const char *)v->bytes, v->n);
      if (f != BARE) pv_str_addc(&s, '\n');
      if (f == BEFORE) pv_str_add(&s, "a\n");
      pv_texts_add_str(&form[f], &s);
    }
  pv_texts_add_families(&form[OTHERS], line_families, sizeof line_families / sizeof *line_families,
                        c, least);
  pv_texts_take_turns(out, form, share, FORMS);
  for (unsigned i = 0; i < FORMS; i++) pv_texts_free(&form[i]);
  pv_str_free(&s);
  pv_texts_free(&all);
}

/* ---- the use of main's arguments ------------------------------------------------------------- */
/* Is the parameter used, apart from being stored in a local variable that is never read? */
static bool looks_at(LLVMValueRef parameter) {
  for (LLVMUseRef u = LLVMGetFirstUse(parameter); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u), to;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != parameter) return true;
    to = LLVMGetOperand(user, 1);
    if (!LLVMIsAAllocaInst(to)) return true;
    for (LLVMUseRef v = LLVMGetFirstUse(to); v; v = LLVMGetNextUse(v)) {
      LLVMValueRef other = LLVMGetUser(v);
      bool unread = LLVMIsALoadInst(other) && !LLVMGetFirstUse(other);
      bool marks = LLVMIsACallInst(other) && LLVMIsAFunction(LLVMGetCalledValue(other)) &&
                   LLVMGetIntrinsicID(LLVMGetCalledValue(other));
      if (other != user && !unread && !marks) return true;
    }
  }
  return false;
}

struct pv_main_uses pv_fe_main_uses(struct pv_fe *fe) {
  struct pv_main_uses uses = {0};
  LLVMValueRef f = LLVMGetNamedFunction(fe->module, "main");
  if (!f || LLVMIsDeclaration(f) || fe->options->entry.n) return uses;
  unsigned n = LLVMCountParams(f);
  uses.count = n > 0 && looks_at(LLVMGetParam(f, 0));
  uses.strings = n > 1 && looks_at(LLVMGetParam(f, 1));
  uses.environment = n > 2 && looks_at(LLVMGetParam(f, 2));
  return uses;
}

/* ---- combination ----------------------------------------------------------------------------- */
static bool names(struct pv_fe *fe, const char *const *list) {
  for (; *list; list++)
    if (LLVMGetNamedFunction(fe->module, *list) || LLVMGetNamedGlobal(fe->module, *list))
      return true;
  return false;
}

bool pv_fe_opens_files(struct pv_fe *fe) {
  static const char *const openers[] = {"fopen",  "fopen64",   "freopen", "freopen64", "fdopen",
                                        "fclose", "tmpfile",   "open",    "open64",    "creat",
                                        "openat", "tmpfile64", "creat64", NULL};
  return names(fe, openers);
}

/* Does the call open a file for reading? A name that was counted in `before` is not counted
 * again. */
static bool opens_another(LLVMValueRef call, LLVMValueRef function, LLVMValueRef *before,
                          unsigned n) {
  size_t length;
  if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function) return false;
  if (LLVMGetNumArgOperands(call) < 2) return false;
  const char *mode = pv_clues_string(LLVMGetOperand(call, 1), &length);
  if (mode && length && (mode[0] == 'w' || (mode[0] == 'a' && !memchr(mode, '+', length))))
    return false;
  for (unsigned i = 0; i < n; i++)
    if (before[i] == LLVMGetOperand(call, 0)) return false;
  return true;
}

/* The number of files that the program reads, as far as its calls show. */
static unsigned files_read(struct pv_fe *fe) {
  enum { MOST = 4 };
  static const char *const openers[] = {"fopen", "fopen64", "freopen", "open", "open64", NULL};
  LLVMValueRef name[MOST];
  unsigned n = 0;
  for (const char *const *opener = openers; *opener; opener++) {
    LLVMValueRef f = LLVMGetNamedFunction(fe->module, *opener);
    LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL;
    for (; u && n < MOST; u = LLVMGetNextUse(u))
      if (opens_another(LLVMGetUser(u), f, name, n)) name[n++] = LLVMGetOperand(LLVMGetUser(u), 0);
  }
  return n ? n : pv_fe_opens_files(fe);
}

/* The number of texts of each kind: fewer if the combinations multiply. */
static uint32_t most_texts(struct pv_fe *fe) {
  static const char *const threads[] = {"pthread_create", "thrd_create", NULL};
  static const char *const stdin_names[] = {"stdin", "getchar", "scanf",          "__isoc99_scanf",
                                            "read",  "gets",    "__isoc23_scanf", NULL};
  static const char *const environment[] = {"getenv", "secure_getenv", NULL};
  struct pv_main_uses uses = pv_fe_main_uses(fe);
  const struct pv_options *o = fe->options; /* texts that options fix are not tried */
  unsigned sources = files_read(fe) + (uses.strings && !o->args.n) +
                     (names(fe, stdin_names) && !o->stdin_file.n) +
                     (names(fe, environment) && !o->env.n);
  long few = fe->options->inputs;
  if (!names(fe, threads)) few *= sources < 2 ? 128 : sources < 3 ? 8 : 2;
  return few > 4000 ? 4000 : (uint32_t)few;
}

void pv_fe_find_texts(struct pv_fe *fe) {
  struct pv_clues c = {.n_words = 0};
  uint64_t least = (uint64_t)fe->options->max_arg_length;
  uint32_t most = most_texts(fe);
  pv_clues_find(&c, fe->module);
  pv_clues_add_special(&c, '-');
  for (unsigned kind = 0; kind < PV_TEXT_COUNT; kind++) {
    struct pv_text_list t = {.most = most};
    if (kind == PV_TEXT_ARGUMENTS)
      add_arguments(&t, &c, fe->options->max_args, least);
    else if (kind == PV_TEXT_VARIABLE)
      pv_texts_add_values(&t, &c, least);
    else
      add_lines(&t, &c, 16);
    for (uint32_t i = 0; i < t.list.n; i++) pv_vec_push(&fe->p->texts[kind], t.list.at[i]);
    pv_vec_free(&t.list);
    pv_map_free(&t.known);
  }
  pv_clues_free(&c);
}
