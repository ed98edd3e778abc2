/* file.c -- the files that a program opens, kept in memory, and the descriptors.
 *
 * The content of a file is given by its name (--file), or free: then the file may be missing, and
 * may contain any bytes. As for standard input (stdin.c), the VM tries whole texts, and any byte as
 * the first one; symbolic engines use arbitrary bytes, up to a bound, each chosen at its first use.
 * Whether a file exists and may be written or removed is chosen at the first query, and stays
 * fixed: only the program changes files. Written bytes are stored after the file's initial content
 * as long as none of that is overwritten. So the content of a log that is only appended to need not
 * be known. */
#include "file.h"

/* Set by the frontend, with --file. */
struct given_file {
  const char *name;
  const unsigned char *bytes;
  size_t length;
};
const struct given_file *__proviso_given_files;
int __proviso_given_files_count;

enum { MOST_FILES = 16, MOST_OPEN = 16, FIRST = 3, ROOM = 64 };
enum { LONGEST_NAME = 128, MOST_BYTES = 256 /* as --max-file-length */ };
#define AT_END SIZE_MAX /* as a position: the end of the file, wherever it is */

enum base { NOTHING, GIVEN, FREE };
enum answer { NOT_ASKED, NO, YES };
struct file {
  bool named;
  int opened; /* number of open descriptors */
  enum base base;
  enum answer exists, writable, changeable; /* changeable: its name may be created and removed */
  /* GIVEN: its number; FREE: the number of its text, -1: not chosen. */
  int number;
  size_t known;  /* any text: number of bytes chosen */
  bool discards; /* /dev/null */
  /* Any text: there are no more bytes; base_length is set. */
  bool ended, measured;
  size_t base_length;
  unsigned char *own; /* bytes written, after the initial content */
  size_t n_own, room;
  /* Not on the heap, where symbolic engines cannot show that an index is in bounds. */
  char name[LONGEST_NAME];
  unsigned char any[MOST_BYTES]; /* any text: the bytes chosen */
};
static struct file files[MOST_FILES];
static int n_files;

struct descriptor {
  struct file *file; /* NULL: not open */
  int how;
  size_t at;
};
static struct descriptor descriptors[MOST_OPEN];

/* ---- names ----------------------------------------------------------------------------------- */
/* Skips what does not matter at the start of a path component: slashes, and `.` alone. */
static const char *skip(const char *name) {
  while (*name == '/' || (name[0] == '.' && (name[1] == '/' || !name[1]))) name++;
  return name;
}
static bool same_name(const char *a, const char *b) {
  if ((*a == '/') != (*b == '/')) return false;
  a = skip(a), b = skip(b);
  while (*a == *b) {
    if (!*a) return true;
    if (*a == '/')
      a = skip(a), b = skip(b);
    else
      a++, b++;
  }
  return false;
}

/* Member by member, because symbolic engines treat a copy of the whole as one of bytes. */
static void clear(struct file *f) {
  f->base = NOTHING;
  f->exists = f->writable = f->changeable = NOT_ASKED;
  f->number = -1;
  f->known = f->base_length = f->n_own = f->room = 0;
  f->ended = f->measured = f->discards = false;
  f->own = NULL;
}
static struct file *new_file(void) {
  struct file *f = NULL;
  for (int i = 0; i < n_files && !f; i++)
    if (!files[i].named && !files[i].opened) f = &files[i];
  if (!f) {
    if (n_files == MOST_FILES) __proviso_unsupported("more than 16 files");
    f = &files[n_files++];
  }
  clear(f);
  return f;
}
static void set_name(struct file *f, const char *name) {
  size_t i = 0;
  for (; name[i]; i++) {
    if (i >= LONGEST_NAME - 1) __proviso_unsupported("a name of a file of more than 127 bytes");
    f->name[i] = name[i];
  }
  f->name[i] = 0;
  f->named = true;
}

/* Devices, unless --file gives them: /dev/null exists and is always empty. */
static void set_device(struct file *f) {
  static const char folder[] = "/dev/";
  for (int i = 0; folder[i]; i++)
    if (f->name[i] != folder[i]) return;
  f->base = NOTHING;
  f->discards = same_name(f->name, "/dev/null");
  f->exists = f->writable = f->changeable = YES;
}

