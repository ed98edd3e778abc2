/* specialise_formats.c -- partial evaluation of printf and fprintf to standard output and standard
 * error, of sprintf and snprintf, and of scanf of numbers: where the format is a literal, a call
 * goes to a function of its own without a variable number of arguments, which calls a function of
 * models/format.c or models/format_memory.c for each piece of the format. So no engine has to
 * follow how the format is read. What is not handled here (`%n`, long doubles, positions, arguments
 * of the wrong type, structures) still reads its format. */
#include "frontend/frontend_internal.h"
#include "frontend/texts.h"

#include <stdlib.h>
#include <string.h>

/* One conversion, as models/format.c takes it. */
struct spec {
  unsigned flags;       /* see flag_letters */
  int width, precision; /* precision -1: not given */
  bool precision_given; /* by an argument: `*` */
  char conv;
  unsigned bits; /* of the argument: 32 or 64; 0: a pointer, or a double */
  bool is_char, is_short;
};

/* What the call does. */
enum kind { PRINTS, STORES, SCANS };

struct call {
  LLVMModuleRef m;
  LLVMContextRef ctx;
  LLVMValueRef site;
  unsigned pointer_bits;
  enum kind kind;
  int fd; /* PRINTS */
  const char *format;
  unsigned format_at, next; /* numbers of operands: the format, the next argument */
  bool sized;               /* STORES: operand 1 is the size */
  bool used;                /* is the result? */
  bool defined;             /* is def-behavior asked for? */
  /* While the function is built: */
  LLVMBuilderRef b;
  LLVMValueRef f, total;
  /* STORES: see models/format_memory.c */
  LLVMValueRef size, capacity, nearest;
  bool guarded; /* may the total be too large, so that no more conversions are made? */
  LLVMBasicBlockRef end;
  PV_VEC(LLVMValueRef) end_totals, end_nearest;
  PV_VEC(LLVMBasicBlockRef) ends; /* the blocks that go to the end */
};

static const char flag_letters[] = "-+ #0"; /* their bits in `flags`, from the lowest */
enum { LEFT = 1, ZERO = 16, MOST_PADS = 40 };

static LLVMTypeRef integer(const struct call *c, unsigned bits) {
  return LLVMIntTypeInContext(c->ctx, bits);
}

/* ---- the format ------------------------------------------------------------------------------ */
static const char *number(const char *s, int *value) {
  enum { LARGE = 1000 };
  *value = 0;
  for (; *s >= '0' && *s <= '9' && *value < LARGE; s++) *value = *value * 10 + (*s - '0');
  return *s >= '0' && *s <= '9' ? NULL : s;
}

static const char *length(const struct call *c, const char *s, struct spec *out) {
  out->bits = 32;
  if (s[0] == 'h') {
    out->is_char = s[1] == 'h';
    out->is_short = !out->is_char;
    return s + 1 + out->is_char;
  }
  if (s[0] == 'l' || s[0] == 'z' || s[0] == 't' || s[0] == 'j' || s[0] == 'q') {
    bool twice = s[0] == 'l' && s[1] == 'l';
    out->bits = twice || s[0] == 'j' || s[0] == 'q' ? 64 : c->pointer_bits;
    return s + 1 + twice;
  }
  return s;
}

static bool is_double(char conv) {
  return strchr("fFeEgGaA", conv) != NULL;
}

/* Reads the conversion behind a `%`. Returns its end, or NULL if it is not handled here. */
static const char *read_spec(const struct call *c, const char *s, struct spec *out) {
  *out = (struct spec){.precision = -1};
  for (const char *at; *s && (at = strchr(flag_letters, *s)); s++)
    out->flags |= 1u << (at - flag_letters);
  if (!(s = number(s, &out->width))) return NULL;
  if (*s == '.') {
    if (*++s == '*')
      out->precision_given = *s++ == '*';
    else if (!(s = number(s, &out->precision)))
      return NULL;
  }
  const char *letter = length(c, s, out);
  out->conv = *letter;
  if (!*letter || !strchr("diouxXcspfFeEgGaA", *letter)) return NULL;
  bool takes_length = strchr("diouxX", *letter) != NULL;
  if (!takes_length && letter != s) return NULL;
  if (!takes_length && *letter != 'c') out->bits = 0;
  bool counted = c->kind == STORES; /* its text is followed */
  if (is_double(out->conv) && !counted && (out->precision_given || c->used)) return NULL;
  return letter + 1;
}

