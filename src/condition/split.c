#include "condition/split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition/frontier.h"

/* ---- shares ---------------------------------------------------------------------------------- */
void pv_condition_add_share(struct pv_condition *c, struct pv_share s, pv_properties about) {
  pv_condition_add(c, PV_PROVISO_SHARE, NULL, 0,
                   "no error lies in the other parts of split %016" PRIx64 " (this is part %" PRIu32
                   " of %" PRIu32 ")",
                   s.split, s.number, s.of)
      ->about = about;
}

static bool read_share(const struct pv_proviso *p, struct pv_share *s) {
  return p->kind == PV_PROVISO_SHARE &&
         sscanf(p->sentence,
                "no error lies in the other parts of split %16" SCNx64 " (this is part %" SCNu32
                " of %" SCNu32 ")",
                &s->split, &s->number, &s->of) == 3 &&
         s->number && s->number <= s->of;
}

/* ---- splitting ------------------------------------------------------------------------------- */
static bool is_frontier(const struct pv_condition *c, const struct pv_proviso *p) {
  return p->part && c->parts.at[p->part - 1].kind == PV_OPEN_FRONTIER;
}

static bool is_cut(const struct pv_proviso *p, void *user) {
  return is_frontier(user, p);
}

/* What the open frontiers are about; 0: all properties. */
static pv_properties about_frontiers(const struct pv_condition *c) {
  pv_properties about = 0;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (!is_frontier(c, p)) continue;
    if (!p->about) return 0;
    about |= p->about;
  }
  return about;
}

static const struct pv_open_part *frontier_of(const struct pv_condition *c) {
  bool inputs;
  return pv_condition_beside_inputs(c, PV_OPEN_FRONTIER, &inputs);
}

static uint64_t hash_of(const struct pv_condition_file *file) {
  struct pv_str bytes = {0};
  pv_condition_print(file, &bytes);
  uint64_t hash = pv_hash(bytes.at, bytes.n);
  pv_str_free(&bytes);
  return hash;
}

static enum pv_status check_split(const struct pv_condition_file *whole, uint32_t n,
                                  struct pv_str *err) {
  const struct pv_open_part *f = frontier_of(&whole->condition);
  if (whole->errors.n) {
    pv_str_addf(err, "an error was found: %s", whole->errors.at[0].sentence);
  } else if (pv_condition_openness(&whole->condition) == PV_OPEN_NOTHING) {
    pv_str_add(err, "nothing is open");
  } else if (!f) {
    pv_str_addf(
        err,
        "what engine %s left open is no frontier, so it cannot be cut. Frontiers are written "
        "by `--engine explicit` and by `--engine dpor --dependence conflict --peek 0 "
        "--prune 0`",
        whole->engine);
  } else if (pv_frontier_size(f) < n) {
    pv_str_addf(err,
                "only %" PRIu32 " prefixes are open, too few for %" PRIu32
                " parts. Continue it for "
                "a moment: proviso resume FILE --limit states=N",
                pv_frontier_size(f), n);
  }
  return err->n ? PV_E_INPUT : PV_OK;
}

enum pv_status pv_condition_split(const struct pv_condition_file *whole, uint32_t n,
                                  struct pv_condition *parts, struct pv_str *err) {
  PV_TRY(check_split(whole, n, err));
  const struct pv_condition *c = &whole->condition;
  struct pv_open_part *cut = pv_alloc(n * sizeof *cut);
  pv_frontier_cut(frontier_of(c), n, cut);
  uint64_t split = hash_of(whole);
  pv_properties about = about_frontiers(c);
  for (uint32_t i = 0; i < n; i++) {
    pv_condition_append(&parts[i], c);
    pv_condition_filter(&parts[i], is_cut, &parts[i]);
    pv_condition_add_share(&parts[i], (struct pv_share){i + 1, n, split}, about);
    pv_condition_add(&parts[i], PV_PROVISO_INTERRUPT, NULL, 0,
                     "no error lies beyond the %" PRIu32 " prefix%s of this part",
                     pv_frontier_size(&cut[i]), pv_frontier_size(&cut[i]) == 1 ? "" : "es")
        ->about = about;
    pv_condition_open(&parts[i], cut[i]);
  }
  free(cut);
  return PV_OK;
}

/* ---- joining --------------------------------------------------------------------------------- */
/* Gathers everything that is open as frontiers in one part. */
static void unite_frontiers(struct pv_condition *c) {
  struct pv_open_part all = {.kind = PV_OPEN_FRONTIER};
  struct pv_condition rest = {0};
  pv_properties about = about_frontiers(c);
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (is_frontier(c, p))
      pv_frontier_unite(&all, &c->parts.at[p->part - 1]);
    else
      pv_condition_append_one(&rest, c, i);
  }
  pv_condition_clear(c);
  *c = rest;
  uint32_t n = pv_frontier_size(&all);
  if (!n) {
    pv_open_part_clear(&all);
    return;
  }
  pv_condition_add(c, PV_PROVISO_INTERRUPT, NULL, 0,
                   "no error lies beyond the %" PRIu32 " prefix%s that the parts left open", n,
                   n == 1 ? "" : "es")
      ->about = about;
  pv_condition_open(c, all);
}

