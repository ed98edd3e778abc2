/* members.c -- finds the member at a place in an object, by its source type. */
#include "ir/ir.h"

#include <string.h>

static const struct pv_srctype_info *info_of(const struct pv_program *p, pv_srctype t) {
  return &p->srctypes.at[t < p->srctypes.n ? t : 0];
}

bool pv_srctype_is_opaque(const struct pv_srctype_info *i) {
  static const char *const names[] = {"pthread_", "mtx_t", "cnd_t", "sem_t", "once_flag"};
  for (size_t k = 0; i->name && k < sizeof names / sizeof *names; k++)
    if (strncmp(i->name, names[k], strlen(names[k])) == 0) return true;
  return false;
}

/* The field of a structure or union that contains the bit, or NULL: padding. */
static const struct pv_srcfield *field_at(const struct pv_srctype_info *i, uint64_t bit) {
  for (uint32_t k = 0; k < i->fields.n; k++) {
    const struct pv_srcfield *f = &i->fields.at[k];
    if (f->bit_offset <= bit && bit < f->bit_offset + f->bit_size) return f;
  }
  return NULL;
}

bool pv_member_at(const struct pv_program *p, pv_srctype t, uint64_t bit, struct pv_member *m,
                  struct pv_str *out) {
  *m = (struct pv_member){t, 0, info_of(p, t)->bits};
  for (int depth = 0; depth < 16; depth++) {
    const struct pv_srctype_info *i = info_of(p, m->type);
    if (pv_srctype_is_opaque(i)) return true;
    if (i->kind == PV_S_ARRAY) {
      uint64_t size = info_of(p, i->element)->bits, index = size ? (bit - m->first) / size : 0;
      if (!size) return false;
      pv_str_addf(out, "[%llu]", (unsigned long long)index);
      *m = (struct pv_member){i->element, m->first + index * size, size};
    } else if (i->kind == PV_S_STRUCT || i->kind == PV_S_UNION) {
      const struct pv_srcfield *f = field_at(i, bit - m->first);
      if (!f) return false;
      if (f->name[0]) pv_str_addf(out, ".%s", f->name);
      *m = (struct pv_member){f->type, m->first + f->bit_offset, f->bit_size};
    } else {
      return true;
    }
  }
  return false;
}

pv_srctype pv_member_path(const struct pv_program *p, pv_srctype t, uint64_t offset,
                          struct pv_str *out) {
  struct pv_member m;
  pv_member_at(p, t, offset * 8, &m, out);
  return m.type;
}

const char *pv_member_is_reserved(const char *path) {
  const char *cxx = strstr(path, "._M_"), *c = strstr(path, ".__");
  return cxx && (!c || cxx < c) ? cxx : c;
}
