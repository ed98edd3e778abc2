/* formats.c -- checks the arguments of printf, scanf and similar functions against the format, if
 * it is a literal: their number and their types (C11, 7.21.6.1 and 7.21.6.2). A conversion that
 * reads more than was passed is detected by the VM anyway; one that reads a value of another type
 * of the same size is only detected here. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum kind { NONE, INT, LONG, LONG_LONG, DOUBLE, LONG_DOUBLE, POINTER };
static const char *const kinds[] = {[INT] = "an int",
                                    [LONG] = "a long",
                                    [LONG_LONG] = "a long long",
                                    [DOUBLE] = "a double",
                                    [LONG_DOUBLE] = "a long double",
                                    [POINTER] = "a pointer"};

struct format {
  struct pv_fn *fn;
  LLVMValueRef call;
  const char *name;
  unsigned next; /* number of the next argument */
  bool scans, wrong;
};

static bool is_printf(const char *name) {
  static const char *const names[] = {
      "printf",        "fprintf",        "sprintf",        "snprintf",
      "dprintf",       "asprintf",       "__printf_chk",   "__fprintf_chk",
      "__sprintf_chk", "__snprintf_chk", "__asprintf_chk", "__dprintf_chk",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool is_scanf(const char *name) {
  if (strncmp(name, "__isoc99_", 9) == 0 || strncmp(name, "__isoc23_", 9) == 0) name += 9;
  return strcmp(name, "scanf") == 0 || strcmp(name, "fscanf") == 0 || strcmp(name, "sscanf") == 0;
}

static bool has_type(const struct format *f, enum kind wanted) {
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(f->call, f->next));
  LLVMTypeKind is = LLVMGetTypeKind(t);
  unsigned bits = is == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
  switch (wanted) {
  case INT: return bits == 32;
  case LONG: return bits == f->fn->p->pointer_bits;
  case LONG_LONG: return bits == 64;
  case DOUBLE: return is == LLVMDoubleTypeKind;
  case LONG_DOUBLE: return is == LLVMX86_FP80TypeKind;
  case POINTER: /* a structure that is passed by value looks like one */
    return is == LLVMPointerTypeKind && !pv_fe_call_attribute(f->call, f->next + 1, "byval");
  case NONE: break;
  }
  return true;
}

static void report(struct format *f, char *text) {
  struct pv_edge e = pv_edge_of(PV_OP_CHECK, 0, 0);
  e.aux = PV_CHECK_ARGUMENT;
  e.e[0] = pv_mk_const(f->fn->p, PV_INT(1), 0);
  e.text = pv_program_string(f->fn->p, text);
  free(text);
  pv_fn_emit(f->fn, e);
  f->wrong = true;
}

/* The conversion at `at`, `n` bytes long, uses an argument. */
static void take(struct format *f, enum kind wanted, const char *at, int n) {
  if (wanted == NONE || f->wrong) return;
  if (f->next >= LLVMGetNumArgOperands(f->call))
    report(f, pv_format("%s has no argument for %.*s", f->name, n, at));
  else if (!has_type(f, wanted))
    report(f, pv_format("argument %u of %s is not %s, as %.*s wants", f->next + 1, f->name,
                        kinds[wanted], n, at));
  f->next++;
}

static enum kind integer(const char *length, size_t n) {
  if (n == 0 || *length == 'h') return INT;
  /* Pointer-sized, like size_t. */
  if (*length == 'z' || *length == 'Z' || *length == 't') return LONG;
  return *length == 'l' && n == 1 ? LONG : LONG_LONG;
}

static enum kind kind_of(const struct format *f, char conversion, const char *length, size_t n) {
  if (f->scans) return strchr("diouxXpfFeEgGaAscn[", conversion) ? POINTER : NONE;
  if (strchr("diouxX", conversion)) return integer(length, n);
  if (strchr("fFeEgGaA", conversion)) return n > 0 && *length == 'L' ? LONG_DOUBLE : DOUBLE;
  if (strchr("spn", conversion)) return POINTER;
  return conversion == 'c' ? INT : NONE;
}

/* Parses the conversion at `s`, a '%'. Returns its end, or NULL if the rest cannot be checked. */
static const char *conversion(struct format *f, const char *s) {
  const char *at = s++;
  bool passed_over = false;
  if (f->scans) {
    if (*s == '*') passed_over = *s++ == '*';
    s += strspn(s, "0123456789'm");
  } else {
    s += strspn(s, "-+ #0'I");
    for (int part = 0; part < 2; part++) { /* width and precision */
      if (part && *s != '.') break;
      s += part;
      if (*s == '*') take(f, INT, at, (int)(++s - at));
      s += strspn(s, "-0123456789");
    }
  }
  if (*s == '$') return NULL; /* an argument by position */
  const char *length = s;
  s += strspn(s, "hlLqjztZ");
  size_t n = (size_t)(s - length);
  if (!*s) return NULL;
  enum kind wanted = kind_of(f, *s, length, n);
  if (wanted == NONE && *s != 'm') return NULL; /* an unknown conversion */
  if (!passed_over) take(f, wanted, at, (int)(s + 1 - at));
  if (f->scans && *s == '[') {
    s += s[1] == '^';
    s = s[1] ? strchr(s + 2, ']') : NULL;
    if (!s) return NULL;
  }
  return s + 1;
}

void pv_fn_check_format(struct pv_fn *fn, LLVMValueRef call, const char *name) {
  bool scans = is_scanf(name);
  if (!scans && !is_printf(name)) return;
  unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
  if (!fixed || fixed > LLVMGetNumArgOperands(call)) return;
  LLVMValueRef text = LLVMGetOperand(call, fixed - 1);
  bool literal = LLVMIsAGlobalVariable(text) && LLVMIsGlobalConstant(text);
  LLVMValueRef bytes = literal ? LLVMGetInitializer(text) : NULL;
  if (!bytes || !LLVMIsConstantString(bytes)) return;
  size_t n;
  const char *s = LLVMGetAsString(bytes, &n);
  if (!n || s[n - 1]) return;
  struct format f = {.fn = fn, .call = call, .name = name, .next = fixed, .scans = scans};
  while (s && !f.wrong && (s = strchr(s, '%'))) s = s[1] == '%' ? s + 2 : conversion(&f, s);
}
