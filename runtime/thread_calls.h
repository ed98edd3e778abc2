/* thread_calls.h -- threads of the program: their begins and ends. */

struct routine {
  void *(*run)(void *);
  int (*run_c)(void *);
  void *argument;
  struct thread *thread;
};
static pthread_key_t end_key;
static void on_exit_of_thread(void *value) {
  struct thread *t = value;
  if (!t->ended) end_of_thread(t);
}
__attribute__((constructor)) static void make_key(void) {
  pthread_key_create(&end_key, on_exit_of_thread);
}

static void first_steps(struct thread *t) {
  self = t;
  pthread_setspecific(end_key, t);
  if (trace < 0) return;
  pthread_attr_t attr;
  void *stack = NULL;
  size_t n = 0;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    pthread_attr_getstack(&attr, &stack, &n);
    pthread_attr_destroy(&attr);
  }
  forget(t, stack, n);
}
static void *run_thread(void *argument) {
  struct routine r = *(struct routine *)argument;
  free(argument);
  first_steps(r.thread);
  void *result = r.run(r.argument);
  end_of_thread(r.thread);
  return result;
}
static int run_c_thread(void *argument) {
  struct routine r = *(struct routine *)argument;
  free(argument);
  first_steps(r.thread);
  int result = r.run_c(r.argument);
  end_of_thread(r.thread);
  return result;
}
static struct routine *new_routine(struct thread *t) {
  struct routine *r = calloc(1, sizeof *r);
  if (!r) _exit(OFF_THE_PATH);
  r->thread = new_thread();
  put_ordered(t, PV_TRACE_FORK, r->thread->number);
  return r;
}
int proviso_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *),
                           void *argument) {
  struct thread *t = me();
  struct routine *r = new_routine(t);
  struct thread *made = r->thread;
  r->run = run;
  r->argument = argument;
  pthread_t own;
  int rc = pthread_create(&own, attr, run_thread, r);
  if (rc) {
    made->ended = true;
    return rc;
  }
  *id = own;
  lock_word(&table_lock);
  made->id = own;
  made->has_id = true;
  unlock_word(&table_lock);
  return 0;
}
int proviso_thrd_create(thrd_t *id, thrd_start_t run, void *argument) {
  struct thread *t = me();
  struct routine *r = new_routine(t);
  struct thread *made = r->thread;
  r->run_c = run;
  r->argument = argument;
  int rc = thrd_create(id, run_c_thread, r);
  if (rc != thrd_success) {
    made->ended = true;
    return rc;
  }
  lock_word(&table_lock);
  made->id = (pthread_t)*id;
  made->has_id = true;
  unlock_word(&table_lock);
  return rc;
}
static struct thread *take_joined(pthread_t id) {
  struct thread *found = NULL;
  lock_word(&table_lock);
  for (uint32_t i = 0; i < n_threads && i < MAX_THREADS; i++)
    if (threads[i] && threads[i]->has_id && pthread_equal(threads[i]->id, id)) found = threads[i];
  if (found) found->has_id = false;
  unlock_word(&table_lock);
  return found;
}
int proviso_pthread_join(pthread_t id, void **result) {
  struct thread *t = me(), *joined = take_joined(id);
  enter(t, "pthread_join");
  int rc = pthread_join(id, result);
  leave(t);
  if (!rc && joined) put_ordered(t, PV_TRACE_JOIN, joined->number);
  return rc;
}
int proviso_thrd_join(thrd_t id, int *result) {
  struct thread *t = me(), *joined = take_joined((pthread_t)id);
  enter(t, "thrd_join");
  int rc = thrd_join(id, result);
  leave(t);
  if (rc == thrd_success && joined) put_ordered(t, PV_TRACE_JOIN, joined->number);
  return rc;
}
void proviso_pthread_exit(void *result) {
  end_of_thread(me());
  pthread_exit(result);
}
