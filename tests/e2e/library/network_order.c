// A packet whose length comes in the order of bytes of the network. The twin forgets that the length is that of the
// body alone.
// expect: true
// run: -- -DBUG => false(valid-deref)
#include <arpa/inet.h>
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct __attribute__((packed)) head {
  uint8_t type;
  uint16_t length;
};

static unsigned sum(const uint8_t *packet, size_t n) {
  struct head head;
  unsigned all = 0;
  if (n < sizeof head) return 0;
  memcpy(&head, packet, sizeof head);
  size_t length = ntohs(head.length);
#ifdef BUG
  if (length > n) return 0;
#else
  if (length > n - sizeof head) return 0;
#endif
  for (size_t i = 0; i < length; i++) all += packet[sizeof head + i];
  return all;
}

int main(void) {
  size_t n = __VERIFIER_nondet_uchar() % 7;
  uint8_t *packet = malloc(n ? n : 1);
  if (!packet) return 1;
  for (size_t i = 0; i < n; i++) packet[i] = __VERIFIER_nondet_uchar();
  assert(sum(packet, n) <= 3 * 255);
  assert(htonl(0x01020304) == 0x04030201 && ntohl(htonl(n)) == n && htons(0x0102) == 0x0201);
  free(packet);
  return 0;
}
