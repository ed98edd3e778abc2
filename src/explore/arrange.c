#include "explore/arrange.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_BITS = 3 };
/* A bound on the work: the number of table entries that are read. It takes about a second. */
#define WORK (UINT64_C(1) << 29)

struct arranger {
  uint32_t rows, columns; /* rows: the first ones, which are used now */
  uint32_t all_rows;
  uint64_t work;     /* number of table entries read so far */
  uint32_t *hash;    /* by column and row */
  uint32_t *side[2]; /* by row: the sum of the hashes of the columns on that side */
  uint32_t *zero;    /* by row */
  uint32_t *few;     /* the contents of a side that are sampled */
  uint32_t *set;     /* a hash table, 0: free */
  uint32_t mask;
  bool *is_second;   /* by column: it is on the second side */
  bool *is_constant; /* by column: one value in all rows */
};

/* The number of distinct contents among those in `few`. */
static uint32_t distinct_few(struct arranger *a, uint32_t rows) {
  uint32_t n = 0;
  memset(a->set, 0, ((size_t)a->mask + 1) * sizeof *a->set);
  for (uint32_t i = 0; i < rows; i++) {
    uint32_t x = a->few[i] | 1, k = x * 0x9e3779b1u >> 7 & a->mask;
    while (a->set[k] && a->set[k] != x) k = (k + 1) & a->mask;
    n += !a->set[k];
    a->set[k] = x;
  }
  return n;
}

/* An estimate of the number of distinct contents of a side after columns were added (more) and
 * removed (less); NULL: none. It counts the contents whose hash is 0 modulo SAMPLE. (To sample one
 * row in SAMPLE would not do, because among few rows all contents are distinct.) */
static uint32_t distinct(struct arranger *a, const uint32_t *side, const uint32_t *more,
                         const uint32_t *less) {
  uint32_t few = 0;
  a->work += a->rows;
  if (!more) more = a->zero;
  if (!less) less = a->zero;
  for (uint32_t i = 0; i < a->rows; i++) {
    uint32_t x = side[i] + more[i] - less[i];
    a->few[few] = x;
    few += x >> (32 - SAMPLE_BITS) == 0;
  }
  return distinct_few(a, few < a->mask / 2 ? few : a->mask / 2);
}

static const uint32_t *column(const struct arranger *a, uint32_t c) {
  return a->hash + (size_t)c * a->all_rows;
}

/* The cost of the two sides after columns were moved from one to the other (NULL: none). */
static uint32_t cost_with(struct arranger *a, const uint32_t *to_first, const uint32_t *to_second) {
  return distinct(a, a->side[0], to_first, to_second) +
         distinct(a, a->side[1], to_second, to_first);
}

static uint32_t cost_moved(struct arranger *a, uint32_t c) {
  const uint32_t *h = column(a, c);
  return a->is_second[c] ? cost_with(a, h, NULL) : cost_with(a, NULL, h);
}

static void move(struct arranger *a, uint32_t c) {
  const uint32_t *h = column(a, c);
  uint32_t *from = a->side[a->is_second[c]], *to = a->side[!a->is_second[c]];
  for (uint32_t i = 0; i < a->rows; i++) {
    from[i] -= h[i];
    to[i] += h[i];
  }
  a->is_second[c] = !a->is_second[c];
}

/* The cost of the sides as they are. */
static uint32_t cost_of(struct arranger *a, const uint32_t *columns, uint32_t n) {
  for (unsigned s = 0; s < 2; s++) memset(a->side[s], 0, a->rows * sizeof **a->side);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t *side = a->side[a->is_second[columns[k]]];
    for (uint32_t i = 0; i < a->rows; i++) side[i] += column(a, columns[k])[i];
  }
  return cost_with(a, NULL, NULL);
}

/* Improves the sides by moving single columns, with at most `room` columns on each side. Returns
 * the cost. Pinned columns stay. */
static uint32_t divide(struct arranger *a, const uint32_t *columns, uint32_t n, uint32_t room,
                       const bool *pinned) {
  uint32_t count[2] = {0}, best = cost_of(a, columns, n);
  for (uint32_t k = 0; k < n; k++) count[a->is_second[columns[k]]]++;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = 0; k < n && a->work < WORK; k++) {
      uint32_t c = columns[k];
      unsigned from = a->is_second[c];
      if (pinned[c] || a->is_constant[c] || count[from] == 1 || count[!from] == room) continue;
      uint32_t cost = cost_moved(a, c);
      if (cost >= best) continue;
      best = cost;
      again = true;
      move(a, c);
      count[from]--;
      count[!from]++;
    }
  }
  return best;
}

/* Sorts the columns by side. Returns how many are on the first. */
static uint32_t part(const struct arranger *a, uint32_t *columns, uint32_t n) {
  PV_VEC(uint32_t) second = {0};
  uint32_t first = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (a->is_second[columns[k]])
      pv_vec_push(&second, columns[k]);
    else
      columns[first++] = columns[k];
  }
  for (uint32_t k = 0; k < second.n; k++) columns[first + k] = second.at[k];
  pv_vec_free(&second);
  return first;
}

/* Assigns the columns positions from `at` on, in a subtree of `span` leaves. A column that must be
 * at position 0 comes first. */
