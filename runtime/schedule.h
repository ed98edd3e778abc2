/* schedule.h -- imposes the schedule: turns, and the errors that show when the last one is over. */

static uint32_t turn; /* how many turns have been taken */
static uint32_t progress;

static void futex(uint32_t *word, int op, uint32_t value) {
  syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static void find_next(struct thread *t, uint32_t from) {
  const struct proviso_schedule *s = &proviso_schedule;
  for (t->next = from; t->next < s->n_turns && s->turns[t->next].thread != t->number; t->next++) {
  }
}

static bool is_last(uint32_t i) {
  return proviso_schedule.turns[i].flags & LAST;
}

static uint32_t n_real(void) {
  uint32_t n = proviso_schedule.n_turns;
  while (n && is_last(n - 1)) n--;
  return n;
}

static void prepare_schedule(void) {
  const struct proviso_schedule *s = &proviso_schedule;
  key_of_site = calloc(proviso_site_count + 1, sizeof *key_of_site);
  if (!key_of_site) _exit(OFF_THE_PATH);
  for (uint32_t i = 0; i < proviso_site_count; i++)
    for (uint32_t k = 0; k < s->n_keys; k++) {
      const struct proviso_site *site = &proviso_sites[i];
      const struct proviso_key *key = &s->keys[k];
      if ((char)site->kind == key->kind && site->line == key->line && site->column == key->column &&
          !strcmp(site->file, key->file))
        key_of_site[i] = (uint16_t)(k + 1);
    }
}

/* For debuggers: turn number i begins, and it is another thread's than the one before. */
__attribute__((noinline)) void proviso_switches(uint32_t i, uint32_t thread, uint32_t step);
void proviso_switches(uint32_t i, uint32_t thread, uint32_t step) {
  __asm__ volatile("" : : "r"(i), "r"(thread), "r"(step) : "memory");
}

static void pass_on(struct thread *t) {
  if (!t->runs) return;
  t->runs = false;
  __atomic_fetch_add(&turn, 1, __ATOMIC_SEQ_CST);
  futex(&turn, FUTEX_WAKE_PRIVATE, INT_MAX);
}

static void show_race(void);

/* Waits for turn number i, which is the thread's. */
static void wait_for(struct thread *t, uint32_t i) {
  uint32_t end = n_real();
  bool last = is_last(i);
  uint32_t wanted = last ? end : i;
  if (last) __atomic_store_n(&t->at_last, true, __ATOMIC_SEQ_CST);
  pass_on(t);
  for (uint32_t now; (now = __atomic_load_n(&turn, __ATOMIC_SEQ_CST)) < wanted;)
    futex(&turn, FUTEX_WAIT_PRIVATE, now);
  find_next(t, i + 1);
  if (last) {
    if (proviso_schedule.error == 'r') show_race();
    while (proviso_schedule.error == 't') pause();
    return;
  }
  t->runs = true;
  t->times_out = proviso_schedule.turns[i].flags & TIMES_OUT;
  __atomic_fetch_add(&progress, 1, __ATOMIC_RELAXED);
  static uint32_t held_by = UINT32_MAX; /* the thread of the last turn */
  if (held_by != t->number) proviso_switches(i, t->number, proviso_schedule.turns[i].step);
  held_by = t->number;
}

/* The thread comes to a place. */
static void come_to(struct thread *t, uint32_t key) {
  uint32_t n = ++t->times[key];
  if (t->next >= proviso_schedule.n_turns) return;
  const struct proviso_turn *next = &proviso_schedule.turns[t->next];
  if (next->key == key && next->times == n && !(next->flags & AGAIN)) wait_for(t, t->next);
}

static inline void come(struct thread *t, uint32_t site, uint64_t at) {
  uint32_t key = key_of_site[site];
  if (!key || t->atomic) return;
  t->at = at;
  t->at_site = site;
  come_to(t, key - 1);
}

/* Does the operation that the thread executes go on in a turn of its own? for_ever: not in this
 * path. */
static bool goes_on(const struct thread *t, bool *for_ever) {
  *for_ever = false;
  if (!imposed || t->next >= proviso_schedule.n_turns) return false;
  const struct proviso_turn *next = &proviso_schedule.turns[t->next];
  *for_ever = next->flags & LAST;
  return next->flags & AGAIN;
}

static void describe(const struct thread *t, char *out, size_t n) {
  const struct proviso_site *s = &proviso_sites[t->at_site];
  snprintf(out, n, "thread %u at %s:%u:%u (%s)", t->number, s->file, s->line, s->column,
           s->function);
}

/* Both threads are about to access: does one of them write, and do the bytes overlap? */
static void show_race(void) {
  static uint32_t shown;
  const struct proviso_schedule *s = &proviso_schedule;
  struct thread *a, *b;
  for (int i = 0; i < 2000; i++) { /* the other one may not have come yet */
    a = threads[s->one], b = threads[s->other];
    if (a && b && __atomic_load_n(&a->at_last, __ATOMIC_SEQ_CST) &&
        __atomic_load_n(&b->at_last, __ATOMIC_SEQ_CST))
      break;
    usleep(1000);
  }
  if (!a || !b || !a->at_last || !b->at_last || __atomic_exchange_n(&shown, 1, __ATOMIC_SEQ_CST))
    return;
  const struct proviso_site *x = &proviso_sites[a->at_site], *y = &proviso_sites[b->at_site];
  bool accesses = a->at && b->at;
  bool overlap =
      a->at < b->at + (y->bytes ? y->bytes : 1) && b->at < a->at + (x->bytes ? x->bytes : 1);
  bool writes = x->kind != 'r' || y->kind != 'r';
  if (accesses && (!overlap || !writes)) return;
  char one[400], other[400], text[1000];
  describe(a, one, sizeof one);
  describe(b, other, sizeof other);
  /* A call, as of free, has no address here: then the path tells that it is the same memory. */
  uintptr_t at = a->at ? a->at : b->at;
  if (at)
    snprintf(text, sizeof text, "proviso: data race: %s and %s are both about to access %#lx\n",
             one, other, (unsigned long)at);
  else
    snprintf(text, sizeof text, "proviso: data race: %s and %s are both about to access it\n", one,
             other);
  say(text);
  if (!getenv("PROVISO_GO_ON")) end_with(ERROR_SHOWN);
}

static void show_deadlock(uint32_t n) {
  char place[400], text[600];
  say("proviso: deadlock: no thread goes on\n");
  for (uint32_t i = 0; i < n; i++) {
    struct thread *t = threads[i];
    if (!t || t->ended) continue;
    describe(t, place, sizeof place);
    snprintf(text, sizeof text, "proviso:   %s waits in %s\n", place,
             t->blocked ? t->blocked : "?");
    say(text);
  }
  if (!getenv("PROVISO_GO_ON")) end_with(ERROR_SHOWN);
}

static void give_up(uint32_t now) {
  char text[600];
  const struct proviso_schedule *s = &proviso_schedule;
  const struct proviso_turn *next = &s->turns[now];
  const struct proviso_key *key = &s->keys[next->key];
  struct thread *t = threads[next->thread];
  snprintf(text, sizeof text,
           "proviso: off the path: thread %u does not come to %s:%u:%u (turn %u of %u)%s%s\n",
           next->thread, key->file ? key->file : "its end", key->line, key->column, now + 1,
           n_real(), t && t->blocked ? "; it is in " : "", t && t->blocked ? t->blocked : "");
  say(text);
  end_with(OFF_THE_PATH);
}

/* Who ends the process while others are on their way along the path waits for them: for their
 * turns, and for what they have to show when these are over. */
static void hold(void) {
  enum { MOST = 2000 }; /* milliseconds after the last turn */
  struct thread *mine = me();
  pass_on(mine);
  for (uint32_t spent = 0; spent < MOST; usleep(1000)) {
    if (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) < n_real()) continue; /* `watch` gives up */
    bool over = true;
    for (uint32_t i = 0, n = n_threads; i < n; i++) {
      const struct thread *t = threads[i];
      over &= t && (t == mine || t->ended || t->blocked ||
                    (proviso_schedule.error == 't' && t->at_last));
    }
    if (over) return;
    spent++;
  }
}

/* Looks every tenth of a second whether the threads go on. */
static void *watch(void *unused) {
  uint32_t before = UINT32_MAX, same = 0;
  for (;;) {
    usleep(20000);
    uint32_t now = __atomic_load_n(&turn, __ATOMIC_SEQ_CST);
    uint32_t moved = __atomic_load_n(&progress, __ATOMIC_SEQ_CST) + now, n = n_threads;
    same = moved == before ? same + 1 : 0;
    before = moved;
    if (now < n_real()) {
      if (same > proviso_schedule.patience * 5) give_up(now);
      continue;
    }
    bool all = true, stops = proviso_schedule.error == 't';
    for (uint32_t i = 0; i < n; i++)
      all &= threads[i] &&
             (threads[i]->ended || threads[i]->blocked || (stops && threads[i]->at_last));
    if (all && same >= 10) {
      if (stops) end_with(0);
      show_deadlock(n);
      return unused;
    }
  }
}
