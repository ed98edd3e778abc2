/* texts.c -- reads the program for what may matter in its input, and makes texts of that. */
#include "frontend/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_SPECIALS = 24,
  MOST_WORDS = 32,
  MOST_NUMBERS = 24,
  MOST_SIZES = 12,
  LONGEST_WORD = 24,
  LONGEST_TEXT = 4200,
  LONGEST_LIST = 80, /* items in a row: a,a,a,... */
};

typedef PV_VEC(struct pv_text) text_list;

struct clues { /* without doubles, in the order of the program */
  uint8_t special[MOST_SPECIALS];
  uint32_t n_specials;
  char *word[MOST_WORDS]; /* owned */
  uint32_t n_words;
  int64_t number[MOST_NUMBERS];
  uint32_t n_numbers;
  uint64_t size[MOST_SIZES];
  uint32_t n_sizes;
};

/* ---- clues ----------------------------------------------------------------------------------- */
static void add_special(struct clues *c, uint64_t byte) {
  bool plain = byte == 'a' || byte == 0 || byte > 255;
  for (uint32_t i = 0; i < c->n_specials; i++) plain |= c->special[i] == byte;
  if (!plain && c->n_specials < MOST_SPECIALS) c->special[c->n_specials++] = (uint8_t)byte;
}

static void add_number(struct clues *c, int64_t number) {
  for (uint32_t i = 0; i < c->n_numbers; i++)
    if (c->number[i] == number) return;
  if (c->n_numbers < MOST_NUMBERS) c->number[c->n_numbers++] = number;
}

static void add_size(struct clues *c, uint64_t size) {
  if (size < 2 || size > 4096) return;
  for (uint32_t i = 0; i < c->n_sizes; i++)
    if (c->size[i] == size) return;
  if (c->n_sizes < MOST_SIZES) c->size[c->n_sizes++] = size;
}

static void add_word(struct clues *c, const char *text, size_t n) {
  if (n == 0 || n > LONGEST_WORD || c->n_words == MOST_WORDS) return;
  for (size_t i = 0; i < n; i++)
    if (text[i] <= ' ' || text[i] > '~') return;
  for (uint32_t i = 0; i < c->n_words; i++)
    if (strlen(c->word[i]) == n && !memcmp(c->word[i], text, n)) return;
  char *word = pv_alloc(n + 1);
  memcpy(word, text, n);
  c->word[c->n_words++] = word;
}

/* The text of a constant string, with its length; NULL if it is none. */
static const char *string_of(LLVMValueRef v, size_t *n) {
  LLVMValueRef init = LLVMIsAGlobalVariable(v) ? LLVMGetInitializer(v) : NULL;
  if (!init || !LLVMIsGlobalConstant(v) || !LLVMIsAConstantDataSequential(init)) return NULL;
  if (!LLVMIsConstantString(init)) return NULL;
  const char *text = LLVMGetAsString(init, n);
  if (*n && text[*n - 1] == 0) --*n;
  return text;
}

/* Functions of the C library whose arguments tell what a program looks for. */
enum clue { CLUE_WORDS, CLUE_CHARACTERS, CLUE_FORMAT, CLUE_OPTIONS, CLUE_CHARACTER, CLUE_SIZE };
static const struct {
  const char *name;
  enum clue clue;
} readers[] = {
    {"strcmp", CLUE_WORDS},        {"strncmp", CLUE_WORDS},       {"strcasecmp", CLUE_WORDS},
    {"strncasecmp", CLUE_WORDS},   {"strstr", CLUE_WORDS},        {"memcmp", CLUE_WORDS},
    {"strtok", CLUE_CHARACTERS},   {"strtok_r", CLUE_CHARACTERS}, {"strsep", CLUE_CHARACTERS},
    {"strspn", CLUE_CHARACTERS},   {"strcspn", CLUE_CHARACTERS},  {"strpbrk", CLUE_CHARACTERS},
    {"sscanf", CLUE_FORMAT},       {"fscanf", CLUE_FORMAT},       {"scanf", CLUE_FORMAT},
    {"getopt", CLUE_OPTIONS},      {"getopt_long", CLUE_OPTIONS}, {"strchr", CLUE_CHARACTER},
    {"strrchr", CLUE_CHARACTER},   {"memchr", CLUE_CHARACTER},    {"index", CLUE_CHARACTER},
    {"strchrnul", CLUE_CHARACTER}, {"getdelim", CLUE_CHARACTER},  {"malloc", CLUE_SIZE},
    {"calloc", CLUE_SIZE},
};

