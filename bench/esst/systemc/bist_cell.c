/* bist_cell: a combinatorial method between four signals and one. BUG: the opposite is claimed.
 * The threaded form of bist_cell of SV-COMP (systemc). */
#include <sysc.h>
extern void reach_error(void);

static sysc_signal b0, b1, d0, d1, z;

static void compute(void *unused) {
  (void)unused;
  int s1 = !(sysc_read(b0) && sysc_read(d1));
  int s2 = !(sysc_read(d0) && sysc_read(b1));
  int s3 = !(s2 || s1);
  s2 = s2 && s1;
  sysc_write(z, !(s2 || s3));
}
int main(void) {
  b0 = sysc_signal_new(0);
  b1 = sysc_signal_new(0);
  d0 = sysc_signal_new(0);
  d1 = sysc_signal_new(0);
  z = sysc_signal_new(0);
  sysc_process p = sysc_method(compute, 0);
  sysc_sensitive(p, sysc_changed(b0));
  sysc_sensitive(p, sysc_changed(b1));
  sysc_sensitive(p, sysc_changed(d0));
  sysc_sensitive(p, sysc_changed(d1));
  sysc_dont_initialize(p);
  sysc_write(b0, 1);
  sysc_write(b1, 1);
  sysc_write(d0, 1);
  sysc_write(d1, 1);
  sysc_start_all();
#ifdef BUG
  if (sysc_read(z) == 0) reach_error();
#else
  if (sysc_read(z) != 0) reach_error();
#endif
  return 0;
}
