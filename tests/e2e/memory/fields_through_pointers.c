// A large structure whose fields have different sizes, used through pointers to it and to a part of it. Where a pointer
// points in the structure is known, so that each field is a variable of its own.
//
// expect: true
// run: --engine predicate => true states=129
// run: --engine composite => true
// run: --engine kinduction => true
// run: --engine predicate -- -DBUG => false(unreach-call)
// run: --engine composite -- -DBUG => false(unreach-call)
// run: --engine predicate -- -DTABLE => true
// run: --engine predicate -- -DTABLE -DBUG => false(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct queue {
  short first, length;
  char open;
};
struct machine {
  char name[12];
  int done;
  long total;
  short kind;
  struct queue in, out;
  double speed;
  char *owner;
};
static void put(struct queue *q) {
  if (q->length < 4) q->length++;
}
static void take(struct queue *q) {
  if (q->length > 0) q->length--;
}
static void step(struct machine *m) {
  m->total++;
#ifdef BUG
  if (m->in.length == 3) m->out.length = 9;
#endif
  if (__VERIFIER_nondet_int())
    put(&m->in);
  else
    take(&m->in);
}
int main(void) {
#ifdef TABLE
  static struct machine all[3];
  struct machine *m = all;
  if (__VERIFIER_nondet_int()) m++;
#else
  static struct machine one;
  struct machine *m = &one;
#endif
  m->out.length = 2;
  while (__VERIFIER_nondet_int()) {
    m->total = 0;
    step(m);
    if (m->in.length > 4 || m->in.length < 0 || m->out.length != 2) reach_error();
  }
  return 0;
}