static void look_at_string(struct clues *c, enum clue clue, const char *text, size_t n) {
  if (clue == CLUE_WORDS) {
    add_word(c, text, n);
    if (n == 1) add_special(c, (uint8_t)text[0]);
  }
  for (size_t i = 0; i < n; i++) {
    char option[] = {'-', text[i]};
    if (clue == CLUE_CHARACTERS) add_special(c, (uint8_t)text[i]);
    if (clue == CLUE_OPTIONS && text[i] != ':') add_word(c, option, 2);
    if (clue != CLUE_FORMAT || text[i] == ' ') continue;
    if (text[i] == '%') /* up to the letter of the conversion */
      while (i + 1 < n && strchr("0123456789*lhjzt", text[i + 1])) i++;
    if (text[i] == '%' || (i > 0 && strchr("0123456789*lhjzt%", text[i - 1])))
      i++;
    else
      add_special(c, (uint8_t)text[i]);
  }
}

static void look_at_call(struct clues *c, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  size_t n, length;
  if (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f)) return;
  const char *name = LLVMGetValueName2(f, &n), *plain = pv_fe_plain_name(name);
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
    if (strcmp(plain ? plain : name, readers[i].name)) continue;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
      LLVMValueRef v = LLVMGetOperand(call, k);
      const char *text = string_of(v, &length);
      if (text) look_at_string(c, readers[i].clue, text, length);
      if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) continue;
      if (readers[i].clue == CLUE_CHARACTER) add_special(c, LLVMConstIntGetZExtValue(v));
      if (readers[i].clue == CLUE_SIZE) add_size(c, LLVMConstIntGetZExtValue(v));
    }
  }
}

static void look_at_type(struct clues *c, LLVMTypeRef t, unsigned depth) {
  if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
    add_size(c, LLVMGetArrayLength2(t));
    if (depth) look_at_type(c, LLVMGetElementType(t), depth - 1);
  }
  if (LLVMGetTypeKind(t) != LLVMStructTypeKind || !depth || LLVMIsOpaqueStruct(t)) return;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(t) && i < 32; i++)
    look_at_type(c, LLVMStructGetTypeAtIndex(t, i), depth - 1);
}

static void look_at_constant(struct clues *c, LLVMValueRef v) {
  if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) return;
  int64_t number = LLVMConstIntGetSExtValue(v);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) < 8) return;
  if ((number > ' ' && number <= '~') || (number >= '\t' && number <= '\r') || number == ' ')
    add_special(c, (uint64_t)number);
  add_number(c, number);
}

static void look_at_instruction(struct clues *c, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMICmp:
    look_at_constant(c, LLVMGetOperand(i, 0));
    look_at_constant(c, LLVMGetOperand(i, 1));
    return;
  case LLVMAdd:
  case LLVMSub:
    if (LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
        LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 1))) <= 64)
      add_number(c, LLVMConstIntGetSExtValue(LLVMGetOperand(i, 1)));
    return;
  case LLVMSwitch:
    for (int k = 2; k < LLVMGetNumOperands(i); k += 2) look_at_constant(c, LLVMGetOperand(i, k));
    return;
  case LLVMAlloca: look_at_type(c, LLVMGetAllocatedType(i), 3); return;
  case LLVMGetElementPtr: look_at_type(c, LLVMGetGEPSourceElementType(i), 3); return;
  case LLVMCall: look_at_call(c, i); return;
  default: return;
  }
}

static void look_at_module(struct clues *c, LLVMModuleRef m) {
  size_t n;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        look_at_instruction(c, i);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    const char *text = string_of(g, &n);
    bool format = text && memchr(text, '%', n);
    if (text && !format) add_word(c, text, n);
    if (!text && !LLVMIsDeclaration(g)) look_at_type(c, LLVMGlobalGetValueType(g), 3);
  }
}

/* ---- texts ----------------------------------------------------------------------------------- */
struct texts {
  struct pv_map known; /* bytes -> 1: without doubles */
  text_list list;
  uint32_t most;
};

static bool is_full(const struct texts *t) {
  return t->list.n >= t->most;
}

static void add_bytes(struct texts *t, const void *bytes, size_t n) {
  bool is_new;
  if (is_full(t) || n > LONGEST_TEXT) return;
  struct pv_text text = {pv_alloc(n + 1), (uint32_t)n};
  memcpy(text.bytes, bytes, n);
  text.bytes[n] = '.'; /* so that the key of the empty text is none of length 0 */
  pv_map_put(&t->known, text.bytes, n + 1, 1, &is_new);
  if (is_new)
    pv_vec_push(&t->list, text);
  else
    free(text.bytes);
}

