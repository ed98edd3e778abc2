/* show.c -- values, objects and addresses in source terms, for reports. */
#include "vm/vm_internal.h"

#include <stdio.h>

static const struct pv_srctype_info *info_of(const struct pv_vm *vm, pv_srctype t) {
  return t < vm->program->srctypes.n ? &vm->program->srctypes.at[t] : &vm->program->srctypes.at[0];
}

static pv_srctype object_type(const struct pv_vm *vm, const struct pv_object *o) {
  const struct pv_program *p = vm->program;
  if (o->kind <= PV_OBJ_TLS) return p->globals.at[o->site].srctype;
  if (o->kind == PV_OBJ_SLOT) return p->functions.at[o->site].slots.at[o->slot].srctype;
  return 0;
}

uint32_t pv_vm_object(const struct pv_vm *vm, uint64_t address) {
  uint64_t s = address >> vm->shift;
  return s < vm->owner.n && vm->owner.at[s] ? vm->owner.at[s] - 1 : UINT32_MAX;
}

bool pv_vm_object_span(const struct pv_vm *vm, uint64_t address, uint64_t *base, uint64_t *size) {
  uint32_t object = pv_vm_object(vm, address);
  if (object == UINT32_MAX) return false;
  *base = vm->objects.at[object].base;
  *size = vm->objects.at[object].size;
  return address - *base <= *size;
}

uint32_t pv_vm_object_global(const struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  return o->kind == PV_OBJ_GLOBAL || o->kind == PV_OBJ_CONST ? o->site : UINT32_MAX;
}

uint32_t pv_vm_object_thread(const struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  return o->kind >= PV_OBJ_TLS && o->kind <= PV_OBJ_TEMP ? o->thread : UINT32_MAX;
}

bool pv_vm_object_is_model(const struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  switch ((enum pv_object_kind)o->kind) {
  case PV_OBJ_GLOBAL:
  case PV_OBJ_CONST:
  case PV_OBJ_TLS: return vm->program->globals.at[o->site].is_model;
  case PV_OBJ_SLOT: return vm->program->functions.at[o->site].is_model;
  case PV_OBJ_TEMP: return true;
  case PV_OBJ_HEAP: return o->slot == PV_HEAP_STREAM;
  case PV_OBJ_ALLOCA:
  case PV_OBJ_FUNCTIONS: break;
  }
  return false;
}

bool pv_vm_object_is_library(const struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  bool slot = o->kind == PV_OBJ_SLOT && vm->program->functions.at[o->site].is_library;
  return slot || pv_vm_object_is_model(vm, object);
}

bool pv_vm_object_is_temporary(const struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  if (o->kind != PV_OBJ_SLOT) return o->kind == PV_OBJ_TEMP;
  static const char *const names[] = {".atomictmp", "atomic-temp", "agg.tmp", "coerce"};
  const struct pv_slot *s = &vm->program->functions.at[o->site].slots.at[o->slot];
  bool temporary = false;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    temporary |= !strncmp(s->name, names[i], strlen(names[i]));
  return temporary && !s->span && !s->srctype;
}

/* Is it a variable of a model? The user does not know its name. */
static bool is_of_model(const struct pv_vm *vm, const struct pv_object *o) {
  return o->kind != PV_OBJ_TEMP && pv_vm_object_is_model(vm, (uint32_t)(o - vm->objects.at));
}

static bool is_given(const struct pv_vm *vm, const struct pv_object *o) {
  if (o->kind != PV_OBJ_HEAP) return false;
  const struct pv_edge *e = vm->code->edges.at[o->site].edge;
  return e->op == PV_OP_ALLOC && e->aux == PV_STORAGE_GIVEN;
}

const struct pv_function *pv_vm_object_giver(const struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  if (!is_given(vm, o)) return NULL;
  return &vm->program->functions.at[vm->code->edges.at[o->site].function];
}

