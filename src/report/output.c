#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum pv_status fail(const char *path, int error, struct pv_str *err) {
  if (err) pv_str_addf(err, "%s: cannot be written: %s", path, strerror(error));
  return PV_E_INPUT;
}

static bool write_all(int fd, const char *text, size_t n) {
  while (n) {
    ssize_t done = write(fd, text, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    text += done;
    n -= (size_t)done;
  }
  return true;
}

/* The target of a symbolic link, so that the link is kept. The caller frees it. */
static char *final_path(const char *path) {
  char *real = realpath(path, NULL);
  return real ? real : pv_strdup(path);
}

/* Opens a temporary file next to `path`; the caller frees its name. Returns -1 with errno set on
 * failure. */
static int open_temporary(const char *path, char **name) {
  *name = pv_format("%s.XXXXXX", path);
  int fd = mkstemp(*name);
  if (fd >= 0) return fd;
  int error = errno;
  free(*name);
  *name = NULL;
  errno = error;
  return -1;
}

enum pv_status pv_output_probe(const char *path, struct pv_str *err) {
  struct stat info;
  if (!*path) return fail(path, ENOENT, err);
  if (stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return fail(path, EISDIR, err);
    if (access(path, W_OK) != 0) return fail(path, errno, err);
    if (!S_ISREG(info.st_mode)) return PV_OK;
  }
  char *final = final_path(path), *name;
  int fd = open_temporary(final, &name);
  int error = errno;
  free(final);
  if (fd < 0) return fail(path, error, err);
  close(fd);
  unlink(name);
  free(name);
  return PV_OK;
}

static enum pv_status write_direct(const char *path, const char *text, size_t n,
                                   struct pv_str *err) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return fail(path, errno, err);
  bool right = write_all(fd, text, n);
  int error = errno;
  if (close(fd) != 0 && right) right = false, error = errno;
  return right ? PV_OK : fail(path, error, err);
}

enum pv_status pv_output_write(const char *path, const char *text, size_t n, struct pv_str *err) {
  struct stat info;
  bool exists = stat(path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return fail(path, EISDIR, err);
  if (exists && !S_ISREG(info.st_mode)) return write_direct(path, text, n, err);
  mode_t mask = umask(0);
  umask(mask);
  char *final = final_path(path), *name;
  int error = 0, fd = open_temporary(final, &name);
  if (fd < 0) {
    error = errno;
  } else {
    fchmod(fd, exists ? info.st_mode & 07777 : 0666 & ~mask);
    if (!write_all(fd, text, n)) error = errno;
    if (close(fd) != 0 && !error) error = errno;
    if (!error && rename(name, final) != 0) error = errno;
    if (error) unlink(name);
    free(name);
  }
  free(final);
  return error ? fail(path, error, err) : PV_OK;
}
