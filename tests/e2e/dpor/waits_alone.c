// A thread that is alone waits with a time limit: the path to what is behind has both stages of the wait.
//
// expect: false(unreach-call)
// executions: 0
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --no-spurious => false(unreach-call) executions=0
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; pthread_cond_t cv=PTHREAD_COND_INITIALIZER; struct timespec ts;
int main(void){ 
  pthread_mutex_lock(&m); pthread_cond_timedwait(&cv,&m,&ts); pthread_mutex_unlock(&m);
  reach_error(); return 0; }
