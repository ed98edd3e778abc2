#include "explore/lasso.h"

#include <stdlib.h>
#include <string.h>

void pv_claim_message(const struct pv_claim *c, struct pv_str *out) {
  if (c->property == PV_PROP_TERMINATION)
    pv_str_add(out, "an execution does not end");
  else if (c->property == PV_PROP_NO_LIVELOCK)
    pv_str_add(out, "livelock: an execution goes on for ever without progress");
  else if (c->property == PV_PROP_STARVATION_FREE)
    pv_str_addf(out, "starvation: %s stays there for ever", c->text);
  else if (c->property == PV_PROP_NO_ENDLESS_INSTANT)
    pv_str_add(out, "instantaneous loop: an instant never ends");
  else
    pv_str_addf(out, "an execution violates `%s`", c->text);
}

void pv_lasso_begin(struct pv_lasso *x, const struct pv_task *task, struct pv_vm *vm,
                    uint32_t loop) {
  struct pv_str ignored = {0};
  *x = (struct pv_lasso){.task = task, .vm = vm, .loop = loop};
  pv_ltl_spec_read(task->options, &x->spec, &ignored); /* it was read before */
  pv_str_free(&ignored);
  pv_letters_init(&x->reader, task->program, &x->spec);
}

/* The contents of all components but the frames in which propositions are evaluated. */
static void write_state(struct pv_vm *vm, struct pv_str *out) {
  for (uint32_t i = 0, n = pv_vm_components(vm); i < n; i++) {
    const struct pv_comp *c = pv_vm_component(vm, i);
    if (!c->n || (c->kind == PV_COMP_FRAME && c->owner >> 24 >= PV_MAX_THREADS)) continue;
    pv_str_addf(out, "%u:%u:", i, c->n);
    pv_str_addn(out, (const char *)c->data, c->n);
  }
}

void pv_lasso_look(struct pv_lasso *x, uint32_t n) {
  uint32_t wrong;
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  pv_moves_peek(x->vm, next, &m);
  bool rests = !m.alive || pv_moves_stuck(x->vm, &m);
  pv_vec_push(&x->letters, pv_letter(&x->reader, x->vm, rests, &wrong));
  if (n < x->loop) return;
  x->fair |= ~m.lively;
  if (n == x->loop) write_state(x->vm, &x->before);
}

void pv_lasso_moves(struct pv_lasso *x, uint32_t n, unsigned thread) {
  if (n >= x->loop) x->fair |= PV_THREAD_BIT(thread);
}

/* Nothing happens any more: the program has ended, or no thread can move. */
static bool rests(struct pv_lasso *x) {
  if (x->ended || !pv_vm_alive(x->vm)) return true;
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  pv_moves_peek(x->vm, next, &m);
  return pv_moves_stuck(x->vm, &m);
}

/* Is the state, after the last choice, the one at the beginning of the loop? */
static bool closes(struct pv_lasso *x, uint32_t n) {
  if (n == x->loop) return rests(x);
  struct pv_str now = {0};
  write_state(x->vm, &now);
  bool same = now.n == x->before.n && !memcmp(now.at, x->before.at, now.n);
  pv_str_free(&now);
  x->letters.n--; /* that of the first state of the loop */
  return same && !x->ended;
}

bool pv_lasso_ends(struct pv_lasso *x, uint32_t n, const struct pv_error_key *wanted) {
  if (x->ended) {
    uint64_t letter = pv_letter_of_end(&x->reader, pv_vec_last(&x->letters));
    pv_vec_push(&x->letters, letter);
    x->fair = UINT64_MAX;
  }
  if (!closes(x, n) || x->loop >= x->letters.n) return false;
  bool violated = false;
  for (uint32_t i = 0; i < x->spec.claim.n && !violated; i++) {
    const struct pv_claim *c = &x->spec.claim.at[i];
    struct pv_str message = {0};
    pv_claim_message(c, &message);
    bool asked = c->property == wanted->property &&
                 (!wanted->message || !strcmp(wanted->message, pv_str_cstr(&message)));
    pv_str_free(&message);
    asked &= !c->fair || !~x->fair;
    violated =
        asked && !pv_ltl_holds(&x->spec.ltl, c->formula, x->letters.at, x->letters.n, x->loop);
  }
  return violated;
}

void pv_lasso_clear(struct pv_lasso *x) {
  pv_letters_clear(&x->reader);
  pv_ltl_spec_clear(&x->spec);
  pv_vec_free(&x->letters);
  pv_str_free(&x->before);
}
