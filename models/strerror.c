/* strerror.c -- the messages of errno numbers and signals in glibc's C locale. */
#include "model.h"

static const char *const messages[] = {
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
    "Resource deadlock avoided",
    "File name too long",
    "No locks available",
    "Function not implemented",
    "Directory not empty",
    "Too many levels of symbolic links",
    NULL,
    "No message of desired type",
    "Identifier removed",
    "Channel number out of range",
    "Level 2 not synchronized",
    "Level 3 halted",
    "Level 3 reset",
    "Link number out of range",
    "Protocol driver not attached",
    "No CSI structure available",
    "Level 2 halted",
    "Invalid exchange",
    "Invalid request descriptor",
    "Exchange full",
    "No anode",
    "Invalid request code",
    "Invalid slot",
    NULL,
    "Bad font file format",
    "Device not a stream",
    "No data available",
    "Timer expired",
    "Out of streams resources",
    "Machine is not on the network",
    "Package not installed",
    "Object is remote",
    "Link has been severed",
    "Advertise error",
    "Srmount error",
    "Communication error on send",
    "Protocol error",
    "Multihop attempted",
    "RFS specific error",
    "Bad message",
    "Value too large for defined data type",
    "Name not unique on network",
    "File descriptor in bad state",
    "Remote address changed",
    "Can not access a needed shared library",
    "Accessing a corrupted shared library",
    ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries",
    "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character",
    "Interrupted system call should be restarted",
    "Streams pipe error",
    "Too many users",
    "Socket operation on non-socket",
    "Destination address required",
    "Message too long",
    "Protocol wrong type for socket",
    "Protocol not available",
    "Protocol not supported",
    "Socket type not supported",
    "Operation not supported",
    "Protocol family not supported",
    "Address family not supported by protocol",
    "Address already in use",
    "Cannot assign requested address",
    "Network is down",
    "Network is unreachable",
    "Network dropped connection on reset",
    "Software caused connection abort",
    "Connection reset by peer",
    "No buffer space available",
    "Transport endpoint is already connected",
    "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown",
    "Too many references: cannot splice",
    "Connection timed out",
    "Connection refused",
    "Host is down",
    "No route to host",
    "Operation already in progress",
    "Operation now in progress",
    "Stale file handle",
    "Structure needs cleaning",
    "Not a XENIX named type file",
    "No XENIX semaphores available",
    "Is a named type file",
    "Remote I/O error",
    "Disk quota exceeded",
    "No medium found",
    "Wrong medium type",
    "Operation canceled",
    "Required key not available",
    "Key has expired",
    "Key has been revoked",
    "Key was rejected by service",
    "Owner died",
    "State not recoverable",
    "Operation not possible due to RF-kill",
    "Memory page has hardware error",
};

static const char *const signals[] = {
    NULL,
    "Hangup",
    "Interrupt",
    "Quit",
    "Illegal instruction",
    "Trace/breakpoint trap",
    "Aborted",
    "Bus error",
    "Floating point exception",
    "Killed",
    "User defined signal 1",
    "Segmentation fault",
    "User defined signal 2",
    "Broken pipe",
    "Alarm clock",
    "Terminated",
    "Stack fault",
    "Child exited",
    "Continued",
    "Stopped (signal)",
    "Stopped",
    "Stopped (tty input)",
    "Stopped (tty output)",
    "Urgent I/O condition",
    "CPU time limit exceeded",
    "File size limit exceeded",
    "Virtual timer expired",
    "Profiling timer expired",
    "Window changed",
    "I/O possible",
    "Power failure",
    "Bad system call",
};

static const char *known_error(int number) {
  if (number < 0 || number >= (int)(sizeof messages / sizeof *messages)) return NULL;
  return messages[number];
}

/* "Unknown error 200"; returns the length. The buffer has room for 32 bytes. */
static size_t unknown(char *to, const char *prefix, int number) {
  size_t n = pv_length(prefix);
  char digits[12];
  int d = 0;
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  __proviso_copy(to, prefix, n);
  if (number < 0) to[n++] = '-';
  do digits[d++] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  while (d > 0) to[n++] = digits[--d];
  to[n] = 0;
  return n;
}

const char *__proviso_error_text(int number, char *buffer) {
  const char *known = known_error(number);
  if (known) return known;
  unknown(buffer, "Unknown error ", number);
  return buffer;
}

/* All threads share the buffer, as C allows: its races are races of the program. */
char *strerror(int number) {
  static char buffer[32];
  return (char *)__proviso_error_text(number, buffer);
}
/* GNU's strerror_r may leave the buffer alone. */
char *strerror_r(int number, char *buffer, size_t size) {
  const char *known = known_error(number);
  if (known) return (char *)known;
  char text[32];
  size_t n = unknown(text, "Unknown error ", number) + 1;
  if (size > 0) {
    __proviso_copy(buffer, text, n < size ? n : size);
    buffer[size - 1 < n - 1 ? size - 1 : n - 1] = 0;
  }
  return buffer;
}
int __xpg_strerror_r(int number, char *buffer, size_t size) {
  char text[32];
  const char *known = known_error(number);
  if (!known) unknown(text, "Unknown error ", number);
  const char *from = known ? known : text;
  size_t n = pv_length(from);
  if (size > 0) {
    __proviso_copy(buffer, from, n < size ? n : size - 1);
    buffer[n < size ? n : size - 1] = 0;
  }
  return n >= size ? ERANGE : known ? 0 : EINVAL;
}
const char *strerrordesc_np(int number) {
  return known_error(number);
}
char *strsignal(int number) {
  static char buffer[32];
  if (number > 0 && number < (int)(sizeof signals / sizeof *signals) && signals[number])
    return (char *)signals[number];
  unknown(buffer, "Unknown signal ", number);
  return buffer;
}