static struct file *find(const char *name) {
  for (int i = 0; i < n_files; i++)
    if (files[i].named && same_name(files[i].name, name)) return &files[i];
  struct file *f = new_file();
  set_name(f, name);
  f->base = FREE;
  set_device(f);
  for (int i = 0; i < __proviso_given_files_count; i++)
    if (same_name(__proviso_given_files[i].name, name)) {
      f->base = GIVEN;
      f->number = i;
      f->exists = f->writable = f->changeable = YES;
      f->discards = false;
    }
  if (f->base == NOTHING && !f->discards) __proviso_unsupported("a file in /dev");
  return f;
}

/* Tells reports to which file the next inputs belong. */
static void tell(const struct file *f) {
  static int told = -1;
  int number = (int)(f - files);
  if (told != number) (void)__proviso_pick(number, number, "number of a file");
  told = number;
}

#define ASK(ANSWER, WHAT)                                                                          \
  ((ANSWER) = (ANSWER) != NOT_ASKED ? (ANSWER) : __proviso_pick(0, 1, WHAT) ? YES : NO) == YES
static bool exists(struct file *f) {
  if (f->exists == NOT_ASKED) tell(f);
  return ASK(f->exists, "file exists");
}
static bool is_writable(struct file *f) {
  return ASK(f->writable, "file may be written");
}
static bool is_changeable(struct file *f) {
  return ASK(f->changeable, "file may be made or removed");
}

/* ---- contents -------------------------------------------------------------------------------- */
static void choose_byte(struct file *f) {
  size_t most = (size_t)__proviso_setting(PV_SETTING_FILE);
  if (f->number == __proviso_texts(PV_TEXT_FILE) && f->known) __proviso_tried(PV_TEXT_FILE);
  if (f->known >= most || f->known >= MOST_BYTES) {
    if (__proviso_choose(0, 1)) __proviso_bound(PV_TEXT_FILE);
    f->ended = true;
    return;
  }
  tell(f);
  int c = __proviso_pick(EOF, 255, "byte of a file");
  if (c == EOF)
    f->ended = true;
  else
    f->any[f->known++] = (unsigned char)c;
}

/* A byte of the file's initial content, or EOF. */
static int base_byte(struct file *f, size_t i) {
  if (f->base == NOTHING) return EOF;
  if (f->base == GIVEN) {
    const struct given_file *given = &__proviso_given_files[f->number];
    return i < given->length ? given->bytes[i] : EOF;
  }
  if (f->number < 0) {
    tell(f);
    f->number = __proviso_any_text(PV_TEXT_FILE);
  }
  if (f->number < __proviso_texts(PV_TEXT_FILE))
    return i < INT_MAX ? __proviso_text(PV_TEXT_FILE, f->number, (int)i) : EOF;
  while (!f->ended && f->known <= i) choose_byte(f);
  return i < f->known && i < MOST_BYTES ? f->any[i] : EOF;
}
static size_t base_length(struct file *f) {
  if (f->base == NOTHING) return 0;
  if (f->base == GIVEN) return __proviso_given_files[f->number].length;
  if (!f->measured) {
    size_t n = 0;
    while (base_byte(f, n) != EOF) n++;
    f->base_length = n;
    f->measured = true;
  }
  return f->base_length;
}
static size_t length(struct file *f) {
  return base_length(f) + f->n_own;
}

static void release(unsigned char **bytes) {
  if (*bytes) __proviso_close_stream(*bytes);
  *bytes = NULL;
}
static void reserve(struct file *f, size_t n) {
  if (n <= f->room) return;
  size_t room = n < ROOM / 2 ? ROOM : 2 * n;
  unsigned char *bytes = __proviso_open_stream(room);
  if (f->n_own) __proviso_copy(bytes, f->own, f->n_own);
  release(&f->own);
  f->own = bytes;
  f->room = room;
}
static void append(struct file *f, const void *from, size_t n) {
  if (n == 0 || f->discards) return;
  reserve(f, f->n_own + n);
  __proviso_copy(f->own + f->n_own, from, n);
  f->n_own += n;
}

