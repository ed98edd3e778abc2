/* Longer computations: sieve, matrix product, a hash table with chains, a heap of pointers, CRC,
 * big numbers, edit distance, a small regular-expression matcher. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *key;
  int value;
  struct entry *next;
};
static struct entry *table[17];

static int *lookup(const char *key) {
  uint32_t h = 2166136261u;
  for (const char *c = key; *c; c++) h = (h ^ (unsigned char)*c) * 16777619u;
  struct entry **e = &table[h % 17];
  for (; *e; e = &(*e)->next)
    if (strcmp((*e)->key, key) == 0) return &(*e)->value;
  *e = calloc(1, sizeof **e);
  (*e)->key = strdup(key);
  return &(*e)->value;
}
static void clear(void) {
  for (int i = 0; i < 17; i++)
    while (table[i]) {
      struct entry *e = table[i];
      table[i] = e->next;
      free(e->key);
      free(e);
    }
}
static int match_here(const char *r, const char *t);
static int match_star(int c, const char *r, const char *t) {
  do
    if (match_here(r, t)) return 1;
  while (*t && (*t++ == c || c == '.'));
  return 0;
}
static int match_here(const char *r, const char *t) {
  if (!*r) return 1;
  if (r[1] == '*') return match_star(*r, r + 2, t);
  if (*r == '$' && !r[1]) return !*t;
  return *t && (*r == '.' || *r == *t) ? match_here(r + 1, t + 1) : 0;
}
static int distance(const char *a, const char *b) {
  int n = (int)strlen(b), row[32];
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int up = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
      if (up + 1 < best) best = up + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = up;
      row[j] = best;
    }
  }
  return row[n];
}

int main(void) {
  static char composite[2000];
  int primes = 0;
  for (int i = 2; i < 2000; i++) {
    if (composite[i]) continue;
    primes++;
    for (int j = i * i; j < 2000; j += i) composite[j] = 1;
  }
  double m[8][8], r[8][8];
  for (int i = 0; i < 64; i++) m[i / 8][i % 8] = i * .25;
  double trace = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      r[i][j] = 0;
      for (int k = 0; k < 8; k++) r[i][j] += m[i][k] * m[k][j];
      if (i == j) trace += r[i][j];
    }
  printf("%d %.6f\n", primes, trace);
  const char *words[] = {"a", "b", "a", "c", "abc", "b", "a", "cab"};
  for (int i = 0; i < 8; i++) ++*lookup(words[i]);
  printf("%d %d %d\n", *lookup("a"), *lookup("b"), *lookup("zzz"));
  clear();
  uint32_t crc = ~0u;
  for (const char *c = "123456789"; *c; c++) {
    crc ^= (unsigned char)*c;
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  printf("%08x\n", ~crc);
  unsigned char digits[60] = {1};
  for (int n = 2; n <= 40; n++) {
    unsigned carry = 0;
    for (int i = 0; i < 60; i++) {
      carry += digits[i] * (unsigned)n;
      digits[i] = (unsigned char)(carry % 10);
      carry /= 10;
    }
  }
  int i = 59;
  while (!digits[i]) i--;
  for (; i >= 0; i--) putchar('0' + digits[i]);
  printf("\n%d %d %d %d\n", distance("kitten", "sitting"), distance("", "abc"),
         match_here("a.*b$", "axxxb"), match_here("ab*c$", "abbd"));
  uint64_t state = 88172645463325252ULL, sum = 0;
  for (int k = 0; k < 3000; k++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    sum += state % 1000;
  }
  printf("%llu\n", (unsigned long long)sum);
  return primes & 0x7f;
}
