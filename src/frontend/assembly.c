/* assembly.c -- the parser of templates and constraints. */
#include "frontend/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *const conditions[][3] = {
    [PV_ASM_CC_O] = {"o"},
    [PV_ASM_CC_NO] = {"no"},
    [PV_ASM_CC_B] = {"b", "c", "nae"},
    [PV_ASM_CC_AE] = {"ae", "nb", "nc"},
    [PV_ASM_CC_E] = {"e", "z"},
    [PV_ASM_CC_NE] = {"ne", "nz"},
    [PV_ASM_CC_BE] = {"be", "na"},
    [PV_ASM_CC_A] = {"a", "nbe"},
    [PV_ASM_CC_S] = {"s"},
    [PV_ASM_CC_NS] = {"ns"},
    [PV_ASM_CC_P] = {"p", "pe"},
    [PV_ASM_CC_NP] = {"np", "po"},
    [PV_ASM_CC_L] = {"l", "nge"},
    [PV_ASM_CC_GE] = {"ge", "nl"},
    [PV_ASM_CC_LE] = {"le", "ng"},
    [PV_ASM_CC_G] = {"g", "nle"},
};

struct mnemonic {
  const char *name;
  enum pv_asm_op op;
  bool sized, lock;    /* may have a suffix b, w, l or q; may have a lock prefix */
  uint8_t bits, from;  /* implied by the name */
  uint8_t least, most; /* number of operands */
};
static const struct mnemonic mnemonics[] = {
    {"nop", PV_ASM_NOP, false, false, 0, 0, 0, 0},
    {"pause", PV_ASM_NOP, false, false, 0, 0, 0, 0},
    {"prefetcht0", PV_ASM_NOP, false, false, 0, 0, 1, 1},
    {"prefetcht1", PV_ASM_NOP, false, false, 0, 0, 1, 1},
    {"prefetcht2", PV_ASM_NOP, false, false, 0, 0, 1, 1},
    {"prefetchnta", PV_ASM_NOP, false, false, 0, 0, 1, 1},
    {"prefetchw", PV_ASM_NOP, false, false, 0, 0, 1, 1},
    {"mfence", PV_ASM_FENCE, false, false, 0, 0, 0, 0},
    {"lfence", PV_ASM_LFENCE, false, false, 0, 0, 0, 0},
    {"sfence", PV_ASM_SFENCE, false, false, 0, 0, 0, 0},
    {"mov", PV_ASM_MOV, true, false, 0, 0, 2, 2},
    {"movabs", PV_ASM_MOV, false, false, 64, 0, 2, 2},
    {"movabsq", PV_ASM_MOV, false, false, 64, 0, 2, 2},
    {"movzbw", PV_ASM_MOVZ, false, false, 16, 8, 2, 2},
    {"movzbl", PV_ASM_MOVZ, false, false, 32, 8, 2, 2},
    {"movzbq", PV_ASM_MOVZ, false, false, 64, 8, 2, 2},
    {"movzwl", PV_ASM_MOVZ, false, false, 32, 16, 2, 2},
    {"movzwq", PV_ASM_MOVZ, false, false, 64, 16, 2, 2},
    {"movsbw", PV_ASM_MOVS, false, false, 16, 8, 2, 2},
    {"movsbl", PV_ASM_MOVS, false, false, 32, 8, 2, 2},
    {"movsbq", PV_ASM_MOVS, false, false, 64, 8, 2, 2},
    {"movswl", PV_ASM_MOVS, false, false, 32, 16, 2, 2},
    {"movswq", PV_ASM_MOVS, false, false, 64, 16, 2, 2},
    {"movslq", PV_ASM_MOVS, false, false, 64, 32, 2, 2},
    {"lea", PV_ASM_LEA, true, false, 0, 0, 2, 2},
    {"xchg", PV_ASM_XCHG, true, true, 0, 0, 2, 2},
    {"cmpxchg", PV_ASM_CMPXCHG, true, true, 0, 0, 2, 2},
    {"cmpxchg8b", PV_ASM_CMPXCHG_PAIR, false, true, 64, 0, 1, 1},
    {"cmpxchg16b", PV_ASM_CMPXCHG_PAIR, false, true, 128, 0, 1, 1},
    {"xadd", PV_ASM_XADD, true, true, 0, 0, 2, 2},
    {"add", PV_ASM_ADD, true, true, 0, 0, 2, 2},
    {"sub", PV_ASM_SUB, true, true, 0, 0, 2, 2},
    {"and", PV_ASM_AND, true, true, 0, 0, 2, 2},
    {"or", PV_ASM_OR, true, true, 0, 0, 2, 2},
    {"xor", PV_ASM_XOR, true, true, 0, 0, 2, 2},
    {"cmp", PV_ASM_CMP, true, false, 0, 0, 2, 2},
    {"test", PV_ASM_TEST, true, false, 0, 0, 2, 2},
    {"inc", PV_ASM_INC, true, true, 0, 0, 1, 1},
    {"dec", PV_ASM_DEC, true, true, 0, 0, 1, 1},
    {"neg", PV_ASM_NEG, true, true, 0, 0, 1, 1},
    {"not", PV_ASM_NOT, true, true, 0, 0, 1, 1},
    {"bt", PV_ASM_BT, true, false, 0, 0, 2, 2},
    {"bts", PV_ASM_BTS, true, true, 0, 0, 2, 2},
    {"btr", PV_ASM_BTR, true, true, 0, 0, 2, 2},
    {"btc", PV_ASM_BTC, true, true, 0, 0, 2, 2},
    {"bsf", PV_ASM_BSF, true, false, 0, 0, 2, 2},
    {"bsr", PV_ASM_BSR, true, false, 0, 0, 2, 2},
    {"bswap", PV_ASM_BSWAP, true, false, 0, 0, 1, 1},
    {"rol", PV_ASM_ROL, true, false, 0, 0, 1, 2},
    {"ror", PV_ASM_ROR, true, false, 0, 0, 1, 2},
    {"shl", PV_ASM_SHL, true, false, 0, 0, 1, 2},
    {"sal", PV_ASM_SHL, true, false, 0, 0, 1, 2},
    {"shr", PV_ASM_SHR, true, false, 0, 0, 1, 2},
    {"sar", PV_ASM_SAR, true, false, 0, 0, 1, 2},
    {"rdtsc", PV_ASM_RDTSC, false, false, 0, 0, 0, 0},
    {"cpuid", PV_ASM_CPUID, false, false, 0, 0, 0, 0},
};