/* The share of the latest split that led to the condition. */
static bool last_share(const struct pv_condition *c, struct pv_share *s) {
  for (uint32_t i = c->provisos.n; i-- > 0;)
    if (read_share(&c->provisos.at[i], s)) return true;
  return false;
}

static bool is_share_of(const struct pv_proviso *p, void *user) {
  struct pv_share s;
  return read_share(p, &s) && s.split == *(const uint64_t *)user;
}

/* Conditions that are not joined yet. */
struct pile {
  struct pv_condition *at;
  uint32_t n;
};

/* Are all parts of the split there? Stores the first that is missing. */
static bool is_complete(const struct pile *pile, struct pv_share *wanted) {
  uint8_t *there = pv_alloc(wanted->of + (size_t)1);
  struct pv_share s;
  for (uint32_t i = 0; i < pile->n; i++)
    if (last_share(&pile->at[i], &s) && s.split == wanted->split && s.of == wanted->of)
      there[s.number] = 1;
  uint32_t k = 1;
  while (k <= wanted->of && there[k]) k++;
  wanted->number = k;
  free(there);
  return k > wanted->of;
}

/* Replaces the parts of the split by one condition. */
static void join_parts(struct pile *pile, uint64_t split) {
  struct pv_condition all = {0};
  struct pv_share s;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < pile->n; i++) {
    if (!last_share(&pile->at[i], &s) || s.split != split) {
      pile->at[kept++] = pile->at[i];
      continue;
    }
    pv_condition_append(&all, &pile->at[i]);
    pv_condition_clear(&pile->at[i]);
  }
  pv_condition_filter(&all, is_share_of, &split);
  unite_frontiers(&all);
  pile->at[kept++] = all;
  pile->n = kept;
}

/* Joins the parts of splits as long as there is a split all of whose parts are there. */
static enum pv_status join_all(struct pile *pile, struct pv_str *err) {
  bool any_missing = false;
  struct pv_share missing = {0};
  for (uint32_t i = 0; i < pile->n; i++) {
    struct pv_share s;
    if (!last_share(&pile->at[i], &s)) continue;
    if (is_complete(pile, &s)) {
      join_parts(pile, s.split);
      any_missing = false;
      i = UINT32_MAX; /* from the beginning */
    } else if (!any_missing) {
      any_missing = true;
      missing = s;
    }
  }
  if (pile->n == 1) return PV_OK;
  if (any_missing)
    pv_str_addf(err,
                "part %" PRIu32 " of %" PRIu32 " of split %016" PRIx64
                " is missing. If nobody has explored it, give the part itself",
                missing.number, missing.of, missing.split);
  else
    pv_str_add(err, "the conditions are not parts of one split");
  return PV_E_INPUT;
}

static bool is_any_share(const struct pv_proviso *p, void *user) {
  (void)user;
  return p->kind == PV_PROVISO_SHARE;
}

/* One of the conditions leaves everything open. */
static void pile_up(struct pile *pile) {
  for (uint32_t i = 1; i < pile->n; i++) {
    pv_condition_append(&pile->at[0], &pile->at[i]);
    pv_condition_clear(&pile->at[i]);
  }
  pile->n = 1;
  pv_condition_filter(&pile->at[0], is_any_share, NULL);
}

static enum pv_status check_join(const struct pv_condition_file *files, const char *const *names,
                                 uint32_t n, struct pv_str *err) {
  for (uint32_t i = 1; i < n; i++) {
    const struct pv_condition_file *a = &files[0], *b = &files[i];
    const char *option = pv_condition_differing_option(&a->options, &b->options);
    const char *what = a->program != b->program   ? "another program"
                       : a->checked != b->checked ? "other properties"
                                                  : NULL;
    if (what) pv_str_addf(err, "%s is about %s than %s", names[i], what, names[0]);
    if (!what && option)
      pv_str_addf(err, "%s was made with another --%s than %s", names[i], option, names[0]);
    if (err->n) return PV_E_INPUT;
  }
  return PV_OK;
}

enum pv_status pv_condition_join(const struct pv_condition_file *files, const char *const *names,
                                 uint32_t n, struct pv_condition_file *out, struct pv_str *err) {
  PV_TRY(check_join(files, names, n, err));
  struct pile pile = {pv_alloc(n * sizeof *pile.at), n};
  *out = (struct pv_condition_file){.options = files[0].options,
                                    .program = files[0].program,
                                    .checked = files[0].checked,
                                    .engine = pv_strdup(files[0].engine)};
  for (uint32_t i = 0; i < n; i++) {
    pv_condition_append(&pile.at[i], &files[i].condition);
    for (uint32_t k = 0; k < files[i].errors.n; k++) {
      struct pv_known_error e = files[i].errors.at[k];
      e.sentence = pv_strdup(e.sentence);
      pv_vec_push(&out->errors, e);
    }
  }
  if (out->errors.n) pile_up(&pile);
  enum pv_status status = join_all(&pile, err);
  if (status == PV_OK) {
    out->condition = pile.at[0];
    pile.n = 0;
  }
  for (uint32_t i = 0; i < pile.n; i++) pv_condition_clear(&pile.at[i]);
  free(pile.at);
  return status;
}