static bool takes(struct call *c, unsigned bits, bool real) {
  if (c->next >= LLVMGetNumArgOperands(c->site)) return false;
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(c->site, c->next++));
  if (!bits) return LLVMGetTypeKind(t) == (real ? LLVMDoubleTypeKind : LLVMPointerTypeKind);
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

static bool is_space(char c) {
  return c && strchr(" \t\n\v\f\r", c);
}

/* The next `%d` or `%u` of scanf, behind blanks, which it skips itself. *s becomes its end. Returns
 * the length as models/scan.c has it, or -1 if it is something else. */
static int read_number(const char **s, char *conv) {
  static const struct {
    const char *text;
    char length;
  } lengths[] = {{"hh", 'H'}, {"h", 'h'}, {"ll", 'q'}, {"l", 'l'}, {"z", 'l'}, {"", 0}};
  while (is_space(**s)) ++*s;
  if (*(*s)++ != '%') return -1;
  size_t i = 0;
  while (strncmp(*s, lengths[i].text, strlen(lengths[i].text)) != 0) i++;
  *s += strlen(lengths[i].text);
  *conv = *(*s)++;
  return *conv == 'd' || *conv == 'u' ? lengths[i].length : -1;
}

static bool is_of_numbers(struct call *c) {
  unsigned first = c->next;
  const char *s = c->format;
  bool good = *s != '\0';
  char conv;
  while (good && *s) good = read_number(&s, &conv) >= 0 && takes(c, 0, false);
  c->next = first;
  return good;
}

/* A structure that is passed by value looks like a pointer. */
static bool has_structure(const struct call *c) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(c->site); i++)
    if (pv_fe_call_attribute(c->site, i + 1, "byval")) return true;
  return false;
}

/* Is every conversion handled here, with an argument of its type? */
static bool is_handled(struct call *c) {
  if (has_structure(c)) return false;
  if (c->kind == SCANS) return is_of_numbers(c);
  unsigned first = c->next;
  bool good = true;
  for (const char *s = c->format; good && s && (s = strchr(s, '%'));) {
    struct spec spec;
    if (s[1] == '%') {
      s += 2;
      continue;
    }
    s = read_spec(c, s + 1, &spec);
    good = s && (!spec.precision_given || takes(c, 32, false)) &&
           takes(c, spec.bits, is_double(spec.conv));
  }
  c->next = first;
  return good;
}

/* ---- the function ---------------------------------------------------------------------------- */
enum { MOST = 8 }; /* parameters of a function of models/format.c */

static LLVMValueRef constant(const struct call *c, unsigned bits, uint64_t value) {
  return LLVMConstInt(integer(c, bits), value, 0);
}

static LLVMValueRef call_typed(struct call *c, LLVMTypeRef result, const char *name,
                               LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[MOST];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef f = LLVMGetNamedFunction(c->m, name);
  if (!f) f = LLVMAddFunction(c->m, name, type); /* an intrinsic */
  return LLVMBuildCall2(c->b, type, f, args, n, "");
}

/* The function's result has the width of a pointer. */
static LLVMValueRef call_model(struct call *c, const char *name, LLVMValueRef *args, unsigned n) {
  return call_typed(c, integer(c, c->pointer_bits), name, args, n);
}

/* A function that writes: __proviso_put_NAME(fd, args) returns a length, which is added to the
 * total; __proviso_at_NAME(to, capacity, total, args) the new total. */
