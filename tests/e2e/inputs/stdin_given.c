// Standard input as a file has it: exact, also for engines with symbols.
// args: --stdin tests/e2e/inputs/data/words.txt
// expect: true
// states: 1
// run: --stdin tests/e2e/inputs/data/five_seven.txt => false(unreach-call)
// run: --stdin tests/e2e/inputs/data/five_seven.txt --engine bmc => false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c, words = 0, in = 0;
  while ((c = getchar()) != EOF) {
    if (c != ' ' && c != '\n' && !in) words++;
    in = c != ' ' && c != '\n';
  }
  assert(words == 4);
  return 0;
}
