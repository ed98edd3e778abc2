/* assigned.c -- definite assignment: finds loads whose variable may be unassigned, by a forward
 * dataflow analysis over the blocks of a function.
 *
 * Leaving a scope with variables of its own by `return`, `break` or `goto`, clang stores a number
 * to `cleanup.dest.slot`, ends the variables, and switches on the number. So that a return value is
 * known to be assigned behind such a switch, states with different numbers are kept apart. */
#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 8, MOST_BYTES = 1 << 26 };

/* The state of a block is a vector of bytes for each number in the selector: is the block reached
 * with it, and is each variable assigned on every path with it? */
struct assignment {
  struct pv_fn *fn;
  struct pv_map column;  /* promoted alloca -> index of a variable */
  uint32_t n;            /* variables */
  LLVMValueRef selector; /* NULL: there is none */
  uint64_t number[MOST_NUMBERS];
  uint32_t n_numbers; /* the state with this index is for any other content of the selector */
  uint8_t *in;        /* [(block * (n_numbers + 1) + number) * (n + 1)] */
};

static uint8_t *state_at(const struct assignment *d, uint32_t block, uint32_t number) {
  return d->in + ((size_t)block * (d->n_numbers + 1) + number) * (d->n + 1);
}

static uint32_t index_of(const struct assignment *d, LLVMValueRef constant) {
  uint32_t i = 0;
  if (!LLVMIsAConstantInt(constant)) return d->n_numbers;
  while (i < d->n_numbers && d->number[i] != LLVMConstIntGetZExtValue(constant)) i++;
  return i;
}

/* Is the alloca only stored to and loaded from? Then *numbers: the constants stored. */
static bool is_selector(struct assignment *d, LLVMValueRef a) {
  size_t n;
  if (strcmp(LLVMGetValueName2(a, &n), "cleanup.dest.slot") != 0) return false;
  d->n_numbers = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user)) continue;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != a) return false;
    LLVMValueRef value = LLVMGetOperand(user, 0);
    if (!LLVMIsAConstantInt(value) || index_of(d, value) < d->n_numbers) continue;
    if (d->n_numbers == MOST_NUMBERS) return false;
    d->number[d->n_numbers++] = LLVMConstIntGetZExtValue(value);
  }
  return true;
}

/* Updates the state by one instruction. Returns true for a load whose variable may be unassigned.
 */
static bool transfer(struct assignment *d, LLVMValueRef i, uint8_t *state, uint32_t *number) {
  bool start;
  LLVMValueRef at = LLVMIsAStoreInst(i)            ? LLVMGetOperand(i, 1)
                    : LLVMIsALoadInst(i)           ? LLVMGetOperand(i, 0)
                    : pv_fe_is_lifetime(i, &start) ? LLVMGetOperand(i, 1)
                                                   : pv_fn_declares_anew(d->fn, i);
  if (at && at == d->selector && LLVMIsAStoreInst(i)) *number = index_of(d, LLVMGetOperand(i, 0));
  const uint32_t *bit = at ? pv_map_get(&d->column, &at, sizeof at) : NULL;
  if (!bit) return false;
  if (LLVMIsALoadInst(i)) return !state[*bit];
  state[*bit] = LLVMIsAStoreInst(i) != NULL;
  return false;
}

/* Does the terminator go to its successor if the selector holds the number with that index? */
static bool goes_to(const struct assignment *d, LLVMValueRef end, unsigned successor,
                    uint32_t number) {
  if (!LLVMIsASwitchInst(end) || number == d->n_numbers) return true;
  LLVMValueRef load = LLVMIsALoadInst(LLVMGetOperand(end, 0));
  bool decides = load && LLVMGetOperand(load, 0) == d->selector &&
                 LLVMGetInstructionParent(load) == LLVMGetInstructionParent(end);
  if (!decides) return true;
  bool found = false;
  for (unsigned k = 2; k < (unsigned)LLVMGetNumOperands(end); k += 2) {
    if (index_of(d, LLVMGetOperand(end, k)) != number) continue;
    if (k / 2 == successor) return true;
    found = true;
  }
  return !found && successor == 0; /* the default */
}

static bool merge(const struct assignment *d, uint8_t *in, const uint8_t *state) {
  bool changed = !in[d->n];
  if (changed) memset(in, 1, d->n + 1);
  for (uint32_t k = 0; k < d->n; k++)
    if (in[k] && !state[k]) in[k] = 0, changed = true;
  return changed;
}

static bool flow(struct assignment *d, uint32_t block, uint32_t number, uint8_t *state) {
  bool changed = false;
  LLVMBasicBlockRef b = d->fn->blocks.at[block].llvm;
  memcpy(state, state_at(d, block, number), d->n + 1);
  if (!state[d->n]) return false; /* not reached */
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
    transfer(d, i, state, &number);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
    if (goes_to(d, end, s, number))
      changed |=
          merge(d, state_at(d, *pv_map_get(&d->fn->block_of, &to, sizeof to), number), state);
  }
  return changed;
}

static void solve(struct assignment *d) {
  struct pv_fn *fn = d->fn;
  uint8_t *state = pv_alloc(d->n + 1);
  d->in = pv_alloc((size_t)fn->blocks.n * (d->n_numbers + 1) * (d->n + 1));
  state_at(d, 0, d->n_numbers)[d->n] = 1; /* at the entry nothing is assigned */
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
      for (uint32_t v = 0; v <= d->n_numbers; v++) changed |= flow(d, b, v, state);
  }
  for (uint32_t b = 0; b < fn->blocks.n; b++)
    for (uint32_t v = 0; v <= d->n_numbers; v++) {
      uint32_t number = v;
      memcpy(state, state_at(d, b, v), d->n + 1);
      LLVMValueRef i = state[d->n] ? LLVMGetFirstInstruction(fn->blocks.at[b].llvm) : NULL;
      for (; i; i = LLVMGetNextInstruction(i))
        if (transfer(d, i, state, &number)) pv_map_put(&fn->unassigned, &i, sizeof i, 1, NULL);
    }
  free(state);
  free(d->in);
}

void pv_fn_find_unassigned(struct pv_fn *fn) {
  struct assignment d = {.fn = fn};
  for (uint32_t i = 0; i < fn->values.n; i++) {
    LLVMValueRef a = LLVMIsAAllocaInst(fn->values.at[i].llvm);
    if (!a) continue;
    if (!d.selector && is_selector(&d, a)) d.selector = a;
    if (fn->values.at[i].promoted && LLVMGetTypeKind(LLVMGetAllocatedType(a)) != LLVMStructTypeKind)
      pv_map_put(&d.column, &a, sizeof a, d.n++, NULL);
  }
  size_t bytes = (size_t)fn->blocks.n * (d.n_numbers + 1) * (d.n + 1);
  if (!d.selector || bytes > MOST_BYTES) d.selector = NULL, d.n_numbers = 0;
  if (d.n) solve(&d);
  pv_map_free(&d.column);
}