static void put(struct call *c, const char *name, const LLVMValueRef *args, unsigned n) {
  LLVMValueRef all[MOST];
  unsigned first = 0;
  if (c->kind == PRINTS) {
    all[first++] = constant(c, 32, (uint64_t)c->fd);
  } else {
    all[first++] = LLVMGetParam(c->f, 0);
    all[first++] = c->capacity;
    all[first++] = c->total;
  }
  memcpy(all + first, args, n * sizeof *args);
  char *full = pv_format("__proviso_%s_%s", c->kind == PRINTS ? "put" : "at", name);
  LLVMValueRef result = call_model(c, full, all, first + n);
  if (c->kind == STORES)
    c->total = result;
  else if (c->used)
    c->total = LLVMBuildAdd(c->b, c->total, result, "");
  free(full);
}

static void put_text(struct call *c, const char *from, const char *to) {
  if (from == to) return;
  LLVMValueRef at = constant(c, c->pointer_bits, (uint64_t)(from - c->format));
  LLVMValueRef args[] = {
      LLVMBuildGEP2(c->b, integer(c, 8), LLVMGetParam(c->f, c->format_at), &at, 1, ""),
      constant(c, c->pointer_bits, (uint64_t)(to - from))};
  put(c, "text", args, 2);
}

static bool is_signed(const struct spec *s) {
  return s->conv == 'd' || s->conv == 'i';
}

/* The argument, as 64 bits if it is an integer. */
static LLVMValueRef argument(struct call *c, const struct spec *s) {
  LLVMValueRef v = LLVMGetParam(c->f, c->next++);
  if (!s->bits || s->conv == 'c') return v;
  if (s->is_char || s->is_short) v = LLVMBuildTrunc(c->b, v, integer(c, s->is_char ? 8 : 16), "");
  return is_signed(s) ? LLVMBuildSExt(c->b, v, integer(c, 64), "")
                      : LLVMBuildZExt(c->b, v, integer(c, 64), "");
}

/* For a conversion without flags, width and precision; NULL: there is none. */
static const char *simple_function(const struct call *c, const struct spec *s) {
  bool is_short = c->kind == STORES && s->bits == 32; /* fewer digits */
  switch (s->conv) {
  case 'd':
  case 'i': return is_short ? "short_decimal" : "decimal";
  case 'u': return is_short ? "short_unsigned" : "unsigned";
  case 'x': return is_short ? "short_hexadecimal" : "hexadecimal";
  case 'c': return "byte";
  case 's': return c->kind == STORES ? NULL : "string";
  default: return NULL;
  }
}

static const char *length_function(const struct spec *s) {
  return s->conv == 's'   ? "__proviso_length_string"
         : is_signed(s)   ? "__proviso_length_decimal"
         : s->conv == 'x' ? "__proviso_length_hexadecimal"
                          : "__proviso_length_unsigned";
}

/* A function for each character of padding that there may be before (after) a text of that length.
 */
static void put_pads(struct call *c, const struct spec *s, LLVMValueRef length, char pad) {
  for (int k = s->width; k > (s->conv == 's' ? 0 : 1); k--) {
    LLVMValueRef args[] = {length, constant(c, 32, (unsigned)k), constant(c, 32, (unsigned)pad)};
    put(c, "pad", args, 3);
  }
}

/* A conversion with a width and no other flags than - and 0: the length first; then the padding and
 * the rest. */
static void put_padded(struct call *c, const struct spec *s, LLVMValueRef value) {
  bool left = s->flags & LEFT, zeros = s->flags & ZERO && !left && s->conv != 's';
  LLVMValueRef n = call_model(c, length_function(s), &value, 1);
  bool sign_first = zeros && is_signed(s);
  if (sign_first) put(c, "sign", &value, 1);
  if (left) put(c, simple_function(c, s), &value, 1);
  put_pads(c, s, n, zeros ? '0' : ' ');
  const char *magnitude = c->kind == STORES && s->bits == 32 ? "short_magnitude" : "magnitude";
  if (!left) put(c, sign_first ? magnitude : simple_function(c, s), &value, 1);
}

/* A branch on a comparison with the number itself: its text is not followed, but if it is
 * indeterminate, printing uses it. */
