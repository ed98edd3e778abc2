// C as it was written before 1989, and as GCC still takes it with a warning. Nothing is included: malloc and
// free have their own types, so that no pointer is cut.
// expect: true
// message: library functions that are not declared have their own types (malloc, exit, free)
// message: other functions that are not declared return int (half, later)
// message: missing types are int
// message: pointers and integers are converted
// message: returns without and with a value
count;
static limit = 3;
struct node { struct node *next; int value; };

add(a, b) int b; { return a + b; }

touch(x) {
  if (x < 0) return;
  count = count + x;
}

struct node *push(list, value) struct node *list; {
  struct node *n = malloc(sizeof *n);
  n->next = list;
  n->value = value;
  return n;
}

main(argc, argv) char **argv; {
  struct node *list = 0, *n;
  long address;
  char *p;
  int i;
  for (i = 0; i < limit; i++) list = push(list, add(i, 1));
  for (n = list; n; n = n->next) touch(n->value);
  if (count != 6) { ERROR: exit(1); }
  later(list);
  if (half(4) != 2) goto ERROR;
  address = list;
  p = address;
  while (list) {
    n = list->next;
    free(list);
    list = n;
  }
  return p == 0;
}

void later(struct node *n) {
  n->value = 0;
}
half(x) { return x / 2; }
