/* jsmn (github.com/zserge/jsmn, unmodified) on N free bytes: its tokens lie inside of the text. */
#include "jsmn.h"

#include <assert.h>

extern char __VERIFIER_nondet_char(void);

#ifndef N
#define N 3
#endif
#ifdef WRONG /* one token less than a text may have */
enum { TOKENS = N, ROOM = N - 1 };
#else
enum { TOKENS = N, ROOM = N };
#endif

int main(void) {
  char text[N];
  jsmntok_t token[ROOM];
  jsmn_parser parser;
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  jsmn_init(&parser);
  int n = jsmn_parse(&parser, text, N, token, TOKENS);
  for (int i = 0; i < n; i++)
    assert(0 <= token[i].start && token[i].start <= token[i].end && token[i].end <= N);
  return 0;
}