static void use_number(struct call *c, LLVMValueRef number, bool is_double) {
  LLVMBasicBlockRef differs = LLVMAppendBasicBlockInContext(c->ctx, c->f, ""),
                    end = LLVMAppendBasicBlockInContext(c->ctx, c->f, "");
  LLVMValueRef differ = is_double ? LLVMBuildFCmp(c->b, LLVMRealUNO, number, number, "")
                                  : LLVMBuildICmp(c->b, LLVMIntNE, number, number, "");
  LLVMBuildCondBr(c->b, differ, differs, end);
  LLVMPositionBuilderAtEnd(c->b, differs);
  LLVMBuildBr(c->b, end);
  LLVMPositionBuilderAtEnd(c->b, end);
}

/* A local of the function: in its first block, so that it lives in the frame. */
static LLVMValueRef local(struct call *c, LLVMTypeRef type) {
  LLVMBasicBlockRef now = LLVMGetInsertBlock(c->b), entry = LLVMGetEntryBasicBlock(c->f);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(c->b, first);
  else
    LLVMPositionBuilderAtEnd(c->b, entry);
  LLVMValueRef slot = LLVMBuildAlloca(c->b, type, "number");
  LLVMPositionBuilderAtEnd(c->b, now);
  return slot;
}

/* Writes the number, of 64 bits, with a conversion of printf. */
static void put_number(struct call *c, LLVMValueRef number, const char *conversion) {
  bool is_double = LLVMGetTypeKind(LLVMTypeOf(number)) == LLVMDoubleTypeKind;
  LLVMValueRef slot = local(c, LLVMTypeOf(number));
  if (c->defined) use_number(c, number, is_double);
  LLVMBuildStore(c->b, number, slot);
  LLVMValueRef args[] = {constant(c, 32, (uint64_t)c->fd), slot,
                         LLVMBuildGlobalStringPtr(c->b, conversion, "")};
  call_model(c, "__proviso_print_number", args, 3);
}

static void put_double(struct call *c, const struct spec *s) {
  struct pv_str text = {0};
  pv_str_addc(&text, '%');
  for (unsigned i = 0; flag_letters[i]; i++)
    if (s->flags >> i & 1) pv_str_addc(&text, flag_letters[i]);
  if (s->width) pv_str_addf(&text, "%d", s->width);
  if (s->precision >= 0) pv_str_addf(&text, ".%d", s->precision);
  pv_str_addc(&text, s->conv);
  put_number(c, LLVMGetParam(c->f, c->next++), pv_str_cstr(&text));
  pv_str_free(&text);
}

/* `%s` into memory. The text must not have been overwritten, and what is read of it must not lie
 * where the call writes. */
static void store_string(struct call *c, const struct spec *s, LLVMValueRef precision) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(c->ctx, 0);
  LLVMValueRef to = LLVMGetParam(c->f, 0);
  LLVMValueRef given[] = {to, c->capacity, c->total, LLVMGetParam(c->f, c->next++), precision};
  LLVMValueRef text = call_typed(c, pointer, "__proviso_at_argument", given, 5);
  LLVMValueRef measured[] = {text, precision};
  LLVMValueRef n = call_model(c, "__proviso_at_length", measured, 2);
  LLVMValueRef reads[] = {to, c->nearest, text, n, precision};
  c->nearest = call_model(c, "__proviso_at_reads", reads, 5);
  LLVMValueRef args[] = {text, n};
  if (s->flags & LEFT) put(c, "text", args, 2);
  LLVMValueRef fill[] = {n, constant(c, 32, (uint64_t)s->width)};
  if (s->width > MOST_PADS)
    put(c, "spaces", fill, 2);
  else
    put_pads(c, s, n, ' ');
  if (!(s->flags & LEFT)) put(c, "text", args, 2);
  c->guarded |= s->precision < 0; /* a precision that is an argument may not be one */
}

