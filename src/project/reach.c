#include "project/reach.h"

#include "frontend/symbols.h"
#include "project/database.h"

#include <stdlib.h>
#include <string.h>

/* A file of the project; its symbols are known once it was compiled. */
struct member {
  const char *path, *flags; /* borrowed */
  struct pv_symbols symbols;
  char *error; /* why it does not compile, or NULL */
  bool is_linked, defines_ndebug, has_main;
  PV_VEC(bool) reached; /* by symbol */
};
struct place {
  uint32_t member, symbol;
};
struct search {
  PV_VEC(struct member) members; /* those named by the user come first */
  PV_VEC(struct place) todo;
  struct pv_str *err;
};

/* ---- members --------------------------------------------------------------------------------- */
static void add_member(struct search *s, const char *path, const char *flags, bool ndebug) {
  for (uint32_t i = 0; i < s->members.n; i++)
    if (!strcmp(s->members.at[i].path, path)) return;
  pv_vec_push(&s->members,
              ((struct member){.path = path, .flags = flags, .defines_ndebug = ndebug}));
}

static void compile(const struct pv_options *o, struct member *m) {
  struct pv_options one = *o; /* borrows all texts but these */
  struct pv_str err = {0};
  one.files = (struct pv_texts){0};
  one.file_flags = (struct pv_texts){0};
  pv_vec_push(&one.files, (char *)m->path);
  pv_vec_push(&one.file_flags, (char *)m->flags);
  if (pv_symbols_of(&one, 0, &m->symbols, &err) != PV_OK) m->error = pv_strdup(pv_str_cstr(&err));
  for (uint32_t i = 0; i < m->symbols.at.n; i++) {
    const struct pv_symbol *x = &m->symbols.at.at[i];
    pv_vec_push(&m->reached, false);
    m->has_main |= x->is_defined && !strcmp(x->name, "main");
  }
  pv_vec_free(&one.files);
  pv_vec_free(&one.file_flags);
  pv_str_free(&err);
}

/* The files named by the user, with their flags in the database, then all others. */
static enum pv_status collect(struct search *s, const struct pv_options *o,
                              const struct pv_database *d) {
  for (uint32_t i = 0; i < o->files.n; i++) {
    const struct pv_project_file *unit = pv_database_find(d, o->files.at[i]);
    const char *own = pv_options_file_flags(o, i);
    if (unit && !*own)
      add_member(s, unit->path, unit->flags, unit->defines_ndebug);
    else
      add_member(s, o->files.at[i], own, false);
  }
  for (uint32_t i = 0; i < d->units.n; i++)
    add_member(s, d->units.at[i].path, d->units.at[i].flags, d->units.at[i].defines_ndebug);
  if (s->members.n) return PV_OK;
  pv_str_add(s->err, "the compilation database has no files");
  return PV_E_INPUT;
}

/* ---- the search ------------------------------------------------------------------------------ */
static void reach(struct search *s, uint32_t member, uint32_t symbol) {
  struct member *m = &s->members.at[member];
  if (m->reached.at[symbol]) return;
  m->reached.at[symbol] = true;
  pv_vec_push(&s->todo, ((struct place){member, symbol}));
}

static void link_member(struct search *s, uint32_t member) {
  struct member *m = &s->members.at[member];
  if (m->is_linked) return;
  m->is_linked = true;
  for (uint32_t i = 0; i < m->symbols.at.n; i++)
    if (m->symbols.at.at[i].is_constructor) reach(s, member, i);
}

static void ambiguous(const struct search *s, const char *name, uint32_t a, uint32_t b) {
  pv_str_addf(s->err,
              "`%s` is defined in %s and in %s: name the file to take, as in `proviso check "
              "-p DIR %s`",
              name, s->members.at[a].path, s->members.at[b].path, s->members.at[a].path);
}

/* Finds the member that defines `name` for others: a linked one first, then one that is no program
 * of its own (a test that includes the source has the definitions, too), a strong definition before
 * a weak one. `local`: a static function will do. Returns false if there are several. */
static bool define(const struct search *s, const char *name, bool local, struct place *out) {
  int best = 0;
  *out = (struct place){UINT32_MAX, 0};
  for (uint32_t i = 0; i < s->members.n; i++) {
    const struct member *m = &s->members.at[i];
    for (uint32_t k = 0; k < m->symbols.at.n; k++) {
      const struct pv_symbol *x = &m->symbols.at.at[k];
      if (!x->is_defined || (x->is_local && !local) || strcmp(x->name, name) != 0) continue;
      int rank =
          1 + !x->is_weak + 2 * !x->is_local + 4 * (!local && !m->has_main) + 8 * m->is_linked;
      if (rank == best && !x->is_weak) {
        ambiguous(s, name, out->member, i);
        return false;
      }
      if (rank > best) best = rank, *out = (struct place){i, k};
    }
  }
  return true;
}

static enum pv_status follow(struct search *s) {
  while (s->todo.n) {
    const struct place at = pv_vec_pop(&s->todo);
    const struct pv_symbol *x = &s->members.at[at.member].symbols.at.at[at.symbol];
    if (!x->is_defined) {
      struct place other;
      if (!strncmp(x->name, "llvm.", 5)) continue;
      if (!define(s, x->name, false, &other)) return PV_E_INPUT;
      if (other.member == UINT32_MAX) continue; /* of a library */
      link_member(s, other.member);
      reach(s, other.member, other.symbol);
      continue;
    }
    for (uint32_t i = 0; i < x->uses.n; i++) reach(s, at.member, x->uses.at[i]);
  }
  return PV_OK;
}