static void add_str(struct texts *t, struct pv_str *s) {
  add_bytes(t, s->n ? s->at : "", s->n);
  pv_str_clear(s);
}

static void repeat(struct pv_str *s, const char *what, size_t n, uint64_t times) {
  for (uint64_t i = 0; i < times && s->n < LONGEST_TEXT; i++) pv_str_addn(s, what, n);
}

static void add_repeated(struct texts *t, const char *before, const char *what, uint64_t times,
                         const char *behind) {
  struct pv_str s = {0};
  pv_str_add(&s, before);
  repeat(&s, what, strlen(what), times);
  pv_str_add(&s, behind);
  add_str(t, &s);
  pv_str_free(&s);
}

static void add_numbers(struct texts *t, const struct clues *c) {
  static const char *const always[] = {"0",           "1", "-1", "2147483647",
                                       "-2147483648", "9", "10", "99999999999999999999"};
  char text[32];
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    add_bytes(t, always[i], strlen(always[i]));
  for (uint32_t i = 0; i < c->n_sizes + c->n_numbers; i++)
    for (int64_t d = 0; d < 3; d++) {
      int64_t n = i < c->n_sizes ? (int64_t)c->size[i] : c->number[i - c->n_sizes];
      if (n == INT64_MAX || n == INT64_MIN) continue;
      snprintf(text, sizeof text, "%" PRId64, n + (d == 2 ? -1 : d));
      add_bytes(t, text, strlen(text));
    }
}

/* Longer than the largest array, then around the size of each. */
static void add_long(struct texts *t, const struct clues *c, const char *before, uint64_t least) {
  uint64_t longest = least;
  for (uint32_t i = 0; i < c->n_sizes; i++)
    if (c->size[i] + 8 > longest) longest = c->size[i] + 8;
  add_repeated(t, before, "a", longest, "");
  add_repeated(t, before, "a", least, "");
  for (uint32_t i = 0; i < c->n_sizes; i++)
    for (uint64_t d = 0; d < 3; d++) add_repeated(t, before, "a", c->size[i] - 1 + d, "");
}

static void add_specials(struct texts *t, const struct clues *c, uint64_t least) {
  static const char *const patterns[] = {"c",    "ac",  "ca",   "aca",  "cc",
                                         "acac", "cac", "acca", "acaca"};
  for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
    for (uint32_t i = 0; i < c->n_specials; i++) {
      char text[8] = {0};
      for (size_t j = 0; patterns[k][j]; j++)
        text[j] = patterns[k][j] == 'c' ? (char)c->special[i] : 'a';
      add_bytes(t, text, strlen(text));
    }
  for (uint32_t i = 0; i < c->n_specials; i++) {
    char one[] = {(char)c->special[i], 0}, pair[] = {'a', (char)c->special[i], 0};
    add_repeated(t, "", one, least, "");
    add_repeated(t, "", pair, least, "");
    for (uint32_t k = 0; k < c->n_sizes; k++) {
      add_repeated(t, "", "a", c->size[k], one);
      add_repeated(t, pair, "a", c->size[k], "");
      add_repeated(t, "", pair, c->size[k] + 1, "");
      add_repeated(t, "", one, c->size[k] + 1, "");
    }
  }
}

static void add_words(struct texts *t, const struct clues *c, uint64_t least) {
  for (uint32_t i = 0; i < c->n_words; i++) add_bytes(t, c->word[i], strlen(c->word[i]));
  for (uint32_t i = 0; i < c->n_words; i++) {
    add_repeated(t, c->word[i], "a", least, "");
    add_repeated(t, c->word[i], "=", 1, "");
    add_repeated(t, c->word[i], "=", 1, "1");
    add_repeated(t, c->word[i], "=", 1, "a");
  }
}

/* Every text of up to three characters of those that matter. */
static void add_short(struct texts *t, const struct clues *c) {
  uint8_t letters[MOST_SPECIALS + 3] = {'a', '0', '1'};
  unsigned n = 3;
  for (uint32_t i = 0; i < c->n_specials; i++) letters[n++] = c->special[i];
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < n; k++) add_bytes(t, (uint8_t[]){letters[i], letters[k]}, 2);
  for (unsigned i = 0; i < n && !is_full(t); i++)
    for (unsigned k = 0; k < n && !is_full(t); k++)
      for (unsigned l = 0; l < n; l++)
        add_bytes(t, (uint8_t[]){letters[i], letters[k], letters[l]}, 3);
}