static void arrange_half(struct arranger *a, uint32_t *columns, uint32_t n, uint32_t span,
                         uint32_t at, const bool *pinned, uint32_t *position) {
  if (n == 1) {
    position[columns[0]] = at;
    return;
  }
  if (!n) return;
  for (uint32_t k = 0; k < n; k++) a->is_second[columns[k]] = k >= (n + 1) / 2;
  divide(a, columns, n, span / 2, pinned);
  uint32_t first = part(a, columns, n);
  arrange_half(a, columns, first, span / 2, at, pinned, position);
  arrange_half(a, columns + first, n - first, span / 2, at + span / 2, pinned, position);
}

static void hash_columns(struct arranger *a, const struct pv_table *t) {
  a->hash = pv_alloc((size_t)t->rows * t->columns * sizeof *a->hash);
  for (uint32_t c = 0; c < t->columns; c++) {
    a->is_constant[c] = true;
    for (uint32_t i = 0; i < t->rows; i++) {
      uint32_t value = t->value[(size_t)i * t->columns + c];
      a->is_constant[c] &= value == t->value[c];
      a->hash[(size_t)c * t->rows + i] = (uint32_t)pv_hash_word((uint64_t)c << 32 | value);
    }
  }
}

static struct arranger begin(const struct pv_table *t) {
  struct arranger a = {.rows = t->rows, .all_rows = t->rows, .columns = t->columns, .mask = 1};
  while (a.mask < t->rows >> (SAMPLE_BITS - 2)) a.mask = a.mask * 2 + 1;
  for (unsigned s = 0; s < 2; s++) a.side[s] = pv_alloc(t->rows * sizeof **a.side);
  a.zero = pv_alloc(t->rows * sizeof *a.zero);
  a.few = pv_alloc(t->rows * sizeof *a.few);
  a.set = pv_alloc(((size_t)a.mask + 1) * sizeof *a.set);
  a.is_second = pv_alloc(t->columns * sizeof *a.is_second);
  a.is_constant = pv_alloc(t->columns * sizeof *a.is_constant);
  hash_columns(&a, t);
  return a;
}

static void end(struct arranger *a) {
  free(a->hash);
  for (unsigned s = 0; s < 2; s++) free(a->side[s]);
  free(a->zero);
  free(a->few);
  free(a->set);
  free(a->is_second);
  free(a->is_constant);
}

/* Assigns positions in two halves, each arranged recursively. */
static void arrange_halves(struct arranger *a, uint32_t *columns, uint32_t n, const bool *pinned,
                           uint32_t *place) {
  uint32_t first = part(a, columns, n), *position = pv_alloc(a->columns * sizeof *position);
  for (unsigned h = 0; h < 2; h++) {
    uint32_t *of = h ? columns + first : columns, k = h ? n - first : first, span = 2;
    while (span < k) span *= 2;
    for (uint32_t i = 0; i < k; i++) { /* pinned columns first: they stay on the left */
      if (!pinned[of[i]]) continue;
      uint32_t c = of[i];
      of[i] = of[0];
      of[0] = c;
    }
    arrange_half(a, of, k, span, 0, pinned, position);
    for (uint32_t i = 0; i < k; i++) place[of[i]] = position[of[i]] << 1 | h;
  }
  free(position);
}

/* Sets the sides to start from: the current ones, or others. Several starts are needed because a
 * local search that moves single columns gets stuck in local minima. */
static void start_from(struct arranger *a, const uint32_t *columns, uint32_t n, const bool *pinned,
                       const uint32_t *place, unsigned start) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t c = columns[k];
    bool stays = pinned[c] || start == 0;
    a->is_second[c] = stays ? place[c] & 1 : pv_hash_word(start << 16 | c) & 1;
  }
}

/* Sets the sides to the best ones found from several starts, and returns their cost. The starts are
 * compared on the first rows only. */
static uint32_t divide_from_several(struct arranger *a, const uint32_t *columns, uint32_t n,
                                    const bool *pinned, const uint32_t *place, uint32_t *before) {
  enum { STARTS = 4, SOME = 4 };
  bool *best_sides = pv_alloc(a->columns * sizeof *best_sides);
  uint32_t best = UINT32_MAX;
  a->rows = a->all_rows / SOME;
  for (unsigned start = 0; start < STARTS; start++) {
    start_from(a, columns, n, pinned, place, start);
    uint32_t cost = divide(a, columns, n, n, pinned);
    if (cost >= best) continue;
    best = cost;
    memcpy(best_sides, a->is_second, a->columns * sizeof *best_sides);
  }
  a->rows = a->all_rows;
  start_from(a, columns, n, pinned, place, 0);
  *before = cost_of(a, columns, n);
  memcpy(a->is_second, best_sides, a->columns * sizeof *best_sides);
  free(best_sides);
  return divide(a, columns, n, n, pinned);
}

bool pv_arrange(const struct pv_table *t, uint32_t *place) {
  if (t->columns < 3) return false;
  struct arranger a = begin(t);
  uint32_t n = t->columns, *columns = pv_alloc(n * sizeof *columns), before;
  bool *pinned = pv_alloc(t->columns * sizeof *pinned);
  for (uint32_t k = 0; k < n; k++) {
    columns[k] = k;
    pinned[k] = place[k] < 2;
  }
  uint32_t after = divide_from_several(&a, columns, n, pinned, place, &before);
  bool better = after < before - before / 4;
  if (better) arrange_halves(&a, columns, n, pinned, place);
  end(&a);
  free(columns);
  free(pinned);
  return better;
}
