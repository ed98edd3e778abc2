/* memory.h -- allocations and frees. */

enum { FREED = 4096 };
static struct freed freed[FREED];
static uint32_t n_freed, freed_lock;

static const struct freed *freed_at(uint64_t address) {
  for (uint32_t i = 0; i < n_freed; i++)
    if (freed[i].from <= address && address < freed[i].to) return &freed[i];
  return NULL;
}

static void show_freed(struct thread *t, uint64_t at, uint32_t site) {
  lock_word(&freed_lock);
  const struct freed *f = freed_at(at);
  struct freed copy = f ? *f : (struct freed){0};
  unlock_word(&freed_lock);
  if (!copy.to) return;
  const struct proviso_site *s = &proviso_sites[site], *by = &proviso_sites[copy.site];
  char text[600];
  snprintf(text, sizeof text,
           "proviso: use of freed memory: thread %u at %s:%u:%u (%s) uses %#lx, which was freed at "
           "%s:%u\n",
           t->number, s->file, s->line, s->column, s->function, (unsigned long)at, by->file,
           by->line);
  say(text);
  if (!getenv("PROVISO_GO_ON")) end_with(ERROR_SHOWN);
}

static void note_freed(struct thread *t, void *p) {
  if (!imposed || proviso_schedule.error != 'f' || !p) return;
  show_freed(t, (uintptr_t)p, t->site);
  lock_word(&freed_lock);
  if (n_freed < FREED)
    freed[n_freed++] = (struct freed){(uintptr_t)p, (uintptr_t)p + malloc_usable_size(p), t->site};
  unlock_word(&freed_lock);
}
static void note_allocated(void *p) {
  if (!imposed || proviso_schedule.error != 'f') return;
  lock_word(&freed_lock);
  uint64_t from = (uintptr_t)p, to = from + malloc_usable_size(p);
  for (uint32_t i = 0; i < n_freed;)
    if (freed[i].from < to && from < freed[i].to)
      freed[i] = freed[--n_freed];
    else
      i++;
  unlock_word(&freed_lock);
}
static void *allocated(void *p) {
  if (!p) return p;
  note_allocated(p);
  if (trace >= 0) forget(me(), p, malloc_usable_size(p));
  return p;
}
void *proviso_malloc(size_t n) {
  return allocated(malloc(n));
}
void *proviso_calloc(size_t n, size_t size) {
  return allocated(calloc(n, size));
}
void *proviso_aligned_alloc(size_t align, size_t n) {
  return allocated(aligned_alloc(align, n));
}
void *proviso_realloc(void *p, size_t n) {
  note_freed(me(), p);
  if (p) put_object(me(), PV_TRACE_END, p, malloc_usable_size(p), me()->site);
  return allocated(realloc(p, n));
}
int proviso_posix_memalign(void **p, size_t align, size_t n) {
  int rc = posix_memalign(p, align, n);
  if (!rc) allocated(*p);
  return rc;
}
void proviso_free(void *p) {
  note_freed(me(), p);
  if (p) put_object(me(), PV_TRACE_END, p, malloc_usable_size(p), me()->site);
  free(p);
}