/* Turns the initial content into written bytes. */
static void absorb(struct file *f) {
  size_t n = base_length(f), room = n + f->n_own + ROOM;
  if (f->base == NOTHING) return;
  unsigned char *bytes = __proviso_open_stream(room);
  for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)base_byte(f, i);
  if (f->n_own) __proviso_copy(bytes + n, f->own, f->n_own);
  release(&f->own);
  f->own = bytes;
  f->n_own += n;
  f->room = room;
  f->base = NOTHING;
}
static void resize(struct file *f, size_t n) {
  if (f->discards) return;
  if (n > 0) absorb(f);
  if (n > f->n_own) {
    reserve(f, n);
    __proviso_fill(f->own + f->n_own, 0, n - f->n_own);
  }
  f->base = NOTHING;
  f->n_own = n;
}
static void put(struct file *f, size_t at, const void *from, size_t n) {
  if (f->discards) return;
  absorb(f);
  if (at > f->n_own) resize(f, at);
  if (at == f->n_own) {
    append(f, from, n);
    return;
  }
  size_t over = f->n_own - at < n ? f->n_own - at : n;
  __proviso_copy(f->own + at, from, over);
  append(f, (const char *)from + over, n - over);
}

/* ---- opening --------------------------------------------------------------------------------- */
static int fail(int number) {
  errno = number;
  return -1;
}
static int new_descriptor(struct file *f, int how) {
  for (int i = 0; i < MOST_OPEN; i++) {
    if (descriptors[i].file) continue;
    descriptors[i].file = f;
    descriptors[i].how = how & (PV_READ | PV_WRITE | PV_APPEND);
    descriptors[i].at = 0;
    f->opened++;
    return FIRST + i;
  }
  __proviso_unsupported("more than 16 open files");
}

static void create(struct file *f) {
  clear(f);
  f->exists = f->writable = f->changeable = YES;
}
static int open_file(const char *name, int how) {
  if (!*name) return fail(ENOENT);
  if (__proviso_call_may_fail("a file cannot be opened")) return fail(EMFILE);
  struct file *f = find(name);
  if (!exists(f)) {
    if (!(how & PV_CREATE)) return fail(ENOENT);
    if (!is_changeable(f)) return fail(EACCES);
    create(f);
  } else if ((how & PV_CREATE) && (how & PV_EXCLUSIVE)) {
    return fail(EEXIST);
  } else if ((how & PV_WRITE) && !is_writable(f)) {
    return fail(EACCES);
  }
  if (how & PV_TRUNCATE) resize(f, 0);
  return new_descriptor(f, how);
}

int __proviso_file_open(const char *name, int how) {
  __proviso_atomic_begin();
  int fd = open_file(name, how);
  __proviso_atomic_end();
  return fd;
}
int __proviso_file_temporary(void) {
  int fd = -1;
  __proviso_atomic_begin();
  if (__proviso_call_may_fail("a temporary file cannot be opened")) {
    errno = EMFILE;
  } else {
    struct file *f = new_file();
    fd = new_descriptor(f, PV_READ | PV_WRITE);
  }
  __proviso_atomic_end();
  return fd;
}

static struct descriptor *of(int fd) {
  bool may = fd >= FIRST && fd < FIRST + MOST_OPEN;
  return may && descriptors[fd - FIRST].file ? &descriptors[fd - FIRST] : NULL;
}
void __proviso_file_close(int fd) {
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d) {
    d->file->opened--;
    d->file = NULL;
  }
  __proviso_atomic_end();
}
int __proviso_file_rights(int fd) {
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  int how = d ? d->how : 0;
  __proviso_atomic_end();
  return how;
}

/* ---- reading and writing --------------------------------------------------------------------- */
static int byte_at(struct file *f, size_t i) {
  if (i == AT_END) return EOF;
  int c = base_byte(f, i);
  if (c != EOF || f->n_own == 0) return c;
  size_t in = i - base_length(f);
  return in < f->n_own ? f->own[in] : EOF;
}
int __proviso_file_get(int fd) {
  int c = EOF;
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d) c = byte_at(d->file, d->at);
  if (c != EOF) d->at++;
  __proviso_atomic_end();
  return c;
}

/* Written bytes are copied as they are, initialised or not. */
static size_t read_from(struct descriptor *d, unsigned char *to, size_t n) {
  size_t got = 0;
  int c;
  struct file *f = d->file;
  if (f->base == NOTHING && d->at < f->n_own) {
    got = n < f->n_own - d->at ? n : f->n_own - d->at;
    if (got) __proviso_copy(to, f->own + d->at, got);
  } else {
    while (got < n && (c = byte_at(f, d->at + got)) != EOF) to[got++] = (unsigned char)c;
  }
  if (got) d->at += got;
  return got;
}
/* The atomic step writes to the program's memory like an atomic access. It is written once more
 * outside of the step, so that it can race like a plain access. */
