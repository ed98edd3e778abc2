/* include.c -- files that automata include. What a file names is untrusted: only regular files are
 * read, a limited number of limited size, and each of them once. */
#include "observer/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 200, LONGEST = 16 << 20 /* bytes of all included files */ };

struct waiting { /* a file that goes on after the one that it includes */
  const char *path, *text;
  size_t n, i;
  struct pv_text_place at;
};
struct file {
  dev_t device;
  ino_t number;
  char *path, *text; /* NULL: of the first file, which the caller owns */
};
struct pv_includes {
  PV_VEC(struct file) files;
  PV_VEC(struct waiting) waiting;
  size_t total;
};

struct pv_includes *pv_includes_new(const char *path) {
  struct pv_includes *x = pv_alloc(sizeof *x);
  struct stat is;
  if (!stat(path, &is)) {
    struct file first = {.device = is.st_dev, .number = is.st_ino};
    pv_vec_push(&x->files, first);
  }
  return x;
}

void pv_includes_free(struct pv_includes *x) {
  if (!x) return;
  for (uint32_t i = 0; i < x->files.n; i++) {
    free(x->files.at[i].path);
    free(x->files.at[i].text);
  }
  pv_vec_free(&x->files);
  pv_vec_free(&x->waiting);
  free(x);
}

static char *beside(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  return pv_format("%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
}

static bool is_known(const struct pv_includes *x, const struct stat *is) {
  for (uint32_t i = 0; i < x->files.n; i++)
    if (x->files.at[i].device == is->st_dev && x->files.at[i].number == is->st_ino) return true;
  return false;
}

/* Takes over the path. */
static void enter(struct pv_scanner *s, char *path, const struct stat *is,
                  struct pv_text_place at) {
  struct pv_includes *x = s->includes;
  struct file f = {.device = is->st_dev, .number = is->st_ino, .path = path};
  struct pv_str why = {0};
  size_t n = 0;
  if (x->files.n >= MOST_FILES)
    pv_scan_wrong(s, at, "too many files are included");
  else if (pv_read_file(path, LONGEST - x->total, &f.text, &n, &why) != PV_OK)
    pv_scan_wrong(s, at, "%s", pv_str_cstr(&why));
  pv_str_free(&why);
  pv_vec_push(&x->files, f);
  if (pv_scan_failed(s)) return;
  x->total += n;
  struct waiting w = {s->path, s->text, s->n, s->i, s->at};
  pv_vec_push(&x->waiting, w);
  s->path = path;
  s->text = f.text;
  s->n = n;
  s->i = 0;
  s->at = (struct pv_text_place){1, 1};
}

void pv_scan_include(struct pv_scanner *s, const char *name, struct pv_text_place at) {
  struct stat is;
  if (s->inside)
    pv_scan_wrong(s, at, "an `#include` inside of an automaton is not read here");
  else if (!s->includes)
    pv_scan_wrong(s, at, "there is no file that `#include` could be relative to");
  else if (*name == '/')
    pv_scan_wrong(s, at, "the path in `#include` is relative to the file that it is in");
  if (pv_scan_failed(s)) return;
  char *path = beside(s->path, name);
  if (stat(path, &is)) {
    pv_scan_wrong(s, at, "%s: %s", path, strerror(errno));
  } else if (!S_ISREG(is.st_mode)) {
    pv_scan_wrong(s, at, "%s: it is no file", path);
  } else if (!is_known(s->includes, &is)) {
    enter(s, path, &is, at);
    return;
  }
  free(path);
}

bool pv_scan_leave(struct pv_scanner *s) {
  if (!s->includes || !s->includes->waiting.n) return false;
  if (s->inside) {
    pv_scan_wrong(s, s->at, "the file ends inside of an automaton");
    return false;
  }
  struct waiting w = pv_vec_pop(&s->includes->waiting);
  s->path = w.path;
  s->text = w.text;
  s->n = w.n;
  s->i = w.i;
  s->at = w.at;
  return true;
}
