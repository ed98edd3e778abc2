/* file.h -- files, as the models of streams and descriptors see them (file.c).
 *
 * Each function is one step for other threads. What it does to memory of the program is an access
 * of the program as well: see __proviso_file_read. */
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

/* A descriptor from 3 on, or -1 and errno. */
int __proviso_file_open(const char *name, int how);
int __proviso_file_temporary(void); /* the same of a new file without a name */
void __proviso_file_close(int fd);
/* PV_READ, PV_WRITE and PV_APPEND as it was opened; 0: it is not open, or a standard one. */
int __proviso_file_rights(int fd);

/* The next byte, or EOF. */
int __proviso_file_get(int fd);
/* At most n bytes; there are less at the end alone. */
size_t __proviso_file_read(int fd, void *to, size_t n);
void __proviso_file_put(int fd, const void *from, size_t n);
bool __proviso_file_seek(int fd, long long offset, int whence); /* false: errno is EINVAL */
long long __proviso_file_tell(int fd);
long long __proviso_file_length(int fd);
void __proviso_file_resize(int fd, size_t length);
unsigned long __proviso_file_number(int fd); /* of all names and descriptors of one file */

/* By its name; -1 and errno where there is no such file, or it must not be changed. */
int __proviso_file_remove(const char *name);
int __proviso_file_rename(const char *from, const char *to);
int __proviso_file_access(const char *name, bool write);
long long __proviso_file_length_of(const char *name);
unsigned long __proviso_file_number_of(const char *name); /* to be called when it is there */

#endif