size_t __proviso_file_read(int fd, void *to, size_t n) {
  size_t got = 0;
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d && d->at != AT_END) got = read_from(d, to, n);
  __proviso_atomic_end();
  if (__proviso_has_threads && got) __proviso_copy(to, to, got);
  return got;
}
void __proviso_file_put(int fd, const void *from, size_t n) {
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d && n) {
    if ((d->how & PV_APPEND) || d->at == AT_END) {
      append(d->file, from, n);
      d->at = AT_END;
    } else {
      put(d->file, d->at, from, n);
      d->at += n;
    }
  }
  __proviso_atomic_end();
}

static bool seek(struct descriptor *d, long long offset, int whence) {
  if (whence == PV_SEEK_END && offset == 0) {
    d->at = AT_END;
    return true;
  }
  long long from = 0;
  if (whence == PV_SEEK_END || (whence == PV_SEEK_CUR && d->at == AT_END))
    from = (long long)length(d->file);
  else if (whence == PV_SEEK_CUR)
    from = (long long)d->at;
  if (whence < 0 || whence > 2 || from + offset < 0) return false;
  d->at = (size_t)(from + offset);
  return true;
}
bool __proviso_file_seek(int fd, long long offset, int whence) {
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  bool fine = d && seek(d, offset, whence);
  if (!fine) errno = EINVAL;
  __proviso_atomic_end();
  return fine;
}
long long __proviso_file_tell(int fd) {
  long long at = -1;
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d) at = (long long)(d->at == AT_END ? length(d->file) : d->at);
  __proviso_atomic_end();
  return at;
}
long long __proviso_file_length(int fd) {
  long long n = -1;
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d) n = (long long)length(d->file);
  __proviso_atomic_end();
  return n;
}
unsigned long __proviso_file_number(int fd) {
  unsigned long number = 0;
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d) number = (unsigned long)(d->file - files) + 1;
  __proviso_atomic_end();
  return number;
}
void __proviso_file_resize(int fd, size_t n) {
  __proviso_atomic_begin();
  struct descriptor *d = of(fd);
  if (d) resize(d->file, n);
  __proviso_atomic_end();
}

/* ---- by name --------------------------------------------------------------------------------- */
/* Under the name of the file there is none any more. */
static void vacate(struct file *f) {
  struct file *none = new_file();
  set_name(none, f->name);
  none->exists = NO;
  none->changeable = YES;
}
static int remove_file(const char *name) {
  if (!*name) return fail(ENOENT);
  struct file *f = find(name);
  if (!exists(f)) return fail(ENOENT);
  if (!is_changeable(f) || __proviso_call_may_fail("a file cannot be removed")) return fail(EACCES);
  if (f->opened) { /* it exists as long as it is open */
    vacate(f);
    f->named = false;
  } else {
    clear(f);
    f->exists = NO;
    f->changeable = YES;
  }
  return 0;
}
static int rename_file(const char *from, const char *to) {
  if (!*from || !*to) return fail(ENOENT);
  struct file *f = find(from);
  if (!exists(f)) return fail(ENOENT);
  if (!is_changeable(f) || __proviso_call_may_fail("a file cannot be renamed")) return fail(EACCES);
  if (same_name(from, to)) return 0;
  struct file *old = find(to);
  if (!is_changeable(old)) return fail(EACCES);
  vacate(f);
  old->named = false;
  set_name(f, to);
  return 0;
}
int __proviso_file_remove(const char *name) {
  __proviso_atomic_begin();
  int result = remove_file(name);
  __proviso_atomic_end();
  return result;
}
int __proviso_file_rename(const char *from, const char *to) {
  __proviso_atomic_begin();
  int result = rename_file(from, to);
  __proviso_atomic_end();
  return result;
}
int __proviso_file_access(const char *name, bool write) {
  int result = 0;
  __proviso_atomic_begin();
  struct file *f = *name ? find(name) : NULL;
  if (!f || !exists(f))
    result = fail(ENOENT);
  else if (write && !is_writable(f))
    result = fail(EACCES);
  __proviso_atomic_end();
  return result;
}
long long __proviso_file_length_of(const char *name) {
  long long n = -1;
  __proviso_atomic_begin();
  struct file *f = *name ? find(name) : NULL;
  if (f && exists(f))
    n = (long long)length(f);
  else
    errno = ENOENT;
  __proviso_atomic_end();
  return n;
}
unsigned long __proviso_file_number_of(const char *name) {
  __proviso_atomic_begin();
  unsigned long number = *name ? (unsigned long)(find(name) - files) + 1 : 0;
  __proviso_atomic_end();
  return number;
}
