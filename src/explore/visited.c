#include "explore/visited.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/wide.h"

/* An ordered hash table (Amble, Knuth, "Ordered hash tables", 1974): linear probing from a home
 * slot that increases with the key. So all keys are sorted, with gaps between them. A search ends
 * at the first larger key, and the table can grow in place. The last slot is never used. */
struct table {
  uint64_t *at;   /* each slot has `words` words; all 0: free */
  uint64_t homes; /* number of home slots; SPARE slots follow them */
  uint64_t n;     /* number of keys except 0 */
  bool zero;      /* is the key 0 in the table? */
};
enum {
  /* For keys whose home slots at the end are taken; random keys never need all of them. */
  SPARE = 1024,
  FIRST_HOMES = 1024,
};

struct pv_visited {
  unsigned bits;  /* number of bits of a fingerprint that are kept; 0: a Bloom filter */
  unsigned words; /* words of a key */
  struct table table;
  unsigned hashes;             /* number of bits that a state sets */
  uint64_t *filter, size, set; /* size in words; set: number of bits that are set */
  uint64_t states;
  double bound, expected; /* sums over the states so far of q(1) ... and of q(0) ... */
};

/* ---- fingerprints ---------------------------------------------------------------------------- */
/* Rounds of shift and multiplication like those of the finaliser of MurmurHash3 (Appleby, public
 * domain), with one more round and a key. Each bit of the input changes each bit of the output with
 * probability one half; the unit test checks this by the number of omissions. */
static uint64_t mix(uint64_t x, uint64_t key) {
  x += key;
  for (int i = 0; i < 3; i++) {
    x ^= x >> 32;
    x *= 0xbea225f9eb34556du;
    x ^= x >> 29;
  }
  return x;
}

/* Digits of pi: "nothing up my sleeve" numbers. */
static const uint64_t keys[] = {0x243f6a8885a308d3u, 0x13198a2e03707344u};

void pv_fingerprint_change(struct pv_fingerprint *f, uint32_t component, uint32_t old,
                           uint32_t leaf) {
  uint64_t before = (uint64_t)component << 32 | old, after = (uint64_t)component << 32 | leaf;
  for (int i = 0; i < 2; i++) f->word[i] += mix(after, keys[i]) - mix(before, keys[i]);
}

/* Scales a random number to 0 ... n - 1, monotonically. */
static uint64_t scale(uint64_t random, uint64_t n) {
  return (uint64_t)((pv_u128)random * n >> 64);
}

/* ---- compact --------------------------------------------------------------------------------- */
static bool is_free(const uint64_t *slot, unsigned words) {
  return !slot[0] && (words == 1 || !slot[1]);
}

static bool is_less(const uint64_t *a, const uint64_t *b, unsigned words) {
  return a[0] < b[0] || (words == 2 && a[0] == b[0] && a[1] < b[1]);
}

static uint64_t table_bytes(const struct table *t, unsigned words) {
  return t->homes ? (t->homes + SPARE) * words * sizeof *t->at : 0;
}

/* Enlarges the table by an eighth: moves all keys to the right end, in their order, and then each
 * one to its new place. A key never overwrites another one: the keys after it have room to its
 * right, so its new place is not beyond its current one. */
static void table_grow(struct table *t, unsigned words) {
  uint64_t before = t->homes ? t->homes + SPARE : 0, next = 0, bytes = table_bytes(t, words);
  t->homes = t->homes ? t->homes + t->homes / 8 : FIRST_HOMES;
  uint64_t slots = t->homes + SPARE, first = slots - 1;
  t->at = pv_pages_grow(t->at, bytes, table_bytes(t, words));
  for (uint64_t i = before; i-- > 0;)
    if (!is_free(t->at + i * words, words)) {
      first--;
      memmove(t->at + first * words, t->at + i * words, words * sizeof *t->at);
    }
  memset(t->at, 0, first * words * sizeof *t->at);
  for (uint64_t i = first; i + 1 < slots; i++, next++) {
    uint64_t key[2] = {t->at[i * words], words == 2 ? t->at[i * words + 1] : 0};
    uint64_t home = scale(key[0], t->homes);
    if (home > next) next = home;
    PV_REQUIRE(next <= i, "fingerprints are spread evenly");
    memset(t->at + i * words, 0, words * sizeof *t->at);
    memcpy(t->at + next * words, key, words * sizeof *t->at);
  }
}

