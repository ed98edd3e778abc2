// Two translation units, a header path and a macro for clang.
// expect: true
// states: 1
// args: tests/e2e/multi/sum_part.c -- -DTERMS=3 -Itests/e2e/multi
#include "sum.h"

#include <assert.h>

int main(void) {
  assert(sum(TERMS) == 6 && calls == 1);
}