/* The eight original registers. The others are r8 to r15, with d, w and b for parts of them. */
static const struct {
  const char *name;
  struct pv_asm_register reg;
} registers[] = {
    {"al", {false, PV_ASM_AX, 8, false}},   {"ah", {false, PV_ASM_AX, 8, true}},
    {"ax", {false, PV_ASM_AX, 16, false}},  {"eax", {false, PV_ASM_AX, 32, false}},
    {"rax", {false, PV_ASM_AX, 64, false}}, {"bl", {false, PV_ASM_BX, 8, false}},
    {"bh", {false, PV_ASM_BX, 8, true}},    {"bx", {false, PV_ASM_BX, 16, false}},
    {"ebx", {false, PV_ASM_BX, 32, false}}, {"rbx", {false, PV_ASM_BX, 64, false}},
    {"cl", {false, PV_ASM_CX, 8, false}},   {"ch", {false, PV_ASM_CX, 8, true}},
    {"cx", {false, PV_ASM_CX, 16, false}},  {"ecx", {false, PV_ASM_CX, 32, false}},
    {"rcx", {false, PV_ASM_CX, 64, false}}, {"dl", {false, PV_ASM_DX, 8, false}},
    {"dh", {false, PV_ASM_DX, 8, true}},    {"dx", {false, PV_ASM_DX, 16, false}},
    {"edx", {false, PV_ASM_DX, 32, false}}, {"rdx", {false, PV_ASM_DX, 64, false}},
    {"sp", {false, PV_ASM_SP, 16, false}},  {"esp", {false, PV_ASM_SP, 32, false}},
    {"rsp", {false, PV_ASM_SP, 64, false}}, {"bp", {false, PV_ASM_BP, 16, false}},
    {"ebp", {false, PV_ASM_BP, 32, false}}, {"rbp", {false, PV_ASM_BP, 64, false}},
    {"si", {false, PV_ASM_SI, 16, false}},  {"esi", {false, PV_ASM_SI, 32, false}},
    {"rsi", {false, PV_ASM_SI, 64, false}}, {"di", {false, PV_ASM_DI, 16, false}},
    {"edi", {false, PV_ASM_DI, 32, false}}, {"rdi", {false, PV_ASM_DI, 64, false}},
    {"sil", {false, PV_ASM_SI, 8, false}},  {"dil", {false, PV_ASM_DI, 8, false}},
};

