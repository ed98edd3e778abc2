// A binary heap of priorities read from standard input.
// bug: none
// expect: true
// args:
// stdin: 3 1 2
#include <assert.h>
#include <stdio.h>

enum { ROOM = 4 };
struct heap {
  int at[ROOM];
  int n;
};

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static int push(struct heap *h, int value) {
  if (h->n == ROOM)
    return 0;
  int i = h->n++;
  h->at[i] = value;
  for (; i > 0 && h->at[(i - 1) / 2] > h->at[i]; i = (i - 1) / 2)
    swap(&h->at[(i - 1) / 2], &h->at[i]);
  return 1;
}

static int pop(struct heap *h) {
  int top = h->at[0], i = 0;
  h->at[0] = h->at[--h->n];
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->n)
      return top;
    if (child + 1 < h->n && h->at[child + 1] < h->at[child])
      child++;
    if (h->at[i] <= h->at[child])
      return top;
    swap(&h->at[i], &h->at[child]);
    i = child;
  }
}

int main(void) {
  struct heap h = {.n = 0};
  int value, last = 0;
  for (int i = 0; i < ROOM && scanf("%d", &value) == 1; i++)
    push(&h, value);
  for (int i = 0; h.n > 0; i++) {
    value = pop(&h);
    assert(i == 0 || last <= value);
    last = value;
    printf("%d\n", value);
  }
  return 0;
}
