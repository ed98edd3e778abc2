/* setjmp.c -- setjmp.h. The frontend translates a call of setjmp to a SETJMP edge whose marker is a
 * slot of the calling frame. The buffer contains the marker's address, so it is valid as long as
 * the frame. */
#include "model.h"

/* In a program without longjmp this is all. */
int setjmp(struct pv_jump_buffer *b) {
  (void)b;
  return 0;
}
int _setjmp(struct pv_jump_buffer *b) {
  (void)b;
  return 0;
}
int sigsetjmp(struct pv_jump_buffer *b, int save) {
  (void)b, (void)save;
  return 0;
}
int __sigsetjmp(struct pv_jump_buffer *b, int save) {
  (void)b, (void)save;
  return 0;
}

/* Called by the frontend before the SETJMP edge. */
void __proviso_setjmp(struct pv_jump_buffer *b, void *marker, int save) {
  b->marker = marker;
  b->saves_mask = save != 0;
  if (save) b->mask = __proviso_signal_mask();
}

_Noreturn void __proviso_jump(const struct pv_jump_buffer *b, int value) {
  if (__atomic_load_n(&__proviso_signals_caught, __ATOMIC_SEQ_CST)) __proviso_signal_left();
  if (b->saves_mask) __proviso_set_signal_mask(b->mask);
  __proviso_longjmp(b->marker, value ? value : 1);
}
_Noreturn void longjmp(struct pv_jump_buffer *b, int value) {
  __proviso_jump(b, value);
}
_Noreturn void _longjmp(struct pv_jump_buffer *b, int value) {
  __proviso_jump(b, value);
}
_Noreturn void siglongjmp(struct pv_jump_buffer *b, int value) {
  __proviso_jump(b, value);
}
_Noreturn void __longjmp_chk(struct pv_jump_buffer *b, int value) {
  __proviso_jump(b, value);
}
