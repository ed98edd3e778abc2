/* systemc_headers.c -- is a file of C++ a model in SystemC? Then it is compiled with the headers of
 * models/include/cxx, which replace the streams of the standard library. */
#include "frontend/frontend_internal.h"

#include "sched/sched.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 6 };

static bool includes(const char *file, unsigned depth);

/* "name" beside `file`. */
static bool included(const char *file, const char *name, size_t n, unsigned depth) {
  const char *slash = strrchr(file, '/');
  char *path = pv_format("%.*s%.*s", slash ? (int)(slash - file) + 1 : 0, file, (int)n, name);
  bool found = includes(path, depth);
  free(path);
  return found;
}

static bool is_name(const char *name, size_t n) {
  return (n == 7 && !memcmp(name, "systemc", n)) || (n == 9 && !memcmp(name, "systemc.h", n));
}

static bool includes(const char *file, unsigned depth) {
  char *text = NULL;
  size_t size;
  bool found = false;
  if (depth > MAX_DEPTH || pv_read_file(file, (size_t)4 << 20, &text, &size, NULL) != PV_OK)
    return false;
  for (const char *line = text; line && !found; line = strchr(line, '\n')) {
    line += strspn(line, " \t\r\n");
    if (*line != '#') continue;
    const char *at = line + 1 + strspn(line + 1, " \t");
    if (strncmp(at, "include", 7)) continue;
    at += 7 + strspn(at + 7, " \t");
    if (*at != '"' && *at != '<') continue;
    size_t n = strcspn(at + 1, "\">\n");
    found = is_name(at + 1, n) || (*at == '"' && included(file, at + 1, n, depth + 1));
  }
  free(text);
  return found;
}

bool pv_fe_is_systemc(const char *file, const struct pv_options *o) {
  bool told = o->scheduler && pv_scheds[o->scheduler - 1] == &pv_sched_systemc;
  return told || includes(file, 0);
}
