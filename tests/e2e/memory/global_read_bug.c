// One element before a global array is read, through a pointer.
// expect: false(valid-deref)
// states: 1
static int a[4] = {1, 2, 3, 4};

static int before(const int *p) {
  return *(const int *)((const char *)p - 4);
}

int main(void) {
  return before(a);
}
