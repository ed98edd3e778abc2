#include "frontend/compiled.h"

#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 26, MOST_BYTES = 1 << 28 };

struct kept {
  char *bitcode, *text, *failed;
  size_t n;
};
struct pv_compiled {
  struct pv_map index; /* key -> number of the entry */
  PV_VEC(struct kept) entries;
  size_t bytes;
};

struct pv_compiled *pv_compiled_new(void) {
  return pv_alloc(sizeof(struct pv_compiled));
}

void pv_compiled_free(struct pv_compiled *c) {
  if (!c) return;
  for (uint32_t i = 0; i < c->entries.n; i++) {
    free(c->entries.at[i].bitcode);
    free(c->entries.at[i].text);
    free(c->entries.at[i].failed);
  }
  pv_vec_free(&c->entries);
  pv_map_free(&c->index);
  free(c);
}

bool pv_compiled_get(struct pv_compiled *c, const struct pv_str *key, const char *file,
                     struct pv_compiled_logs *logs) {
  const uint32_t *at = c ? pv_map_get(&c->index, key->at, key->n) : NULL;
  if (!at) return false;
  const struct kept *k = &c->entries.at[*at];
  if (!pv_fe_write_file(file, k->bitcode, k->n)) return false;
  logs->text = pv_strdup(k->text);
  pv_str_add(&logs->failed, k->failed);
  return true;
}

void pv_compiled_put(struct pv_compiled *c, const struct pv_str *key, const char *file,
                     const char *text, const struct pv_str *failed) {
  struct kept k = {0};
  bool is_new;
  if (!c || c->bytes > MOST_BYTES) return;
  if (pv_read_file(file, LARGEST, &k.bitcode, &k.n, NULL) != PV_OK) return;
  pv_map_put(&c->index, key->at, key->n, c->entries.n, &is_new);
  if (!is_new) {
    free(k.bitcode);
    return;
  }
  k.text = pv_strdup(text);
  k.failed = pv_strdup(pv_str_cstr(failed));
  c->bytes += k.n;
  pv_vec_push(&c->entries, k);
}