static bool is(const char *word, size_t n, const char *name) {
  return strlen(name) == n && strncmp(word, name, n) == 0;
}

static enum pv_asm_condition condition_of(const char *word, size_t n) {
  for (unsigned c = 0; c < PV_ASM_CC_NONE; c++)
    for (unsigned k = 0; k < 3 && conditions[c][k]; k++)
      if (is(word, n, conditions[c][k])) return (enum pv_asm_condition)c;
  return PV_ASM_CC_NONE;
}

/* Parses "eax", "r10d". Returns false if the register is not known here. */
static bool register_of(const char *word, size_t n, bool wide, struct pv_asm_register *out) {
  for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
    if (!is(word, n, registers[i].name)) continue;
    *out = registers[i].reg;
    bool old = out->bits < 64 && (out->bits > 8 || out->number <= PV_ASM_BX);
    return wide || old;
  }
  unsigned number = 0;
  size_t at = 1;
  if (!wide || n < 2 || word[0] != 'r') return false;
  while (at < n && isdigit((unsigned char)word[at]) && number < 100)
    number = number * 10 + (unsigned)(word[at++] - '0');
  if (number < 8 || number >= PV_ASM_REGISTERS || n - at > 1) return false;
  char part = at < n ? word[at] : 'q';
  if (!strchr("bwdq", part) || (at < n && part == 'q')) return false;
  out->number = (uint8_t)number;
  out->bits = part == 'b' ? 8 : part == 'w' ? 16 : part == 'd' ? 32 : 64;
  return true;
}

/* ---- the text, without comments and other dialects ------------------------------------------- */

enum { OPERAND = 1 }; /* stands before an operand's number; a dollar stays a dollar */

static bool clean(const char *text, size_t n, struct pv_str *out) {
  bool other = false; /* inside of a dialect that is not used */
  for (size_t i = 0; i < n; i++) {
    char c = text[i], next = i + 1 < n ? text[i + 1] : '\0';
    if (c == OPERAND || c == '\0') return false;
    if (c == '$' && next && strchr("(|)", next)) {
      other = next == '|' || (other && next == '(');
      i++;
    } else if (other) {
      if (c == '$') i++;
    } else if (c == '$' && next == '$') {
      pv_str_addc(out, '$');
      i++;
    } else if (c == '#') {
      while (i + 1 < n && text[i + 1] != '\n') i++;
    } else {
      pv_str_addc(out, c == '$' ? (char)OPERAND : c);
    }
  }
  return true;
}

/* ---- operands -------------------------------------------------------------------------------- */

struct reader {
  const char *at, *end;
  bool wide;
};