/* Values: of an argument, of a variable of the environment. */
static void add_values(struct texts *t, const struct clues *c, uint64_t least) {
  add_bytes(t, "a", 1);
  add_long(t, c, "", least);
  add_bytes(t, "", 0);
  add_numbers(t, c);
  add_words(t, c, least);
  add_specials(t, c, least);
  for (uint64_t i = 2; i < least; i++) add_repeated(t, "", "a", i, "");
  add_short(t, c);
}

static void free_texts(struct texts *t) {
  for (uint32_t i = 0; i < t->list.n; i++) free(t->list.at[i].bytes);
  pv_vec_free(&t->list);
  pv_map_free(&t->known);
}

/* ---- arguments: each ends with a zero -------------------------------------------------------- */
static void push_argument(struct pv_str *s, const struct pv_text *value) {
  pv_str_addn(s, (const char *)value->bytes, value->n);
  pv_str_addc(s, 0);
}

/* Both, in either order, and `value` between two `plain` ones. */
static void add_pairs(struct texts *out, const struct pv_text *value, const struct pv_text *plain,
                      bool between) {
  struct pv_str s = {0};
  for (unsigned form = 0; form < (between ? 3 : 2); form++) {
    if (form) push_argument(&s, plain);
    push_argument(&s, value);
    if (form != 1) push_argument(&s, plain);
    add_str(out, &s);
  }
  pv_str_free(&s);
}

static void add_arguments(struct texts *out, const struct clues *c, long most_args,
                          uint64_t least) {
  struct texts few = {.most = 10}, all = {.most = out->most};
  struct pv_str s = {0};
  add_values(&all, c, least);
  add_bytes(&few, "a", 1);
  add_repeated(&few, "", "a", least, "");
  add_bytes(&few, "0", 1);
  add_bytes(&few, "", 0);
  for (uint32_t i = 0; i < c->n_words && i < 3; i++)
    add_bytes(&few, c->word[i], strlen(c->word[i]));
  add_bytes(&few, "-1", 2);
  for (long n = 0; n <= most_args; n++) { /* so many, all of them plain */
    repeat(&s, "a", 2, (uint64_t)n);
    add_str(out, &s);
  }
  for (uint32_t i = 0; i < all.list.n && most_args > 0 && out->list.n < out->most / 2; i++) {
    push_argument(&s, &all.list.at[i]);
    add_str(out, &s);
  }
  for (uint32_t i = 0; i < all.list.n && most_args > 1; i++)
    for (uint32_t k = 0; k < few.list.n && (i < 40 || k < 2); k++)
      add_pairs(out, &all.list.at[i], &few.list.at[k], most_args > 2 && k < 3);
  for (uint32_t k = 0; k < c->n_sizes; k++) { /* more of them than fit an array */
    if (c->size[k] > LONGEST_LIST || (long)c->size[k] > most_args) continue;
    repeat(&s, "a", 2, c->size[k]);
    add_str(out, &s);
  }
  pv_str_free(&s);
  free_texts(&few);
  free_texts(&all);
}

/* ---- files and standard input: lines --------------------------------------------------------- */
static void add_lists(struct texts *t, const struct clues *c) {
  char pair[3] = {0};
  for (uint32_t i = 0; i <= c->n_specials; i++)
    for (uint32_t k = 0; k <= c->n_sizes; k++) {
      uint64_t times = k < c->n_sizes ? c->size[k] + 1 : 5;
      if (times > LONGEST_LIST) continue;
      pair[0] = 'a';
      pair[1] = i < c->n_specials ? (char)c->special[i] : '\n';
      add_repeated(t, "", pair, times, "\n");
      pair[0] = '1';
      add_repeated(t, "", pair, times, "\n");
      add_repeated(t, "", pair + 1, times, "\n");
    }
}