/* Where the search begins: the files named by the user as a whole, and the start. */
static enum pv_status begin(struct search *s, const struct pv_options *o) {
  const char *start = o->entry.n ? pv_vec_last(&o->entry) : "main";
  struct place at;
  for (uint32_t i = 0; i < o->files.n && i < s->members.n; i++) {
    if (s->members.at[i].error) {
      pv_str_add(s->err, s->members.at[i].error);
      return PV_E_INPUT;
    }
    link_member(s, i);
  }
  if (!define(s, start, true, &at)) return PV_E_INPUT;
  if (at.member == UINT32_MAX) {
    pv_str_addf(s->err, "no file of the project defines `%s`", start);
    return PV_E_INPUT;
  }
  link_member(s, at.member);
  reach(s, at.member, at.symbol);
  return PV_OK;
}

/* ---- results --------------------------------------------------------------------------------- */
static void free_texts(struct pv_texts *t) {
  for (uint32_t i = 0; i < t->n; i++) free(t->at[i]);
  pv_vec_free(t);
}

static void take(struct search *s, struct pv_options *o) {
  struct pv_texts files = {0}, flags = {0};
  for (uint32_t i = 0; i < s->members.n; i++) {
    const struct member *m = &s->members.at[i];
    if (!m->is_linked) continue;
    pv_vec_push(&files, pv_strdup(m->path));
    pv_vec_push(&flags, pv_strdup(m->flags));
  }
  free_texts(&o->files);
  free_texts(&o->file_flags);
  free_texts(&o->project);
  o->files = files;
  o->file_flags = flags;
}

static void add_notes(const struct search *s, const struct pv_database *d, struct pv_texts *notes) {
  struct pv_str text = {0};
  uint32_t broken = 0;
  const struct member *first = NULL;
  for (uint32_t i = 0; i < s->members.n; i++) {
    const struct member *m = &s->members.at[i];
    if (m->error && !broken++) first = m;
    if (m->is_linked && m->defines_ndebug)
      pv_vec_push(notes, pv_format("%s is compiled with NDEBUG, as the project does: its "
                                   "assertions are not there",
                                   m->path));
  }
  if (broken)
    pv_vec_push(notes, pv_format("%u file%s of the project cannot be compiled and are left out "
                                 "(the first is %s)",
                                 broken, broken == 1 ? "" : "s", first->path));
  for (uint32_t i = 0; i < d->dropped.n; i++)
    pv_str_addf(&text, "%s%s", i ? ", " : "", d->dropped.at[i]);
  if (text.n)
    pv_vec_push(notes, pv_format("flags of the project that are not passed to clang: %s",
                                 pv_str_cstr(&text)));
  pv_str_free(&text);
}

static void free_search(struct search *s) {
  for (uint32_t i = 0; i < s->members.n; i++) {
    struct member *m = &s->members.at[i];
    pv_symbols_free(&m->symbols);
    pv_vec_free(&m->reached);
    free(m->error);
  }
  pv_vec_free(&s->members);
  pv_vec_free(&s->todo);
}

enum pv_status pv_project_expand(struct pv_options *o, struct pv_texts *notes, struct pv_str *err) {
  struct pv_database database;
  struct search s = {.err = err};
  if (!o->project.n) return PV_OK;
  PV_TRY(pv_database_read(pv_vec_last(&o->project), &database, err));
  for (uint32_t i = 0; i < database.units.n; i++)
    if (database.units.at[i].is_ilp32 && !o->lp64) o->ilp32 = true;
  enum pv_status status = collect(&s, o, &database);
  for (uint32_t i = 0; i < s.members.n && status == PV_OK; i++) compile(o, &s.members.at[i]);
  if (status == PV_OK) status = begin(&s, o);
  if (status == PV_OK) status = follow(&s);
  if (status == PV_OK) {
    add_notes(&s, &database, notes);
    take(&s, o);
  }
  free_search(&s);
  pv_database_free(&database);
  return status;
}

/* ---- starts ---------------------------------------------------------------------------------- */
static bool looks_like_test(const char *name) {
  size_t n = strlen(name);
  return !strncmp(name, "test", 4) || (n > 4 && !strcmp(name + n - 4, "test"));
}

enum pv_status pv_project_starts(const struct pv_options *o, struct pv_starts *out,
                                 struct pv_str *err) {
  struct pv_database database;
  struct search s = {.err = err};
  PV_TRY(pv_database_read(pv_vec_last(&o->project), &database, err));
  enum pv_status status = collect(&s, o, &database);
  for (uint32_t i = 0; i < s.members.n && status == PV_OK; i++) {
    struct member *m = &s.members.at[i];
    compile(o, m);
    for (uint32_t k = 0; k < m->symbols.at.n; k++) {
      const struct pv_symbol *x = &m->symbols.at.at[k];
      bool is_main = !strcmp(x->name, "main");
      if (!x->is_defined || !(is_main || (!x->is_local && looks_like_test(x->name)))) continue;
      pv_vec_push(&out->at,
                  ((struct pv_start){pv_strdup(m->path), is_main ? NULL : pv_strdup(x->name)}));
    }
  }
  free_search(&s);
  pv_database_free(&database);
  return status;
}

void pv_starts_free(struct pv_starts *s) {
  for (uint32_t i = 0; i < s->at.n; i++) {
    free(s->at.at[i].file);
    free(s->at.at[i].function);
  }
  pv_vec_free(&s->at);
}