static void put_conversion(struct call *c, const struct spec *s) {
  if (is_double(s->conv) && c->kind == PRINTS) {
    put_double(c, s);
    return;
  }
  LLVMValueRef width = constant(c, 32, (uint64_t)s->width);
  LLVMValueRef precision = constant(c, 32, (uint64_t)(int64_t)s->precision);
  if (s->precision_given) precision = LLVMGetParam(c->f, c->next++);
  if (s->conv == 's' && c->kind == STORES) {
    store_string(c, s, precision);
    return;
  }
  LLVMValueRef value = argument(c, s);
  LLVMValueRef args[] = {value, width, precision, constant(c, 32, s->flags),
                         constant(c, 32, (unsigned char)s->conv)};
  bool plain = !s->flags && !s->width && s->precision < 0 && !s->precision_given;
  if (plain && s->bits && s->conv != 'c' && c->kind == PRINTS && !c->used) {
    char conversion[] = {'%', 'l', 'l', s->conv, 0};
    put_number(c, value, conversion);
    return;
  }
  const char *simple = plain ? simple_function(c, s) : NULL;
  bool padded = s->width > 0 && s->width <= MOST_PADS && s->precision < 0 && !s->precision_given &&
                !(s->flags & ~(LEFT | ZERO)) && strchr("diuxs", s->conv);
  if (simple)
    put(c, simple, args, 1);
  else if (padded)
    put_padded(c, s, value);
  else
    put(c,
        is_double(s->conv)                 ? "double"
        : s->conv == 'c'                   ? "character"
        : s->conv == 's' || s->conv == 'p' ? "pointer"
                                           : "integer",
        args, 5);
  c->guarded |= s->precision_given; /* up to INT_MAX zeros */
}

static void leave_to_end(struct call *c) {
  pv_vec_push(&c->ends, LLVMGetInsertBlock(c->b));
  pv_vec_push(&c->end_totals, c->total);
  pv_vec_push(&c->end_nearest, c->nearest);
}

/* No conversion is made if the text is too long already. */
static void guard(struct call *c) {
  if (!c->guarded) return;
  LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(c->ctx, c->f, "");
  LLVMValueRef most = constant(c, c->pointer_bits, INT32_MAX);
  leave_to_end(c);
  LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntUGT, c->total, most, ""), c->end, next);
  LLVMPositionBuilderAtEnd(c->b, next);
  c->guarded = false;
}

static void put_pieces(struct call *c) {
  const char *s = c->format, *from = s;
  while ((s = strchr(s, '%'))) {
    struct spec spec;
    if (s[1] == '%') { /* one of the two is written */
      put_text(c, from, s + 1);
      from = s += 2;
      continue;
    }
    put_text(c, from, s);
    if (c->kind == STORES) guard(c);
    from = s = read_spec(c, s + 1, &spec);
    put_conversion(c, &spec);
  }
  put_text(c, from, from + strlen(from));
}

static void get_numbers(struct call *c) {
  LLVMValueRef state = c->total;
  LLVMTypeRef types[] = {integer(c, 32), LLVMPointerTypeInContext(c->ctx, 0), integer(c, 32),
                         integer(c, 32)};
  LLVMTypeRef type = LLVMFunctionType(integer(c, 32), types, 4, 0);
  char conv;
  for (const char *s = c->format; *s;) {
    int length = read_number(&s, &conv);
    LLVMValueRef args[] = {state, LLVMGetParam(c->f, c->next++), constant(c, 32, (uint64_t)length),
                           constant(c, 32, (unsigned char)conv)};
    state = LLVMBuildCall2(c->b, type, LLVMGetNamedFunction(c->m, "__proviso_get_integer"), args, 4,
                           "");
  }
  type = LLVMFunctionType(integer(c, 32), types, 1, 0);
  c->total =
      LLVMBuildCall2(c->b, type, LLVMGetNamedFunction(c->m, "__proviso_get_end"), &state, 1, "");
}

