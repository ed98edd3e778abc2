/* cxx_cast.c -- dynamic_cast, on the run-time type information of the Itanium C++ ABI. */
#include "model.h"

/* What vtables of type information begin with; their addresses tell the kinds. */
void *_ZTVN10__cxxabiv117__class_type_infoE[4];
void *_ZTVN10__cxxabiv120__si_class_type_infoE[4];
void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[4];

struct type {
  void **kind;
  const char *name;
};
struct single {
  struct type type;
  const struct type *base;
};
struct base {
  const struct type *type;
  long offset_and_flags; /* 1: virtual, 2: public; from bit 8 on the offset */
};
struct multiple {
  struct type type;
  unsigned flags, n;
  struct base bases[];
};

/* The parts of `type` in an object of type `of`: how many, and the last one that was found. */
struct search {
  const struct type *type;
  char *found;
  int n;
};
static void look(struct search *s, char *object, const struct type *of) {
  if (of == s->type) {
    if (s->found != object) s->n++;
    s->found = object;
    return;
  }
  if (of->kind == _ZTVN10__cxxabiv120__si_class_type_infoE + 2) {
    look(s, object, ((const struct single *)of)->base);
  } else if (of->kind == _ZTVN10__cxxabiv121__vmi_class_type_infoE + 2) {
    const struct multiple *m = (const struct multiple *)of;
    for (unsigned i = 0; i < m->n; i++) {
      long offset = m->bases[i].offset_and_flags >> 8;
      if (!(m->bases[i].offset_and_flags & 2)) continue;
      if (m->bases[i].offset_and_flags & 1) offset = *(long *)(*(char **)object + offset);
      look(s, object + offset, m->bases[i].type);
    }
  }
}
void *__dynamic_cast(const void *from, const struct type *from_type, const struct type *to_type,
                     long hint) {
  (void)from_type, (void)hint;
  char *const *table = *(char *const *const *)from;
  char *whole = (char *)from + (long)table[-2];
  struct search s = {to_type, NULL, 0};
  look(&s, whole, (const struct type *)table[-1]);
  if (s.n > 1) __proviso_unsupported("dynamic_cast to a class that is a base more than once");
  return s.found;
}
