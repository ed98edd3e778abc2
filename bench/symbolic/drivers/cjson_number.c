/* The number parser of cJSON (github.com/DaveGamble/cJSON, unmodified) on 4 free bytes: what it takes lies inside of the text. */
#include "cJSON.c"

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

enum { N = 4 };

int main(void) {
  unsigned char text[N];
  cJSON item;
  memset(&item, 0, sizeof item);
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_uchar();
  parse_buffer buffer = {.content = text, .length = N, .hooks = global_hooks};
  cJSON_bool parsed = parse_number(&item, &buffer);
  assert(buffer.offset <= N);
#ifdef WRONG /* "1e9" is saturated */
  if (parsed) assert(item.valueint < 1000000000);
#endif
  if (!parsed) assert(buffer.offset == 0);
  return 0;
}
