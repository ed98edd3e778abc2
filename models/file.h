/* file.h -- files as the models of streams and descriptors use them (file.c).
 *
 * Each function is one atomic step for other threads. Its accesses to memory of the program count
 * as accesses of the program: see __proviso_file_read. */
#ifndef PV_MODEL_FILE_H
#define PV_MODEL_FILE_H

#include "model.h"

enum { ENOENT = 2, EACCES = 13, EEXIST = 17, EMFILE = 24, ENOSPC = 28, ESPIPE = 29 };
enum { PV_SEEK_SET, PV_SEEK_CUR, PV_SEEK_END };
/* How a file is opened. */
enum {
  PV_READ = 1,
  PV_WRITE = 2,
  PV_APPEND = 4,
  PV_CREATE = 8,
  PV_EXCLUSIVE = 16,
  PV_TRUNCATE = 32
};

/* Returns a descriptor of 3 or more, or -1 with errno set. */
int __proviso_file_open(const char *name, int how);
int __proviso_file_temporary(void); /* the same for a new file without a name */
void __proviso_file_close(int fd);
/* The rights that the file was opened with (PV_READ, PV_WRITE, PV_APPEND); 0: the descriptor is not
 * open, or a standard one. */
int __proviso_file_rights(int fd);

/* Returns the next byte, or EOF. */
int __proviso_file_get(int fd);
/* Reads n bytes, or fewer at the end of the file. */
size_t __proviso_file_read(int fd, void *to, size_t n);
void __proviso_file_put(int fd, const void *from, size_t n);
bool __proviso_file_seek(int fd, long long offset, int whence); /* false: errno is set to EINVAL */
long long __proviso_file_tell(int fd);
long long __proviso_file_length(int fd);
void __proviso_file_resize(int fd, size_t length);
/* A number that all names and descriptors of a file share. */
unsigned long __proviso_file_number(int fd);

/* Removes a file by its name. Returns -1 with errno set if it does not exist or must not be
 * changed. */
int __proviso_file_remove(const char *name);
int __proviso_file_rename(const char *from, const char *to);
int __proviso_file_access(const char *name, bool write);
long long __proviso_file_length_of(const char *name);
/* The same number by name; the file must exist. */
unsigned long __proviso_file_number_of(const char *name);

#endif