static bool is_crowded(const struct table *t) {
  return (t->n + 1) * 10 > t->homes * 9;
}

static bool table_add(struct table *t, const uint64_t *key, unsigned words) {
  if (is_free(key, words)) {
    bool fresh = !t->zero;
    t->zero = true;
    return fresh;
  }
  if (is_crowded(t)) table_grow(t, words);
  for (;;) {
    uint64_t place = scale(key[0], t->homes), gap;
    while (is_less(t->at + place * words, key, words) && !is_free(t->at + place * words, words))
      place++;
    uint64_t *slot = t->at + place * words;
    if (slot[0] == key[0] && (words == 1 || slot[1] == key[1])) return false;
    for (gap = place; !is_free(t->at + gap * words, words); gap++) {
    }
    if (gap + 1 < t->homes + SPARE) {
      memmove(slot + words, slot, (gap - place) * words * sizeof *slot);
      memcpy(slot, key, words * sizeof *slot);
      t->n++;
      return true;
    }
    table_grow(t, words); /* the spare slots are full */
  }
}

struct pv_visited *pv_visited_compact(unsigned bits) {
  PV_REQUIRE(bits >= 1 && bits <= 128, "a fingerprint has 128 bits");
  struct pv_visited *v = pv_alloc(sizeof *v);
  v->bits = bits;
  v->words = bits > 64 ? 2 : 1;
  return v;
}

static bool compact_add(struct pv_visited *v, const struct pv_fingerprint *f) {
  unsigned low = v->bits % 64; /* of the last word only the upper bits are kept */
  uint64_t key[2] = {f->word[0], f->word[1]};
  if (low) key[v->words - 1] &= ~(UINT64_MAX >> low);
  return v->words == 1 ? table_add(&v->table, key, 1) : table_add(&v->table, key, 2);
}

/* ---- bits ------------------------------------------------------------------------------------ */
struct pv_visited *pv_visited_bits(uint64_t bytes, unsigned hashes) {
  PV_REQUIRE(hashes, "a state sets a bit");
  struct pv_visited *v = pv_alloc(sizeof *v);
  v->hashes = hashes;
  v->size = bytes < 8 ? 1 : bytes / 8;
  v->filter = pv_pages_new(v->size * 8);
  return v;
}

static bool filter_add(struct pv_visited *v, const struct pv_fingerprint *f) {
  uint64_t before = v->set;
  for (uint64_t i = 0; i < v->hashes; i++) {
    uint64_t bit = scale(mix(f->word[0] + i * f->word[1], i), v->size * 64);
    uint64_t *word = &v->filter[bit / 64], mask = (uint64_t)1 << bit % 64;
    v->set += !(*word & mask);
    *word |= mask;
  }
  return v->set != before;
}

/* ---- both ------------------------------------------------------------------------------------ */
void pv_visited_free(struct pv_visited *v) {
  if (!v) return;
  pv_pages_free(v->table.at, table_bytes(&v->table, v->words));
  pv_pages_free(v->filter, v->size * 8);
  free(v);
}

static double omission_rate(const struct pv_visited *v) {
  if (v->bits) return ldexp((double)v->states, -(int)v->bits);
  double fill = (double)v->set / ((double)v->size * 64), rate = 1;
  for (unsigned i = 0; i < v->hashes; i++) rate *= fill;
  return rate;
}

bool pv_visited_add(struct pv_visited *v, const struct pv_fingerprint *f) {
  double before = omission_rate(v);
  if (!(v->bits ? compact_add(v, f) : filter_add(v, f))) return false;
  v->states++;
  v->bound += omission_rate(v);
  v->expected += before / (1 - before); /* there was room for this state, so before < 1 */
  return true;
}

uint64_t pv_visited_states(const struct pv_visited *v) {
  return v->states;
}

uint64_t pv_visited_bytes(const struct pv_visited *v) {
  return v->bits ? table_bytes(&v->table, v->words) : v->size * 8;
}

uint64_t pv_visited_growth(const struct pv_visited *v) {
  const struct table *t = &v->table;
  bool soon = v->bits && (t->n + t->n / 32 + 1) * 10 > t->homes * 9;
  return soon ? t->homes / 8 * v->words * sizeof *t->at : 0;
}

struct pv_loss pv_visited_loss(const struct pv_visited *v) {
  return (struct pv_loss){v->bound < 1 ? v->bound : 1, v->expected + omission_rate(v)};
}
