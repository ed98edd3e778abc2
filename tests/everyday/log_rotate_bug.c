// Writes a message to a log and begins a new one when it is full.
// bug: valid-deref: the log may be missing: fopen gives a null pointer
// expect: false(valid-deref)
// args:
// stdin:
#include <stdio.h>
#include <string.h>

enum { LIMIT = 8 };

static long size_of(const char *name) {
  FILE *f = fopen(name, "rb");
  long size;
  if (fseek(f, 0, SEEK_END) != 0) {
    fclose(f);
  }
  size = ftell(f);
  fclose(f);
  return size;
}

static int append(const char *name, const char *message) {
  FILE *f = fopen(name, "a");
  if (!f)
    return 0;
  int ok = fprintf(f, "%s\n", message) >= 0;
  return fclose(f) == 0 && ok;
}

int main(void) {
  const char *messages[] = {"start", "work", "end"};
  for (int i = 0; i < 3; i++) {
    long size = size_of("example.log");
    if (size < 0)
      return 1;
    if (size + (long)strlen(messages[i]) > LIMIT) {
      remove("example.old");
      rename("example.log", "example.old");
    }
    if (!append("example.log", messages[i]))
      return 1;
  }
  return 0;
}
