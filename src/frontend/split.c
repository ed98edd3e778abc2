/* split.c -- scalar replacement of aggregates that clang creates itself.
 *
 * A small structure as an argument, such as a view or an initializer list, is assembled in unnamed
 * memory, and split again for the call. If it is only written and read piece by piece, each piece
 * becomes a variable. So no pointer refers to it, it is not part of the state, and after the call
 * it keeps no pointers to ended objects. */
#include "frontend/frontend_internal.h"

#define MAX_PIECES 8

struct piece {
  uint64_t offset, size;
  LLVMTypeRef type;
  uint32_t var;
};
struct split {
  struct pv_fn *fn;
  LLVMValueRef alloca;
  struct piece piece[MAX_PIECES];
  unsigned n;
};

static struct piece *piece_at(struct split *s, uint64_t offset) {
  for (unsigned k = 0; k < s->n; k++)
    if (s->piece[k].offset == offset) return &s->piece[k];
  return NULL;
}

/* Adds a piece. Returns false if it overlaps with another one, has two types, or is not inside of
 * the object. */
static bool add_piece(struct split *s, uint64_t offset, LLVMTypeRef t) {
  struct piece *p = piece_at(s, offset);
  if (p) return p->type == t;
  pv_type type;
  const char *what;
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind ||
                kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (!scalar || !pv_fe_scalar(s->fn->fe, t, &type, &what) || s->n == MAX_PIECES) return false;
  uint64_t size = LLVMStoreSizeOfType(s->fn->fe->layout, t);
  uint64_t all = LLVMABISizeOfType(s->fn->fe->layout, LLVMGetAllocatedType(s->alloca));
  if (offset > all || size > all - offset) return false;
  for (unsigned k = 0; k < s->n; k++)
    if (offset < s->piece[k].offset + s->piece[k].size && s->piece[k].offset < offset + size)
      return false;
  s->piece[s->n++] = (struct piece){offset, size, t, PV_NO_VAR};
  return true;
}

/* Is the last access to that address before `i` in its block a store? */
static bool written_before(struct split *s, LLVMValueRef i, uint64_t offset) {
  while ((i = LLVMGetPreviousInstruction(i))) {
    uint64_t at;
    if (LLVMIsAStoreInst(i) && pv_fn_base_alloca(s->fn, LLVMGetOperand(i, 1), &at) == s->alloca &&
        at == offset)
      return true;
  }
  return false;
}

static bool can_split(struct split *s, LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    uint64_t offset;
    if (LLVMIsAGetElementPtrInst(user)) {
      if (pv_fn_base_alloca(s->fn, user, &offset) != s->alloca || !can_split(s, user)) return false;
      continue;
    }
    bool load = LLVMIsALoadInst(user), store = LLVMIsAStoreInst(user);
    if (!load && !(store && LLVMGetOperand(user, 0) != address)) return false;
    if (LLVMGetVolatile(user) || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic) return false;
    pv_fn_base_alloca(s->fn, address, &offset);
    if (!add_piece(s, offset, LLVMTypeOf(load ? user : LLVMGetOperand(user, 0)))) return false;
    if (load && !written_before(s, user, offset)) return false;
  }
  return true;
}

static void name_pieces(struct split *s, LLVMValueRef address) {
  struct pv_lowered_value *v = pv_fn_find(s->fn, address);
  if (!v) return; /* in an unreachable block */
  uint64_t offset;
  pv_fn_base_alloca(s->fn, address, &offset);
  const struct piece *p = piece_at(s, offset);
  v->promoted = true;
  v->init = PV_NO_VAR;
  v->var = p ? p->var : PV_NO_VAR;
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u))
    if (LLVMIsAGetElementPtrInst(LLVMGetUser(u))) name_pieces(s, LLVMGetUser(u));
}

bool pv_fn_split(struct pv_fn *fn, LLVMValueRef a) {
  struct split s = {.fn = fn, .alloca = a};
  bool one = LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0)) == 1;
  if (LLVMGetTypeKind(LLVMGetAllocatedType(a)) != LLVMStructTypeKind || !one) return false;
  if (!can_split(&s, a)) return false;
  for (unsigned k = 0; k < s.n; k++) {
    pv_type type;
    const char *what;
    pv_fe_scalar(fn->fe, s.piece[k].type, &type, &what);
    s.piece[k].var = pv_fn_variable(fn, "tmp", type, true);
    fn->is_mutable.at[s.piece[k].var] = true;
  }
  name_pieces(&s, a);
  return true;
}
