// The container of a global list's head lies below every object; its link is the head itself.
// expect: true
// run: --engine composite => true
// run: --engine dpor => true
// run: --32 => true
// run: -- -DBUG => false(valid-deref)
// run: --engine composite -- -DBUG => false(valid-deref)
#include <assert.h>
#include <stddef.h>

struct list {
  struct list *next, *prev;
};
struct item {
  long key[5];
  struct list link;
};
extern struct list head;
static struct item *kept;
struct list head = {&head, &head};

int main(void) {
  struct item *i = (struct item *)((char *)&head - offsetof(struct item, link));
  assert(i->link.next == &head);
  kept = i;
  assert(kept->link.prev == &head);
#ifdef BUG
  return (int)kept->key[0];
#else
  return 0;
#endif
}