static void object_name(struct pv_vm *vm, const struct pv_object *o, struct pv_str *out) {
  const struct pv_program *p = vm->program;
  if (is_of_model(vm, o) && o->kind != PV_OBJ_HEAP) {
    pv_str_add(out, "memory of the C library");
    return;
  }
  switch ((enum pv_object_kind)o->kind) {
  case PV_OBJ_GLOBAL:
  case PV_OBJ_CONST: pv_str_add(out, p->globals.at[o->site].name); return;
  case PV_OBJ_TLS:
    pv_str_addf(out, "%s of thread %u", p->globals.at[o->site].name, o->thread);
    return;
  case PV_OBJ_SLOT: pv_str_add(out, p->functions.at[o->site].slots.at[o->slot].name); return;
  case PV_OBJ_FUNCTIONS: pv_str_add(out, "a function"); return;
  case PV_OBJ_ALLOCA:
  case PV_OBJ_TEMP:
  case PV_OBJ_HEAP: break;
  }
  if (pv_given_name(vm, o, out)) return;
  if (is_given(vm, o)) {
    pv_str_add(out, "text given to the program");
    return;
  }
  if (p->functions.at[vm->code->edges.at[o->site].function].is_library) {
    pv_str_add(out, "object of the C++ library");
    return;
  }
  const char *file = pv_span_file(p, o->span), *slash = strrchr(file, '/');
  bool heap = o->kind == PV_OBJ_HEAP;
  const char *what = !heap                       ? "local object allocated"
                     : o->slot == PV_HEAP_STREAM ? "stream opened"
                                                 : "object allocated";
  pv_str_addf(out, "%s at %s:%u", what, slash ? slash + 1 : file, pv_span_of(p, o->span)->line);
}

/* Names of objects on the heap are descriptions, except for `argv[1]` and "the value of HOME". */
static bool needs_article(const char *name) {
  return strncmp(name, "argv", strlen("argv")) != 0 && strncmp(name, "the ", strlen("the ")) != 0;
}

/* "3 bytes before ", "byte 2 of ", "4 bytes behind the end of " */
static void where_in(const struct pv_object *o, uint64_t address, struct pv_str *out) {
  bool before = address < o->base, behind = !before && address - o->base >= o->size;
  uint64_t n = before ? o->base - address : address - o->base - (behind ? o->size : 0);
  const char *s = n == 1 ? "" : "s";
  if (before)
    pv_str_addf(out, "%llu byte%s before ", (unsigned long long)n, s);
  else if (!behind)
    pv_str_addf(out, "byte %llu of ", (unsigned long long)n);
  else if (n > 4096)
    pv_str_add(out, "far behind ");
  else if (n)
    pv_str_addf(out, "%llu byte%s behind the end of ", (unsigned long long)n, s);
  else
    pv_str_add(out, "the end of ");
}

bool pv_vm_name_address(struct pv_vm *vm, uint64_t address, struct pv_str *out) {
  const struct pv_object *o = pv_object_meant(vm, address);
  if (!o) return false;
  if (o->kind == PV_OBJ_FUNCTIONS) {
    uint64_t f = (address - vm->functions_base) / 16;
    if (f >= vm->program->functions.n) return false;
    pv_str_add(out, vm->program->functions.at[f].name);
    return true;
  }
  uint64_t offset = address - o->base;
  pv_srctype t = object_type(vm, o);
  if (offset < o->size && t && !is_of_model(vm, o) && info_of(vm, t)->kind != PV_S_UNKNOWN) {
    uint32_t from = (uint32_t)out->n;
    object_name(vm, o, out);
    pv_member_path(vm->program, t, offset, out);
    const char *reserved = pv_member_is_reserved(pv_str_cstr(out) + from);
    if (reserved) *(out->at + (out->n = (size_t)(reserved - out->at))) = '\0';
    return true;
  }
  struct pv_str name = {0};
  object_name(vm, o, &name);
  if (offset) where_in(o, address, out);
  if (offset && o->kind == PV_OBJ_HEAP && needs_article(pv_str_cstr(&name)))
    pv_str_add(out, "the ");
  pv_str_add(out, pv_str_cstr(&name));
  pv_str_free(&name);
  return true;
}

bool pv_vm_name_place(struct pv_vm *vm, uint64_t address, struct pv_str *out) {
  const struct pv_object *o = pv_object_meant(vm, address);
  struct pv_member m;
  if (!o || !pv_heap_name(vm, o, address - o->base, &m, out))
    return pv_vm_name_address(vm, address, out);
  const char *file = pv_span_file(vm->program, o->span), *slash = strrchr(file, '/');
  pv_str_addf(out, " (allocated at %s:%u)", slash ? slash + 1 : file,
              pv_span_of(vm->program, o->span)->line);
  return true;
}

