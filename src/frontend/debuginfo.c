/* debuginfo.c -- names, source types, files and spans from the debug information.
 *
 * LLVM 19's C API has no accessors for most fields; they are read by operand position, which is
 * internal to LLVM (as of version 19):
 *   variables    0 scope, 1 name, 2 file, 3 type
 *   types        2 name, 3 base type or, of a function, list of types, 4 elements (composite)
 *   subranges    0 count
 *   labels       1 name
 *   subprograms  2 name, 4 type
 * Enumerators' values and the encoding of basic types are not operands: they are read from the
 * node's text. */
#include "frontend/frontend_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { /* DWARF tags */
       TAG_ARRAY = 0x01,
       TAG_CLASS = 0x02,
       TAG_ENUM = 0x04,
       TAG_MEMBER = 0x0d,
       TAG_POINTER = 0x0f,
       TAG_REFERENCE = 0x10,
       TAG_STRUCT = 0x13,
       TAG_SUBROUTINE = 0x15,
       TAG_TYPEDEF = 0x16,
       TAG_UNION = 0x17,
       TAG_INHERITANCE = 0x1c,
       TAG_BASIC = 0x24,
       TAG_CONST = 0x26,
       TAG_VOLATILE = 0x35,
       TAG_RESTRICT = 0x37,
       TAG_RVALUE_REFERENCE = 0x42,
       TAG_ATOMIC = 0x47
};

/* ---- files and spans ------------------------------------------------------------------------- */

enum { MAX_TEXT = 10 << 20 };

static bool is_regular(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void load_text(struct pv_file *f, const char *directory) {
  char *other = *f->path != '/' && *directory ? pv_format("%s/%s", directory, f->path) : NULL;
  const char *path = is_regular(f->path) ? f->path : other && is_regular(other) ? other : NULL;
  if (path && pv_read_file(path, MAX_TEXT, &f->text, &f->length, NULL) != PV_OK) f->text = NULL;
  free(other);
  if (!f->text) return;
  pv_vec_push(&f->line_start, 0);
  for (size_t i = 0; i + 1 < f->length; i++)
    if (f->text[i] == '\n') pv_vec_push(&f->line_start, (uint32_t)i + 1);
}

const char *pv_fe_as_given(const struct pv_options *o, const char *path) {
  char *real = realpath(path, NULL);
  const char *given = path;
  for (uint32_t i = 0; real && i < o->files.n; i++) {
    char *input = realpath(o->files.at[i], NULL);
    if (input && strcmp(input, real) == 0) given = o->files.at[i];
    free(input);
  }
  free(real);
  return given;
}

static uint32_t new_file(struct pv_fe *fe, LLVMMetadataRef file) {
  unsigned n, k;
  const char *name = LLVMDIFileGetFilename(file, &n), *dir = LLVMDIFileGetDirectory(file, &k);
  char *path = pv_format("%.*s", (int)n, name ? name : "?");
  char *directory = pv_format("%.*s", (int)k, dir ? dir : "");
  const char *shown = pv_program_string(fe->p, pv_fe_as_given(fe->options, path));
  uint32_t index = 1;
  /* The same file spelled in two ways. */
  while (index < fe->p->files.n && fe->p->files.at[index].path != shown) index++;
  if (index == fe->p->files.n) {
    struct pv_file f = {.path = shown};
    load_text(&f, directory);
    pv_vec_push(&fe->p->files, f);
  }
  free(path);
  free(directory);
  return index;
}

static uint32_t file_index(struct pv_fe *fe, LLVMMetadataRef file) {
  const uint32_t *known = pv_map_get(&fe->file_of, &file, sizeof file);
  if (known) return *known;
  uint32_t index = new_file(fe, file);
  pv_map_put(&fe->file_of, &file, sizeof file, index, NULL);
  return index;
}

uint32_t pv_fe_span(struct pv_fe *fe, LLVMMetadataRef file, unsigned line, unsigned column) {
  if (!file || !line) return 0;
  struct pv_span s = {file_index(fe, file), line, column};
  bool is_new;
  uint32_t index = *pv_map_put(&fe->span_of, &s, sizeof s, fe->p->spans.n, &is_new);
  if (is_new) pv_vec_push(&fe->p->spans, s);
  return index;
}

uint32_t pv_fe_span_of_location(struct pv_fe *fe, LLVMMetadataRef location) {
  if (!location) return 0;
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  return pv_fe_span(fe, file, LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location));
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static unsigned operands(struct pv_fe *fe, LLVMMetadataRef node, LLVMValueRef **out) {
  LLVMValueRef v = LLVMMetadataAsValue(fe->ctx, node);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  *out = pv_alloc((n + 1) * sizeof **out);
  LLVMGetMDNodeOperands(v, *out);
  return n;
}

LLVMValueRef pv_fe_di_operand(struct pv_fe *fe, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef *all;
  unsigned n = operands(fe, node, &all);
  LLVMValueRef v = i < n ? all[i] : NULL;
  free(all);
  return v;
}

static LLVMMetadataRef node_operand(struct pv_fe *fe, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef v = pv_fe_di_operand(fe, node, i);
  return v && LLVMIsAMDNode(v) ? LLVMValueAsMetadata(v) : NULL;
}

static const char *string_operand(struct pv_fe *fe, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef v = pv_fe_di_operand(fe, node, i);
  if (!v || !LLVMIsAMDString(v)) return "";
  unsigned n;
  const char *s = LLVMGetMDString(v, &n);
  char *copy = pv_format("%.*s", (int)n, s);
  const char *kept = pv_program_string(fe->p, copy);
  free(copy);
  return kept;
}

/* The text after `field` in the printed node ("encoding: ", "value: "). The caller frees it. */
static char *printed_field(struct pv_fe *fe, LLVMMetadataRef node, const char *field) {
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(fe->ctx, node));
  const char *at = strstr(text, field);
  at = at ? at + strlen(field) : "";
  char *copy = pv_format("%.*s", (int)strcspn(at, ",)"), at);
  LLVMDisposeMessage(text);
  return copy;
}

