// An atomic section with a choice in it (an address that comes back) is several events, and nobody comes between them: what races with a later one
// of them comes before the first.
//
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=2
// run: --engine dpor --dpor classic --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=2
// run: --engine explicit --por none => false(unreach-call) states=31
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>
int proviso_choose(int,int); extern void reach_error(void); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
atomic_int a,b,flag; int x,y; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER, ec={0}; pthread_cond_t cv=PTHREAD_COND_INITIALIZER; sem_t se; pthread_t t[4]; int *_Atomic gp;
#define AB __VERIFIER_atomic_begin();
#define AE __VERIFIER_atomic_end();
#define GO(...) int main(void){ __VA_ARGS__ pthread_create(&t[0],0,t0,0); pthread_create(&t[1],0,t1,0);
#define FIN pthread_join(t[0],0); pthread_join(t[1],0); return 0; }
void *t0(void*u){ AB int *q=gp; free(q); int *p=malloc(4); if (p==q) x=1; int r=flag; AE if (r) reach_error(); return 0;}
void *t1(void*u){ flag=1; return 0;}
GO(gp=malloc(4);) FIN
