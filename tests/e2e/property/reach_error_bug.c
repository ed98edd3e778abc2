// The error function of SV-COMP.
// expect: false(unreach-call)
// states: 1
extern void reach_error(void);

int main(void) {
  reach_error();
  return 0;
}
