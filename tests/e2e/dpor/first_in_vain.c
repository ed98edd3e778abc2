// The first thing that is done to an error-checking mutex is an unlock in vain; in another order it comes behind a lock. It is ordered with that in both.
//
// expect: false(unreach-call)
// executions: 2
// args: --engine dpor
// run: --engine dpor --dpor source => false(unreach-call) executions=2
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => false(unreach-call) executions=2
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int a,b; 
pthread_mutex_t rc=PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, ec=PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; pthread_cond_t cv=PTHREAD_COND_INITIALIZER; struct timespec ts;
int main(void);
void *t0(void*u){ pthread_mutex_lock(&ec); a=1; b=1; a=0; pthread_mutex_unlock(&ec); return 0; }
void *t1(void*u){ int e=pthread_mutex_unlock(&ec); int r=a; if (r==1 && e) reach_error(); return 0; }
int main(void){ pthread_t a,b; pthread_create(&a,0,t0,0); pthread_create(&b,0,t1,0); pthread_join(a,0); pthread_join(b,0); return 0; }