static void begin(struct call *c) {
  LLVMTypeRef type = integer(c, 32);
  if (c->kind == SCANS) {
    c->total = LLVMBuildCall2(c->b, LLVMFunctionType(type, NULL, 0, 0),
                              LLVMGetNamedFunction(c->m, "__proviso_get_begin"), NULL, 0, "");
    return;
  }
  c->total = constant(c, c->pointer_bits, 0);
  if (c->kind == STORES) {
    c->nearest = c->size = constant(c, c->pointer_bits, UINT64_MAX);
    if (c->sized) c->size = LLVMGetParam(c->f, 1);
    c->capacity = call_model(c, "__proviso_at_capacity", &c->size, 1);
    c->end = LLVMAppendBasicBlockInContext(c->ctx, c->f, "");
    return;
  }
  LLVMValueRef fd = constant(c, 32, (uint64_t)c->fd);
  LLVMBuildCall2(c->b, LLVMFunctionType(LLVMVoidTypeInContext(c->ctx), &type, 1, 0),
                 LLVMGetNamedFunction(c->m, "__proviso_put_begin"), &fd, 1, "");
}

/* What a value is at the end, by the block it comes from. */
static LLVMValueRef joined(struct call *c, LLVMValueRef *values) {
  if (c->ends.n == 1) return values[0];
  LLVMValueRef phi = LLVMBuildPhi(c->b, integer(c, c->pointer_bits), "");
  LLVMAddIncoming(phi, values, c->ends.at, c->ends.n);
  return phi;
}

static LLVMValueRef end_of_store(struct call *c) {
  leave_to_end(c);
  LLVMBuildBr(c->b, c->end);
  LLVMPositionBuilderAtEnd(c->b, c->end);
  LLVMValueRef args[] = {LLVMGetParam(c->f, 0), c->size, joined(c, c->end_totals.at),
                         joined(c, c->end_nearest.at)};
  pv_vec_free(&c->ends);
  pv_vec_free(&c->end_totals);
  pv_vec_free(&c->end_nearest);
  return call_typed(c, integer(c, 32), "__proviso_at_end", args, 4);
}

static LLVMValueRef end(struct call *c) {
  if (c->kind == SCANS) return c->total;
  if (c->kind == STORES) return end_of_store(c);
  if (!c->used) return constant(c, 32, 0);
  LLVMValueRef args[] = {constant(c, 32, (uint64_t)c->fd), c->total};
  return call_typed(c, integer(c, 32), "__proviso_put_end", args, 2);
}

/* Fills c->f. Returns its type. */
static LLVMTypeRef build(struct call *c, const char *name) {
  unsigned n = LLVMGetNumArgOperands(c->site);
  LLVMTypeRef *types = pv_alloc((n + 1) * sizeof *types);
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(LLVMGetOperand(c->site, i));
  LLVMTypeRef type = LLVMFunctionType(integer(c, 32), types, n, 0);
  c->f = LLVMAddFunction(c->m, name, type);
  LLVMSetSection(c->f, "proviso-model");
  LLVMSetLinkage(c->f, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(c->b, LLVMAppendBasicBlockInContext(c->ctx, c->f, ""));
  begin(c);
  if (c->kind == SCANS)
    get_numbers(c);
  else
    put_pieces(c);
  LLVMBuildRet(c->b, end(c));
  free(types);
  return type;
}

/* ---- calls ----------------------------------------------------------------------------------- */
static const char *name_of(LLVMValueRef v) {
  size_t n;
  return LLVMGetValueName2(v, &n);
}

static bool is_used(LLVMModuleRef m, const char *function) {
  LLVMValueRef f = LLVMGetNamedFunction(m, function);
  return f && LLVMGetFirstUse(f);
}

/* Does the program only read the variable? */
static bool only_read(LLVMValueRef global) {
  for (LLVMUseRef u = LLVMGetFirstUse(global); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAInstruction(user)) return false;
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (!LLVMIsALoadInst(user) && !pv_fe_is_model(f)) return false;
  }
  return true;
}

/* The descriptor of the stream; 0: it may be any. */
static int descriptor(LLVMValueRef stream) {
  if (!LLVMIsALoadInst(stream)) return 0;
  LLVMValueRef g = LLVMGetOperand(stream, 0);
  if (!LLVMIsAGlobalVariable(g) || !pv_fe_is_model(g) || !only_read(g)) return 0;
  return !strcmp(name_of(g), "stdout") ? 1 : !strcmp(name_of(g), "stderr") ? 2 : 0;
}