/* ---- values ---------------------------------------------------------------------------------- */
static void show_pointer(struct pv_vm *vm, uint64_t v, struct pv_str *out) {
  if (!v) {
    pv_str_add(out, "NULL");
    return;
  }
  const struct pv_object *o = pv_object_meant(vm, v);
  struct pv_str name = {0};
  if (!o || !pv_vm_name_address(vm, v, &name))
    pv_str_addf(out, "0x%llx", (unsigned long long)v);
  else if (is_given(vm, o))
    pv_str_add(out, pv_str_cstr(&name));
  else if (o->kind >= PV_OBJ_ALLOCA && o->kind <= PV_OBJ_HEAP)
    pv_str_addf(out, "%s #%u", name.at, (unsigned)(o - vm->objects.at));
  else
    pv_str_addf(out, "&%s", name.at);
  pv_str_free(&name);
}

static void show_float(uint64_t lo, uint64_t hi, unsigned bits, struct pv_str *out) {
  uint32_t w = (uint32_t)lo;
  float f;
  double d;
  long double l = 0;
  if (bits == 32)
    memcpy(&f, &w, 4), pv_str_addf(out, "%g", (double)f);
  else if (bits == 64)
    memcpy(&d, &lo, 8), pv_str_addf(out, "%g", d);
  else {
    memcpy(&l, &lo, 8);
    memcpy((char *)&l + 8, &hi, 2);
    pv_str_addf(out, "%Lg", l);
  }
}

static void show_enum(const struct pv_srctype_info *i, int64_t v, struct pv_str *out) {
  for (uint32_t k = 0; k < i->fields.n; k++)
    if ((int64_t)i->fields.at[k].bit_offset == v) {
      pv_str_add(out, i->fields.at[k].name);
      return;
    }
  pv_str_addf(out, "%lld", (long long)v);
}

/* Prints numbers of more than 64 bits that need them. */
static bool show_wide(uint64_t lo, uint64_t hi, bool is_signed, struct pv_str *out) {
  if (hi == (is_signed && lo >> 63 ? UINT64_MAX : 0)) return false;
  pv_str_addf(out, "0x%llx%016llx", (unsigned long long)hi, (unsigned long long)lo);
  return true;
}

static void show_scalar(struct pv_vm *vm, pv_srctype t, pv_type type, uint64_t lo, uint64_t hi,
                        struct pv_str *out) {
  const struct pv_srctype_info *i = info_of(vm, t);
  unsigned bits = i->bits && i->bits <= 128 ? (unsigned)i->bits : pv_type_bits(type);
  int64_t s = pv_signed(lo & pv_mask(bits), bits > 64 ? 64 : bits);
  bool whole = bits > 64 && pv_type_kind(type) == PV_T_INT && i->kind != PV_S_FLOAT;
  if (whole && show_wide(lo, hi, i->kind != PV_S_UNSIGNED, out)) return;
  switch (i->kind) {
  case PV_S_BOOL: pv_str_add(out, lo & 0xff ? "true" : "false"); return;
  case PV_S_CHAR:
    pv_str_addf(out, "%lld", (long long)s);
    if (s >= 32 && s < 127) pv_str_addf(out, " '%c'", (char)s);
    return;
  case PV_S_SIGNED: pv_str_addf(out, "%lld", (long long)s); return;
  case PV_S_UNSIGNED: pv_str_addf(out, "%llu", (unsigned long long)(lo & pv_mask(bits))); return;
  case PV_S_FLOAT: show_float(lo, hi, bits, out); return;
  case PV_S_ENUM: show_enum(i, s, out); return;
  case PV_S_POINTER:
  case PV_S_FUNCTION: show_pointer(vm, lo, out); return;
  case PV_S_UNKNOWN:
  case PV_S_ARRAY:
  case PV_S_STRUCT:
  case PV_S_UNION: break;
  }
  if (pv_type_kind(type) == PV_T_PTR)
    show_pointer(vm, lo, out);
  else if (pv_type_kind(type) == PV_T_FLOAT)
    show_float(lo, hi, pv_type_bits(type), out);
  else
    pv_str_addf(out, "%lld",
                (long long)pv_signed(lo & pv_mask(pv_type_bits(type)),
                                     pv_type_bits(type) > 64 ? 64 : pv_type_bits(type)));
}