/* ---- types ----------------------------------------------------------------------------------- */

static pv_srctype type_index(struct pv_fe *fe, LLVMMetadataRef t);

static void basic(struct pv_fe *fe, LLVMMetadataRef t, struct pv_srctype_info *info) {
  char *encoding = printed_field(fe, t, "encoding: ");
  info->kind = strcmp(encoding, "DW_ATE_boolean") == 0         ? PV_S_BOOL
               : strcmp(encoding, "DW_ATE_float") == 0         ? PV_S_FLOAT
               : strstr(encoding, "_char")                     ? PV_S_CHAR
               : strncmp(encoding, "DW_ATE_unsigned", 15) == 0 ? PV_S_UNSIGNED
               : strncmp(encoding, "DW_ATE_signed", 13) == 0   ? PV_S_SIGNED
                                                               : PV_S_UNKNOWN;
  free(encoding);
}

/* One dimension at a time: an array of arrays for `int a[2][3]`. */
static void array(struct pv_fe *fe, LLVMMetadataRef t, struct pv_srctype_info *info) {
  info->kind = PV_S_ARRAY;
  LLVMMetadataRef base = node_operand(fe, t, 3), dims = node_operand(fe, t, 4);
  LLVMValueRef *all = NULL;
  unsigned n = dims ? operands(fe, dims, &all) : 0;
  pv_srctype element = base ? type_index(fe, base) : 0;
  uint64_t bits = fe->p->srctypes.at[element].bits;
  for (unsigned i = n; i-- > 0;) {
    LLVMMetadataRef range = all[i] ? LLVMValueAsMetadata(all[i]) : NULL;
    LLVMValueRef count = range ? pv_fe_di_operand(fe, range, 0) : NULL;
    uint64_t k = 0;
    if (count && LLVMIsAConstantInt(count)) k = LLVMConstIntGetZExtValue(count);
    if (k == UINT64_MAX) k = 0;
    if (i == 0) {
      info->count = k;
      break;
    }
    bits *= k;
    struct pv_srctype_info inner = {.kind = PV_S_ARRAY, .name = pv_program_string(fe->p, "")};
    inner.bits = bits;
    inner.element = element;
    inner.count = k;
    element = fe->p->srctypes.n;
    pv_vec_push(&fe->p->srctypes, inner);
  }
  info->element = element;
  free(all);
}

