/* members.c -- what lies where in an object, by its source type. */
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

pv_srctype pv_member_path(const struct pv_program *p, pv_srctype t, uint64_t offset,
                          struct pv_str *out) {
  for (int depth = 0; depth < 16; depth++) {
    const struct pv_srctype_info *i = info_of(p, t);
    if (pv_srctype_is_opaque(i)) return t;
    if (i->kind == PV_S_ARRAY) {
      uint64_t size = info_of(p, i->element)->bits / 8;
      if (!size) return t;
      pv_str_addf(out, "[%llu]", (unsigned long long)(offset / size));
      offset %= size;
      t = i->element;
    } else if (i->kind == PV_S_STRUCT || i->kind == PV_S_UNION) {
      const struct pv_srcfield *hit = NULL;
      for (uint32_t k = 0; k < i->fields.n && !hit; k++) {
        const struct pv_srcfield *f = &i->fields.at[k];
        if (f->bit_offset <= offset * 8 && offset * 8 < f->bit_offset + f->bit_size) hit = f;
      }
      if (!hit) return t;
      if (hit->name[0]) pv_str_addf(out, ".%s", hit->name);
      offset -= hit->bit_offset / 8;
      t = hit->type;
    } else
      return t;
  }
  return t;
}