void pv_vm_show_value(struct pv_vm *vm, pv_srctype srctype, pv_type type, const uint64_t value[2],
                      struct pv_str *out) {
  show_scalar(vm, srctype, type, value[0], value[1], out);
}

bool pv_vm_show_variable(struct pv_vm *vm, unsigned thread, const struct pv_function *f,
                         uint32_t var, struct pv_str *out) {
  struct pv_thread *t = &vm->threads[thread];
  if (!t->depth || var >= f->vars.n) return false;
  const struct pv_frame_head *frame =
      (const struct pv_frame_head *)(const void *)vm->comps.at[t->frames.at[t->depth - 1]].data;
  uint32_t function = (uint32_t)(f - vm->program->functions.at);
  if (vm->code->edges.at[vm->code->where.at[frame->pc]].function != function) return false;
  const uint64_t *reg =
      (const uint64_t *)(const void *)(frame + 1) + vm->code->functions[function].reg[var];
  pv_type type = f->vars.at[var].type;
  show_scalar(vm, f->vars.at[var].srctype, type, reg[0], pv_type_bits(type) > 64 ? reg[1] : 0, out);
  return true;
}

/* The value of some bits of an object of source type t (0: not known). */
static void show_bits(struct pv_vm *vm, struct pv_object *o, const struct pv_member *m,
                      struct pv_str *out) {
  uint64_t v[2] = {0, 0}, from = m->first / 8, shift = m->first % 8;
  uint64_t n = (shift + m->bits + 7) / 8;
  pv_memory_read(vm, o, from, v, n < sizeof v ? (uint32_t)n : (uint32_t)sizeof v, NULL);
  if (shift) v[0] = v[0] >> shift | v[1] << (64 - shift), v[1] >>= shift;
  if (m->bits < 64) v[0] &= pv_mask((unsigned)m->bits);
  const struct pv_srctype_info *i = info_of(vm, m->type);
  bool is_signed = i->kind == PV_S_SIGNED || i->kind == PV_S_CHAR;
  if (m->bits < i->bits && is_signed) v[0] = (uint64_t)pv_signed(v[0], (unsigned)m->bits);
  if (!m->type && m->bits == vm->program->pointer_bits && pv_object_at(vm, v[0])) {
    show_pointer(vm, v[0], out); /* plain numbers are almost never addresses of objects */
    return;
  }
  show_scalar(vm, m->type, PV_INT((unsigned)m->bits), v[0], v[1], out);
}

void pv_vm_show_memory(struct pv_vm *vm, uint64_t address, uint32_t bytes,
                       void (*tell)(void *user, const char *name, const char *value), void *user) {
  struct pv_object *o = pv_object_at(vm, address);
  if (!o || o->kind == PV_OBJ_FUNCTIONS || !(pv_object_state(vm, o) & PV_MEM_LIVE)) return;
  uint64_t offset = address - o->base;
  if (offset >= o->size || bytes == 0 || bytes > 16 || offset + bytes > o->size) return;
  pv_srctype t = object_type(vm, o);
  if (info_of(vm, t)->kind == PV_S_UNKNOWN) t = 0;
  for (uint64_t bit = offset * 8, end = bit + (uint64_t)bytes * 8; bit < end;) {
    struct pv_str name = {0}, value = {0};
    struct pv_member m = {0, bit, (uint64_t)bytes * 8};
    bool known = true;
    if (t) {
      object_name(vm, o, &name);
      known = pv_member_at(vm->program, t, bit, &m, &name);
    } else if (pv_heap_name(vm, o, bit / 8, &m, &name)) {
      known = !pv_srctype_is_opaque(info_of(vm, m.type));
    } else {
      pv_vm_name_address(vm, address, &name);
    }
    const struct pv_srctype_info *i = info_of(vm, m.type);
    bool inside = bit < m.first + m.bits; /* the object may be larger than its source type */
    known = known && inside && m.bits <= 128 && m.first + m.bits <= o->size * 8;
    known = known && (!t || (i->kind != PV_S_UNKNOWN && !pv_srctype_is_opaque(i)));
    if (known) show_bits(vm, o, &m, &value);
    if (known) tell(user, pv_str_cstr(&name), pv_str_cstr(&value));
    bool over = inside && (known || (t && pv_srctype_is_opaque(i)));
    bit = over ? m.first + m.bits : bit + 1;
    pv_str_free(&name);
    pv_str_free(&value);
  }
}