static void members(struct pv_fe *fe, LLVMMetadataRef t, unsigned tag,
                    struct pv_srctype_info *info) {
  bool is_enum = tag == TAG_ENUM;
  info->kind = is_enum ? PV_S_ENUM : tag == TAG_UNION ? PV_S_UNION : PV_S_STRUCT;
  if (*info->name) {
    char *name = pv_format("%s %s",
                           is_enum            ? "enum"
                           : tag == TAG_UNION ? "union"
                                              : "struct",
                           info->name);
    info->name = pv_program_string(fe->p, name);
    free(name);
  }
  /* If the constructor of a class is in another file, clang may only tell the size. */
  if (LLVMDITypeGetFlags(t) & LLVMDIFlagFwdDecl) info->unlisted = true;
  LLVMMetadataRef base = node_operand(fe, t, 3), list = node_operand(fe, t, 4);
  if (is_enum && base) info->element = type_index(fe, base);
  LLVMValueRef *all = NULL;
  unsigned n = list ? operands(fe, list, &all) : 0;
  for (unsigned i = 0; i < n; i++) {
    if (!all[i] || !LLVMIsAMDNode(all[i])) continue;
    LLVMMetadataRef m = LLVMValueAsMetadata(all[i]);
    struct pv_srcfield f = {0};
    if (is_enum) {
      char *value = printed_field(fe, m, "value: ");
      f.name = string_operand(fe, m, 0);
      f.bit_offset = (uint64_t)strtoll(value, NULL, 10);
      free(value);
    } else {
      bool derived = LLVMGetMetadataKind(m) == LLVMDIDerivedTypeMetadataKind;
      bool base = derived && LLVMGetDINodeTag(m) == TAG_INHERITANCE;
      if (base && (LLVMDITypeGetFlags(m) & LLVMDIFlagVirtual)) info->unlisted = true;
      if (!base && !(derived && LLVMGetDINodeTag(m) == TAG_MEMBER)) continue;
      LLVMMetadataRef type = node_operand(fe, m, 3);
      f.name = string_operand(fe, m, 2); /* "" for a base class */
      f.type = type ? type_index(fe, type) : 0;
      f.bit_offset = LLVMDITypeGetOffsetInBits(m);
      f.bit_size = base ? fe->p->srctypes.at[f.type].bits : LLVMDITypeGetSizeInBits(m);
    }
    pv_vec_push(&info->fields, f);
  }
  free(all);
}

static void fill(struct pv_fe *fe, LLVMMetadataRef t, unsigned tag, struct pv_srctype_info *info) {
  LLVMMetadataRef base;
  switch (tag) {
  case TAG_BASIC: basic(fe, t, info); break;
  case TAG_POINTER:
  case TAG_REFERENCE:
  case TAG_RVALUE_REFERENCE:
    info->kind = PV_S_POINTER;
    base = node_operand(fe, t, 3);
    info->element = base ? type_index(fe, base) : 0;
    break;
  case TAG_ARRAY: array(fe, t, info); break;
  case TAG_STRUCT:
  case TAG_CLASS:
  case TAG_UNION:
  case TAG_ENUM: members(fe, t, tag, info); break;
  default: break;
  }
}

static pv_srctype type_index(struct pv_fe *fe, LLVMMetadataRef t) {
  const uint32_t *known = pv_map_get(&fe->srctype_of, &t, sizeof t);
  if (known) return *known;
  LLVMMetadataKind kind = LLVMGetMetadataKind(t);
  bool subroutine = kind == LLVMDISubroutineTypeMetadataKind;
  unsigned tag = subroutine ? TAG_SUBROUTINE : LLVMGetDINodeTag(t);
  bool modifies =
      tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT || tag == TAG_ATOMIC;
  LLVMMetadataRef base = modifies || tag == TAG_TYPEDEF ? node_operand(fe, t, 3) : NULL;
  if (modifies) { /* qualifiers have the same type */
    pv_srctype of = base ? type_index(fe, base) : 0;
    pv_map_put(&fe->srctype_of, &t, sizeof t, of, NULL);
    return of;
  }
  pv_srctype index = fe->p->srctypes.n;
  pv_map_put(&fe->srctype_of, &t, sizeof t, index, NULL);
  struct pv_srctype_info info = {.name = subroutine ? "" : string_operand(fe, t, 2)};
  info.name = pv_program_string(fe->p, info.name);
  info.bits = subroutine ? 0 : LLVMDITypeGetSizeInBits(t);
  if (subroutine) info.kind = PV_S_FUNCTION;
  pv_vec_push(&fe->p->srctypes, info);
  if (tag == TAG_TYPEDEF) {
    struct pv_typedef alias = {index, base ? type_index(fe, base) : 0};
    pv_vec_push(&fe->typedefs, alias);
    fe->p->srctypes.at[index].bits = fe->p->srctypes.at[alias.of].bits;
    return index;
  }
  fill(fe, t, tag, &info);
  fe->p->srctypes.at[index] = info;
  return index;
}

/* The type that typedef `t` finally stands for. */
pv_srctype pv_fe_typedef_target(struct pv_fe *fe, pv_srctype t) {
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < fe->typedefs.n && !moved; i++)
      if (fe->typedefs.at[i].type == t) t = fe->typedefs.at[i].of, moved = true;
  }
  return t;
}

