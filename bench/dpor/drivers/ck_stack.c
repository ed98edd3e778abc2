/* Concurrency Kit, ck_stack: two threads push ITEMS each and pop as many (mpmc: double-width
 * compare and swap).
 *
 * Each entry is popped once. -DWRONG: the upmc pop, which is for entries that never come back, with
 * entries that are pushed again. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_stack.h>

#ifndef ITEMS
#  define ITEMS 1
#endif
enum { THREADS = 2 };

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct ck_stack_entry entry[THREADS * ITEMS];
static int popped[THREADS * ITEMS];

static ck_stack_entry_t *pop(void) {
#ifdef WRONG
  return ck_stack_pop_upmc(&stack);
#else
  return ck_stack_pop_mpmc(&stack);
#endif
}

static void push(ck_stack_entry_t *e) {
#ifdef WRONG
  ck_stack_push_upmc(&stack, e);
#else
  ck_stack_push_mpmc(&stack, e);
#endif
}

static void *worker(void *arg) {
  ck_stack_entry_t *mine = arg, *got[ITEMS + 1];
  for (int i = 0; i < ITEMS; i++) push(&mine[i]);
  for (int i = 0; i <= ITEMS; i++) {
    got[i] = pop();
    if (i && got[0]) push(got[0]), got[0] = NULL;
  }
  for (int i = 0; i <= ITEMS; i++)
    if (got[i]) popped[got[i] - entry]++;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, entry + i * ITEMS);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  for (ck_stack_entry_t *e; (e = pop());) popped[e - entry]++;
  for (int i = 0; i < THREADS * ITEMS; i++) assert(popped[i] == 1);
  return 0;
}