static void blanks(struct reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

static bool take(struct reader *r, char c) {
  blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool word(struct reader *r, const char **from, size_t *n) {
  *from = r->at;
  while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.'))
    r->at++;
  *n = (size_t)(r->at - *from);
  return *n > 0;
}

/* [+-] digits, 0x and hexadecimal digits, 0 and octal digits. */
static bool number(struct reader *r, int64_t *value) {
  const char *from, *start = r->at;
  char digits[24], *stop;
  size_t n;
  blanks(r);
  bool minus = r->at < r->end && *r->at == '-';
  if (r->at < r->end && (*r->at == '-' || *r->at == '+')) r->at++;
  blanks(r);
  if (r->at == r->end || !isdigit((unsigned char)*r->at) || !word(r, &from, &n) ||
      n >= sizeof digits) {
    r->at = start;
    return false;
  }
  memcpy(digits, from, n);
  digits[n] = '\0';
  uint64_t magnitude = strtoull(digits, &stop, 0);
  *value = (int64_t)(minus ? -magnitude : magnitude);
  return !*stop;
}

static bool a_register(struct reader *r, struct pv_asm_register *out) {
  const char *from;
  size_t n;
  static const char letters[] = "bhwkq";
  static const uint8_t bits[] = {8, 8, 16, 32, 64};
  *out = (struct pv_asm_register){0};
  if (take(r, '%')) return word(r, &from, &n) && register_of(from, n, r->wide, out);
  if (!take(r, OPERAND)) return false;
  bool braces = r->at < r->end && *r->at == '{';
  int64_t value;
  if (braces) r->at++;
  if (!r->end || r->at == r->end || !isdigit((unsigned char)*r->at)) return false;
  for (value = 0; r->at < r->end && isdigit((unsigned char)*r->at) && value < 100; r->at++)
    value = value * 10 + (*r->at - '0');
  out->is_operand = true;
  out->number = (uint8_t)value;
  if (!braces) return true;
  if (r->at < r->end && *r->at == ':') {
    const char *letter = ++r->at < r->end ? strchr(letters, *r->at) : NULL;
    if (!letter || !*letter) return false;
    out->bits = bits[letter - letters];
    out->high = *letter == 'h';
    r->at++;
    if (out->bits == 64 && !r->wide) return false;
  }
  return r->at < r->end && *r->at++ == '}';
}

/* Parses what follows "(": base, index, scale, ")". */
static bool address(struct reader *r, struct pv_asm_place *out) {
  int64_t scale = 1;
  out->kind = PV_ASM_MEMORY;
  blanks(r);
  if (r->at < r->end && *r->at != ',') {
    out->has_base = true;
    if (!a_register(r, &out->reg)) return false;
  }
  if (take(r, ',')) {
    blanks(r);
    if (!a_register(r, &out->index)) return false;
    if (take(r, ',') && !number(r, &scale)) return false;
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) return false;
    out->scale = (unsigned)scale;
  }
  return take(r, ')') && (out->has_base || out->scale);
}

static bool whole_operand(struct reader *r, struct pv_asm_place *out) {
  int64_t more;
  if (!a_register(r, &out->reg)) return false;
  blanks(r);
  if (r->at < r->end && (*r->at == '+' || *r->at == '-')) {
    if (!number(r, &more)) return false;
    out->value += more;
    out->kind = PV_ASM_MEMORY;
  }
  out->whole = out->kind == PV_ASM_MEMORY;
  return !out->whole || (!out->reg.bits && out->reg.is_operand);
}

static bool place(struct reader *r, struct pv_asm_place *out) {
  *out = (struct pv_asm_place){.kind = PV_ASM_REGISTER};
  if (take(r, '$')) {
    out->kind = PV_ASM_CONSTANT;
    return number(r, &out->value);
  }
  blanks(r);
  if (r->at == r->end) return false;
  if (*r->at == '%') return a_register(r, &out->reg);
  if (*r->at != OPERAND && *r->at != '(') {
    out->kind = PV_ASM_MEMORY;
    if (!number(r, &out->value)) return false;
    take(r, '+');
    blanks(r);
  }
  if (r->at < r->end && *r->at == OPERAND) return whole_operand(r, out);
  return take(r, '(') && address(r, out);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static unsigned suffix(char c) {
  return c == 'b' ? 8 : c == 'w' ? 16 : c == 'l' ? 32 : c == 'q' ? 64 : 0;
}

/* set and cmov: the rest of the name is a condition, for cmov possibly with a suffix. */
static bool conditional(const char *name, size_t n, struct pv_asm_instruction *out) {
  bool set = n > 3 && strncmp(name, "set", 3) == 0;
  if (!set && (n < 5 || strncmp(name, "cmov", 4) != 0)) return false;
  name += set ? 3 : 4;
  n -= set ? 3 : 4;
  out->op = set ? PV_ASM_SET : PV_ASM_CMOV;
  out->bits = set ? 8 : 0;
  out->condition = condition_of(name, n);
  if (out->condition == PV_ASM_CC_NONE && !set && n > 1 && suffix(name[n - 1]) > 8) {
    out->bits = suffix(name[n - 1]);
    out->condition = condition_of(name, n - 1);
  }
  return out->condition != PV_ASM_CC_NONE;
}

/* Sets op and widths by the name; `m` receives its other properties. */
static bool named(const char *name, size_t n, struct pv_asm_instruction *out, struct mnemonic *m) {
  for (int with = 0; with < 2; with++) { /* the name as it is; then without a suffix */
    unsigned bits = with ? suffix(name[n - 1]) : 0;
    if (with && (!bits || n < 2)) break;
    for (size_t i = 0; i < sizeof mnemonics / sizeof mnemonics[0]; i++) {
      if (!is(name, n - (size_t)with, mnemonics[i].name) || (with && !mnemonics[i].sized)) continue;
      *m = mnemonics[i];
      out->op = m->op;
      out->bits = with ? bits : m->bits;
      out->from = m->from;
      return true;
    }
  }
  if (!conditional(name, n, out)) return false;
  *m = (struct mnemonic){.op = out->op, .least = out->op == PV_ASM_SET ? 1 : 2};
  m->most = m->least;
  return true;
}

struct prefixes {
  bool lock, rep;
};

/* Parses one statement. It may be only a prefix of the next one. */
static bool statement(struct reader *r, struct prefixes *p, struct pv_asm_template *out) {
  struct pv_asm_instruction i = {.condition = PV_ASM_CC_NONE};
  struct mnemonic m;
  const char *name;
  size_t n;
  for (;; blanks(r)) {
    blanks(r);
    if (r->at == r->end) return true;
    if (!word(r, &name, &n)) return false;
    bool lock = is(name, n, "lock"), rep = is(name, n, "rep");
    if ((lock && p->lock) || (rep && p->rep)) return false;
    p->lock |= lock;
    p->rep |= rep;
    if (!lock && !rep) break;
  }
  if (!named(name, n, &i, &m) || (i.bits == 64 && !r->wide && i.op != PV_ASM_CMPXCHG_PAIR))
    return false;
  if ((p->lock && !m.lock) || (p->rep && (i.op != PV_ASM_NOP || m.most))) return false;
  i.lock = p->lock;
  *p = (struct prefixes){0};
  for (blanks(r); r->at < r->end; i.n++) {
    if (i.n == m.most || (i.n && !take(r, ','))) return false;
    if (!place(r, &i.at[i.n])) return false;
    blanks(r);
  }
  if (i.n < m.least) return false;
  if (i.n < m.most) { /* shifts by one */
    i.at[1] = i.at[0];
    i.at[0] = (struct pv_asm_place){.kind = PV_ASM_CONSTANT, .value = 1};
    i.n = 2;
  }
  pv_vec_push(&out->lines, i);
  return true;
}

static void not_known(struct pv_str *why, const char *from, const char *to) {
  while (from < to && isspace((unsigned char)*from)) from++;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  pv_str_add(why, "inline assembly: ");
  for (; from < to && why->n < 80; from++) {
    unsigned char c = (unsigned char)*from;
    pv_str_addc(why, c == OPERAND ? '%' : isprint(c) ? (char)c : ' ');
  }
}

bool pv_asm_read(const char *text, size_t n, bool wide, struct pv_asm_template *out,
                 struct pv_str *why) {
  struct pv_str s = {0};
  struct prefixes p = {0};
  bool ok = clean(text, n, &s);
  const char *at = pv_str_cstr(&s), *end = at + s.n, *last = at;
  if (!ok) pv_str_add(why, "inline assembly");
  while (ok && at < end) {
    const char *stop = at;
    while (stop < end && *stop != ';' && *stop != '\n') stop++;
    struct reader r = {at, stop, wide};
    while (r.at < r.end && isspace((unsigned char)*r.at)) r.at++;
    last = at;
    ok = statement(&r, &p, out);
    if (!ok) not_known(why, at, stop);
    at = stop + (stop < end);
  }
  if (ok && (p.lock || p.rep)) {
    not_known(why, last, end);
    ok = false;
  }
  pv_str_free(&s);
  return ok;
}

bool pv_asm_only_marks(const char *text, size_t n) {
  static const char *const marks[] = {".symver", ".ident", ".file"};
  const char *end = text + n;
  while (text < end) {
    const char *stop = text;
    while (stop < end && *stop != '\n') stop++;
    while (text < stop && isspace((unsigned char)*text)) text++;
    bool known = text == stop;
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
      size_t m = strlen(marks[k]);
      known |= (size_t)(stop - text) > m && strncmp(text, marks[k], m) == 0 &&
               isspace((unsigned char)text[m]) && !memchr(text, ';', (size_t)(stop - text));
    }
    if (!known) return false;
    text = stop + (stop < end);
  }
  return true;
}

/* ---- constraints ----------------------------------------------------------------------------- */

/* A register by any of its names: "ax", "rbx", "r8". */
static bool constraint_register(const char *name, size_t n, uint8_t *out) {
  struct pv_asm_register reg;
  if (!register_of(name, n, true, &reg) || reg.high) return false;
  *out = reg.number;
  return true;
}

/* Clobbers other than registers and memory have no effect here. */
static bool clobber(const char *name, size_t n, struct pv_asm_constraints *out) {
  static const char *const nothing[] = {"cc", "dirflag", "fpsr", "flags"};
  uint8_t reg;
  if (is(name, n, "memory")) {
    out->memory = true;
    return true;
  }
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
    if (is(name, n, nothing[i])) return true;
  if (!constraint_register(name, n, &reg)) return false;
  out->clobbered |= UINT32_C(1) << reg;
  return true;
}

/* Parses one letter of an operand's constraint. A choice between two registers means any
 * register. */
static bool letter(char c, bool wide, struct pv_asm_operand *o) {
  static const char fixed[] = "acdb??SD"; /* by register number */
  const char *f = c != '?' ? strchr(fixed, c) : NULL;
  if (f && c) {
    o->reg = (uint8_t)(f - fixed);
    return true;
  }
  if (strchr("rqQRlgX", c)) o->reg = PV_ASM_ANY;
  if (strchr("inIJKLMNOeZsEFgX", c)) o->constant = true;
  if (c == 'A' && !wide) o->pair = true;
  return strchr("rqQRlgXminIJKLMNOeZsEFVo", c) || o->pair;
}

static bool operand(const char *s, size_t n, bool wide, struct pv_asm_constraints *out) {
  struct pv_asm_operand o = {.reg = PV_ASM_ANY, .condition = PV_ASM_CC_NONE, .tied = -1};
  size_t i = 0;
  o.output = n && s[0] == '=';
  for (i = o.output; i < n && strchr("&*%", s[i]); i++) {
    o.early |= s[i] == '&';
    o.indirect |= s[i] == '*';
  }
  if (i < n && s[i] == '{') {
    const char *name = s + i + 1;
    size_t m = n - i - 2;
    if (n < i + 3 || s[n - 1] != '}') return false;
    if (m > 3 && strncmp(name, "@cc", 3) == 0) {
      o.condition = condition_of(name + 3, m - 3);
      if (o.condition == PV_ASM_CC_NONE || !o.output) return false;
    } else if (!constraint_register(name, m, &o.reg)) {
      return false;
    }
    i = n;
  } else if (i < n && isdigit((unsigned char)s[i])) {
    for (o.tied = 0; i < n && isdigit((unsigned char)s[i]) && o.tied < 100; i++)
      o.tied = o.tied * 10 + (s[i] - '0');
    if (o.output || (uint32_t)o.tied >= out->operands.n || !out->operands.at[o.tied].output ||
        i < n)
      return false;
  } else if (i == n) {
    return false;
  }
  unsigned letters = (unsigned)(n - i);
  for (; i < n; i++)
    if (!letter(s[i], wide, &o)) return false;
  if (letters > 1 && !o.indirect && o.reg != PV_ASM_ANY) o.reg = PV_ASM_ANY;
  if (o.pair && letters > 1) return false;
  pv_vec_push(&out->operands, o);
  return true;
}

bool pv_asm_read_constraints(const char *text, size_t n, bool wide, struct pv_asm_constraints *out,
                             struct pv_str *why) {
  const char *at = text, *end = text + n;
  while (at < end) {
    const char *stop = at;
    for (bool in = false; stop < end && (in || *stop != ','); stop++)
      in = *stop == '{' || (in && *stop != '}');
    size_t m = (size_t)(stop - at);
    bool ok = m > 3 && at[0] == '~' && at[1] == '{' && stop[-1] == '}' ? clobber(at + 2, m - 3, out)
                                                                       : operand(at, m, wide, out);
    if (!ok) {
      pv_str_addf(why, "inline assembly: constraint %.*s", (int)m, at);
      return false;
    }
    at = stop + (stop < end);
  }
  return true;
}