void pv_fe_finish_types(struct pv_fe *fe) {
  struct pv_program *p = fe->p;
  for (uint32_t i = 0; i < fe->typedefs.n; i++) {
    pv_srctype of = pv_fe_typedef_target(fe, fe->typedefs.at[i].of);
    struct pv_srctype_info *to = &p->srctypes.at[fe->typedefs.at[i].type];
    const struct pv_srctype_info *from = &p->srctypes.at[of];
    const char *name = to->name;
    *to = *from;
    to->name = name;
    to->fields.at = NULL;
    to->fields.n = to->fields.cap = 0;
    for (uint32_t k = 0; k < from->fields.n; k++) pv_vec_push(&to->fields, from->fields.at[k]);
  }
}

/* ---- variables and functions ----------------------------------------------------------------- */

static bool variable(struct pv_fe *fe, LLVMMetadataRef m, struct pv_di_variable *out) {
  LLVMMetadataRef type = node_operand(fe, m, 3), file = node_operand(fe, m, 2);
  out->name = string_operand(fe, m, 1);
  out->type = type ? type_index(fe, type) : 0;
  out->span = file ? pv_fe_span(fe, file, LLVMDIVariableGetLine(m), 0) : 0;
  return true;
}

bool pv_fe_di_variable(struct pv_fe *fe, LLVMValueRef v, struct pv_di_variable *out) {
  LLVMMetadataRef m = LLVMValueAsMetadata(v);
  return LLVMGetMetadataKind(m) == LLVMDILocalVariableMetadataKind && variable(fe, m, out);
}

LLVMValueRef pv_fe_declared_at(LLVMValueRef i) {
  LLVMValueRef at = LLVMIsADbgDeclareInst(i) ? LLVMGetOperand(i, 0) : NULL, address = NULL;
  if (at && LLVMIsAMDNode(at) && LLVMGetMDNodeNumOperands(at) == 1)
    LLVMGetMDNodeOperands(at, &address);
  return address;
}

LLVMValueRef pv_fe_declaration(LLVMValueRef a) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(a));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (pv_fe_declared_at(i) == a) return i;
  return NULL;
}

bool pv_fe_di_declared(struct pv_fe *fe, LLVMValueRef declare, struct pv_di_variable *out) {
  if (!pv_fe_di_variable(fe, LLVMGetOperand(declare, 1), out)) return false;
  char *expression = LLVMPrintValueToString(LLVMGetOperand(declare, 2));
  if (!strstr(expression, "DIExpression()")) out->type = 0;
  LLVMDisposeMessage(expression);
  return true;
}

bool pv_fe_di_global(struct pv_fe *fe, LLVMValueRef global, struct pv_di_variable *out) {
  size_t n;
  bool found = false;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
  for (size_t i = 0; i < n && !found; i++) {
    LLVMMetadataRef m = LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i);
    if (LLVMGetMetadataKind(m) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    LLVMMetadataRef v = LLVMDIGlobalVariableExpressionGetVariable(m);
    found = v && variable(fe, v, out);
  }
  LLVMDisposeValueMetadataEntries(all);
  return found;
}

/* The linker renames the second static function of a name to `name.12`; the name in the source is
 * used. */
static void source_name(struct pv_fe *fe, LLVMMetadataRef subprogram, struct pv_function *f) {
  const char *name = string_operand(fe, subprogram, 2);
  size_t n = strlen(name);
  if (n && strncmp(f->name, name, n) == 0 && f->name[n] == '.' &&
      strspn(f->name + n + 1, "0123456789") == strlen(f->name + n + 1))
    f->name = name;
}

void pv_fe_di_function(struct pv_fe *fe, LLVMValueRef function, struct pv_function *f) {
  LLVMMetadataRef m = LLVMGetSubprogram(function);
  if (!m) return;
  LLVMMetadataRef file = LLVMDIScopeGetFile(m);
  f->span = pv_fe_span(fe, file, LLVMDISubprogramGetLine(m), 0);
  source_name(fe, m, f);
}

pv_srctype pv_fe_di_returned(struct pv_fe *fe, LLVMValueRef function) {
  LLVMMetadataRef m = LLVMGetSubprogram(function), type = m ? node_operand(fe, m, 4) : NULL;
  LLVMMetadataRef list = type ? node_operand(fe, type, 3) : NULL;
  LLVMMetadataRef first = list ? node_operand(fe, list, 0) : NULL;
  return first ? type_index(fe, first) : 0;
}
