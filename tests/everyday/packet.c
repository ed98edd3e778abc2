// Reads a packet with a length byte from standard input.
// bug: none
// expect: true
// args:
// stdin: \002\001ab
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 6 };
struct packet {
  unsigned char length, type;
  unsigned char *data;
};

static int read_packet(FILE *f, struct packet *p) {
  int length = fgetc(f), type = fgetc(f);
  p->data = NULL;
  if (length == EOF || type == EOF || length > MOST)
    return 0;
  p->length = (unsigned char)length;
  p->type = (unsigned char)type;
  p->data = malloc(p->length + 1u);
  if (!p->data)
    return 0;
  for (int i = 0; i < length; i++) {
    int c = fgetc(f);
    if (c == EOF) {
      free(p->data);
      p->data = NULL;
      return 0;
    }
    p->data[i] = (unsigned char)c;
  }
  p->data[length] = 0;
  return 1;
}

int main(void) {
  struct packet p;
  int ok = read_packet(stdin, &p);
  if (ok)
    printf("type %d: %s\n", p.type, (char *)p.data);
  free(p.data);
  return !ok;
}
