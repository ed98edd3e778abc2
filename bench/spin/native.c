// What the twins need to run natively (gcc -pthread phil.c native.c; all but big.c run for ever).
// To proviso these two are an atomic section; the twins use it only to keep their start out of the
// state space, so that natively it need not do anything.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
