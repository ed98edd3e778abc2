#include "frontend/clues.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 24, LARGEST_SIZE = 4096 };

/* ---- the lists ------------------------------------------------------------------------------- */
void pv_clues_add_special(struct pv_clues *c, uint64_t byte) {
  bool plain = byte == 'a' || byte == 0 || byte > 255;
  for (uint32_t i = 0; i < c->n_specials; i++) plain |= c->special[i] == byte;
  if (!plain && c->n_specials < PV_CLUES_CHARACTERS) c->special[c->n_specials++] = (uint8_t)byte;
}

static void add_number(struct pv_clues *c, int64_t number) {
  for (uint32_t i = 0; i < c->n_numbers; i++)
    if (c->number[i] == number) return;
  if (c->n_numbers < PV_CLUES_NUMBERS) c->number[c->n_numbers++] = number;
}

static void add_size(struct pv_clues *c, uint64_t size) {
  if (size < 2 || size > LARGEST_SIZE) return;
  for (uint32_t i = 0; i < c->n_sizes; i++)
    if (c->size[i] == size) return;
  if (c->n_sizes < PV_CLUES_SIZES) c->size[c->n_sizes++] = size;
}

static void add_text(char **list, uint32_t *n, uint32_t most, const char *text, size_t length) {
  for (uint32_t i = 0; i < *n; i++)
    if (strlen(list[i]) == length && !memcmp(list[i], text, length)) return;
  if (*n == most) return;
  char *copy = pv_alloc(length + 1);
  memcpy(copy, text, length);
  list[(*n)++] = copy;
}

static void add_word(struct pv_clues *c, const char *text, size_t n) {
  if (n == 0 || n > LONGEST_WORD) return;
  for (size_t i = 0; i < n; i++)
    if (text[i] <= ' ' || text[i] > '~') return;
  add_text(c->word, &c->n_words, PV_CLUES_WORDS, text, n);
}

/* ---- calls of the C library ------------------------------------------------------------------ */
/* The text of a constant string, with its length; NULL if it is none. */
const char *pv_clues_string(LLVMValueRef v, size_t *n) {
  LLVMValueRef init = LLVMIsAGlobalVariable(v) ? LLVMGetInitializer(v) : NULL;
  if (!init || !LLVMIsGlobalConstant(v) || !LLVMIsAConstantDataSequential(init)) return NULL;
  if (!LLVMIsConstantString(init)) return NULL;
  const char *text = LLVMGetAsString(init, n);
  if (*n && text[*n - 1] == 0) --*n;
  return text;
}

/* Functions whose arguments suggest inputs. */
enum clue {
  CLUE_WORDS,
  CLUE_CHARACTERS,
  CLUE_FORMAT,
  CLUE_OPTIONS,
  CLUE_CHARACTER,
  CLUE_SIZE,
  CLUE_FLOAT
};
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
    {"calloc", CLUE_SIZE},         {"strtod", CLUE_FLOAT},        {"atof", CLUE_FLOAT},
    {"strtof", CLUE_FLOAT},
};

/* The characters of a scanf format that must match literally. */
static void look_at_format(struct pv_clues *c, const char *text, size_t n) {
  add_text(c->format, &c->n_formats, PV_CLUES_FORMATS, text, n);
  for (size_t i = 0; i < n; i++) {
    if (text[i] == ' ') continue;
    if (text[i] != '%') {
      pv_clues_add_special(c, (uint8_t)text[i]);
      continue;
    }
    while (i + 1 < n && strchr("0123456789*lhjzt", text[i + 1])) i++;
    if (++i < n && strchr("aefgAEFG", text[i])) c->floats = true;
  }
}

static void look_at_string(struct pv_clues *c, enum clue clue, const char *text, size_t n) {
  if (clue == CLUE_FORMAT) look_at_format(c, text, n);
  if (clue == CLUE_WORDS) {
    add_word(c, text, n);
    if (n == 1) pv_clues_add_special(c, (uint8_t)text[0]);
  }
  for (size_t i = 0; i < n; i++) {
    char option[] = {'-', text[i]};
    if (clue == CLUE_CHARACTERS) pv_clues_add_special(c, (uint8_t)text[i]);
    if (clue == CLUE_OPTIONS && text[i] != ':') add_word(c, option, 2);
  }
}