static const char *literal(LLVMValueRef v) {
  bool constant_text = LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v);
  LLVMValueRef bytes = constant_text ? LLVMGetInitializer(v) : NULL;
  size_t n;
  if (!bytes || !LLVMIsConstantString(bytes)) return NULL;
  const char *s = LLVMGetAsString(bytes, &n);
  return n && !s[n - 1] ? s : NULL;
}

/* Is the instruction a call that can be handled? Fills *c. */
static bool find(LLVMModuleRef m, LLVMValueRef i, struct call *c) {
  static const struct {
    const char *name;
    enum kind kind;
    unsigned format_at;
  } functions[] = {{"printf", PRINTS, 0},       {"fprintf", PRINTS, 1},
                   {"sprintf", STORES, 1},      {"snprintf", STORES, 2},
                   {"scanf", SCANS, 0},         {"__isoc99_scanf", SCANS, 0},
                   {"__isoc23_scanf", SCANS, 0}};
  enum { FUNCTIONS = sizeof functions / sizeof *functions };
  if (!LLVMIsACallInst(i)) return false;
  LLVMValueRef callee = LLVMGetCalledValue(i);
  if (!LLVMIsAFunction(callee) || !pv_fe_is_model(callee)) return false;
  const char *name = name_of(callee);
  unsigned k = 0;
  while (k < FUNCTIONS && strcmp(name, functions[k].name) != 0) k++;
  if (k == FUNCTIONS || LLVMGetNumArgOperands(i) <= functions[k].format_at) return false;
  unsigned format_at = functions[k].format_at;
  enum kind kind = functions[k].kind;
  *c = (struct call){.m = m,
                     .ctx = LLVMGetModuleContext(m),
                     .site = i,
                     .kind = kind,
                     .fd = kind == PRINTS && format_at ? descriptor(LLVMGetOperand(i, 0)) : 1,
                     .format = literal(LLVMGetOperand(i, format_at)),
                     .format_at = format_at,
                     .next = 1 + format_at,
                     .sized = kind == STORES && format_at == 2,
                     .used = LLVMGetFirstUse(i) != NULL};
  return c->fd && c->format;
}

static void specialise(struct call *c) {
  unsigned n = LLVMGetNumArgOperands(c->site);
  char *name = pv_format("%s.1", name_of(LLVMGetCalledValue(c->site)));
  LLVMValueRef *args = pv_alloc((n + 1) * sizeof *args);
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetOperand(c->site, i);
  LLVMTypeRef type = build(c, name);
  LLVMPositionBuilderBefore(c->b, c->site);
  LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(c->site));
  LLVMValueRef call = LLVMBuildCall2(c->b, type, c->f, args, n, "");
  LLVMSetCurrentDebugLocation2(c->b, NULL);
  LLVMReplaceAllUsesWith(c->site, call);
  LLVMInstructionEraseFromParent(c->site);
  free(args);
  free(name);
}

void pv_fe_specialise_formats(struct pv_fe *fe) {
  static const char *const redirects[] = {"freopen", "freopen64", "dup2", "dup3"};
  LLVMModuleRef m = fe->module;
  bool possible = !fe->options->observer.n;
  for (size_t i = 0; i < sizeof redirects / sizeof *redirects; i++)
    possible &= !is_used(m, redirects[i]);
  if (!possible) return;
  PV_VEC(struct call) calls = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
    LLVMBasicBlockRef b = pv_fe_is_model(f) ? NULL : LLVMGetFirstBasicBlock(f);
    for (; b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        struct call c;
        if (!find(m, i, &c)) continue;
        c.pointer_bits = fe->p->pointer_bits;
        c.defined = fe->options->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR);
        if (is_handled(&c)) pv_vec_push(&calls, c);
      }
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  for (uint32_t i = 0; i < calls.n; i++) {
    calls.at[i].b = builder;
    specialise(&calls.at[i]);
  }
  LLVMDisposeBuilder(builder);
  pv_vec_free(&calls);
}