/* Numbers side by side, and a number with as many behind it. */
static void add_number_lists(struct texts *out, const struct clues *c) {
  struct texts numbers = {.most = 24};
  struct pv_str s = {0};
  static const char *const few[] = {"1", "0", "-1"};
  for (size_t i = 0; i < 3; i++) add_bytes(&numbers, few[i], strlen(few[i]));
  for (uint32_t i = 0; i < c->n_numbers && i < 8; i++) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, c->number[i]);
    add_bytes(&numbers, text, strlen(text));
  }
  add_bytes(&numbers, "2147483647", 10);
  for (uint32_t i = 0; i < numbers.list.n; i++)
    for (uint32_t k = 0; k < numbers.list.n; k++) {
      const struct pv_text *a = &numbers.list.at[i], *b = &numbers.list.at[k];
      pv_str_addf(&s, "%.*s %.*s\n", (int)a->n, (char *)a->bytes, (int)b->n, (char *)b->bytes);
      add_str(out, &s);
    }
  for (uint32_t k = 0; k <= c->n_sizes; k++) {
    uint64_t times = k < c->n_sizes ? c->size[k] + 1 : 3;
    if (times > LONGEST_LIST) continue;
    pv_str_addf(&s, "%d\n", (int)times);
    repeat(&s, "1 ", 2, times);
    pv_str_addc(&s, '\n');
    add_str(out, &s);
  }
  pv_str_free(&s);
  free_texts(&numbers);
}

static void add_lines(struct texts *out, struct clues *c, uint64_t least) {
  struct texts all = {.most = out->most};
  struct pv_str s = {0};
  add_special(c, ' ');
  add_values(&all, c, least);
  add_bytes(out, "", 0);
  for (unsigned form = 0; form < 4; form++)
    for (uint32_t i = 0; i < all.list.n && (form < 2 || i < 48); i++) {
      const struct pv_text *v = &all.list.at[i];
      if (form == 3) pv_str_add(&s, "a\n");
      pv_str_addn(&s, (const char *)v->bytes, v->n);
      if (form != 1) pv_str_addc(&s, '\n');
      if (form == 2) pv_str_add(&s, "a\n");
      add_str(out, &s);
      if (i == 20 && form == 0) add_lists(out, c);
      if (i == 40 && form == 0) add_number_lists(out, c);
    }
  pv_str_free(&s);
  free_texts(&all);
}

/* ---- what main looks at ---------------------------------------------------------------------- */
/* Is it more than kept in a local variable that nobody reads? */
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

/* ---- all together ---------------------------------------------------------------------------- */
static bool names(struct pv_fe *fe, const char *const *list) {
  for (; *list; list++)
    if (LLVMGetNamedFunction(fe->module, *list) || LLVMGetNamedGlobal(fe->module, *list))
      return true;
  return false;
}

bool pv_fe_opens_files(struct pv_fe *fe) {
  static const char *const openers[] = {"fopen",     "fopen64", "freopen", "freopen64", "fdopen",
                                        "tmpfile",   "open",    "open64",  "creat",     "creat64",
                                        "tmpfile64", "fclose",  NULL};
  return names(fe, openers);
}

/* How many texts of each kind: fewer where they multiply. */
static uint32_t most_texts(struct pv_fe *fe) {
  static const char *const threads[] = {"pthread_create", "thrd_create", NULL};
  static const char *const stdin_names[] = {"stdin", "getchar", "scanf",          "__isoc99_scanf",
                                            "read",  "gets",    "__isoc23_scanf", NULL};
  static const char *const environment[] = {"getenv", "secure_getenv", NULL};
  struct pv_main_uses uses = pv_fe_main_uses(fe);
  unsigned sources = (uses.strings ? 1 : 0) + (names(fe, stdin_names) ? 1 : 0) +
                     (names(fe, environment) ? 1 : 0) + (pv_fe_opens_files(fe) ? 1 : 0);
  long few = fe->options->inputs;
  if (!names(fe, threads)) few *= sources < 2 ? 32 : sources < 3 ? 6 : 2;
  return few > 4000 ? 4000 : (uint32_t)few;
}

void pv_fe_find_texts(struct pv_fe *fe) {
  struct clues c = {.n_words = 0};
  uint64_t least = (uint64_t)fe->options->max_arg_length;
  uint32_t most = most_texts(fe);
  look_at_module(&c, fe->module);
  add_special(&c, '-');
  for (unsigned kind = 0; kind < PV_TEXT_COUNT; kind++) {
    struct texts t = {.most = most};
    if (kind == PV_TEXT_ARGUMENTS)
      add_arguments(&t, &c, fe->options->max_args, least);
    else if (kind == PV_TEXT_VARIABLE)
      add_values(&t, &c, least);
    else
      add_lines(&t, &c, 16);
    for (uint32_t i = 0; i < t.list.n; i++) pv_vec_push(&fe->p->texts[kind], t.list.at[i]);
    pv_vec_free(&t.list);
    pv_map_free(&t.known);
  }
  for (uint32_t i = 0; i < c.n_words; i++) free(c.word[i]);
}
