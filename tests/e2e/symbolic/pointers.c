// Pointers that choose between variables, fields and elements.
// run: --engine bmc --property unreach-call,valid-deref => true
// run: --engine value --property unreach-call,valid-deref => conditional
// run: --engine bmc --property unreach-call,valid-deref --32 --integers bitvector => true
// run: --engine bmc --property unreach-call,valid-deref -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call,valid-deref -- -DNULL_BUG => false(valid-deref)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair {
  int first;
  struct pair *next;
};
static void set(int *p, int value) {
  *p = value;
}
int main(void) {
  int choice = __VERIFIER_nondet_int();
  int a = 1, b = 2, *p = choice ? &a : &b;
  struct pair one = {10, 0}, two = {20, &one};
  set(p, 5);
  set(&two.next->first, 11);
  if (a + b != (choice ? 7 : 6)) reach_error();
  if (one.first != 11 || two.first != 20) reach_error();
#ifdef BUG
  if (a == 5) reach_error();
#endif
#ifdef NULL_BUG
  struct pair *last = choice == 3 ? two.next->next : &two;
  last->first = 3;
#endif
}