static void look_at_call(struct pv_clues *c, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  size_t n, length;
  if (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f)) return;
  const char *name = LLVMGetValueName2(f, &n), *plain = pv_fe_plain_name(name);
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
    if (strcmp(plain ? plain : name, readers[i].name)) continue;
    if (readers[i].clue == CLUE_FLOAT) c->floats = true;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
      LLVMValueRef v = LLVMGetOperand(call, k);
      const char *text = pv_clues_string(v, &length);
      if (text) look_at_string(c, readers[i].clue, text, length);
      if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) continue;
      if (readers[i].clue == CLUE_CHARACTER) pv_clues_add_special(c, LLVMConstIntGetZExtValue(v));
      if (readers[i].clue == CLUE_SIZE) add_size(c, LLVMConstIntGetZExtValue(v));
    }
  }
}

/* ---- types and instructions ------------------------------------------------------------------ */
static void look_at_type(struct pv_clues *c, LLVMTypeRef t, unsigned depth) {
  if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
    add_size(c, LLVMGetArrayLength2(t));
    if (depth) look_at_type(c, LLVMGetElementType(t), depth - 1);
  }
  if (LLVMGetTypeKind(t) != LLVMStructTypeKind || !depth || LLVMIsOpaqueStruct(t)) return;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(t) && i < 32; i++)
    look_at_type(c, LLVMStructGetTypeAtIndex(t, i), depth - 1);
}

static bool constant(LLVMValueRef v, int64_t *number) {
  if (!LLVMIsAConstantInt(v)) return false;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  if (width > 64 || width < 8) return false;
  *number = LLVMConstIntGetSExtValue(v);
  return true;
}

/* Is it an `int` that was converted from a `char`? */
static bool is_character(LLVMValueRef v) {
  if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) v = LLVMGetOperand(v, 0);
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 8;
}

static void look_at_constant(struct pv_clues *c, LLVMValueRef v, LLVMValueRef other) {
  int64_t number;
  if (!constant(v, &number)) return;
  bool printable = (number >= ' ' && number <= '~') || (number >= '\t' && number <= '\r');
  if (printable && LLVMGetIntTypeWidth(LLVMTypeOf(v)) < 64)
    pv_clues_add_special(c, (uint64_t)number);
  if (!printable || !is_character(other)) add_number(c, number);
}

/* Adds numbers whose product with the factor overflows: a signed type of 32 bits, an unsigned one,
 * a size. */
static void look_at_factor(struct pv_clues *c, LLVMValueRef v) {
  int64_t factor;
  if (!constant(v, &factor) || factor < 2 || factor > INT32_MAX) return;
  bool wide = LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 64;
  add_number(c, (wide ? INT64_MAX : INT32_MAX) / factor + 1);
  add_number(c, (int64_t)((wide ? UINT64_MAX : UINT32_MAX) / (uint64_t)factor + 1));
}

static void look_at_instruction(struct pv_clues *c, LLVMValueRef i) {
  int64_t number;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMICmp:
    look_at_constant(c, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
    look_at_constant(c, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
    return;
  case LLVMAdd:
  case LLVMSub:
    if (constant(LLVMGetOperand(i, 1), &number)) add_number(c, number);
    return;
  case LLVMMul: look_at_factor(c, LLVMGetOperand(i, 1)); return;
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    if (!LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
        LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind)
      add_number(c, LLVMGetIntTypeWidth(LLVMTypeOf(i)));
    return;
  case LLVMSwitch:
    for (int k = 2; k < LLVMGetNumOperands(i); k += 2)
      look_at_constant(c, LLVMGetOperand(i, (unsigned)k), LLVMGetOperand(i, 0));
    return;
  case LLVMAlloca: look_at_type(c, LLVMGetAllocatedType(i), 3); return;
  case LLVMGetElementPtr: look_at_type(c, LLVMGetGEPSourceElementType(i), 3); return;
  case LLVMCall: look_at_call(c, i); return;
  default: return;
  }
}

void pv_clues_find(struct pv_clues *c, LLVMModuleRef m) {
  size_t n;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        look_at_instruction(c, i);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    const char *text = pv_clues_string(g, &n);
    bool format = text && memchr(text, '%', n);
    if (text && !format) add_word(c, text, n);
    if (!text && !LLVMIsDeclaration(g)) look_at_type(c, LLVMGlobalGetValueType(g), 3);
  }
}

void pv_clues_free(struct pv_clues *c) {
  for (uint32_t i = 0; i < c->n_words; i++) free(c->word[i]);
  for (uint32_t i = 0; i < c->n_formats; i++) free(c->format[i]);
}
