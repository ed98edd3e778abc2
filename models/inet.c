/* inet.c -- the order of bytes of numbers in a network: arpa/inet.h. Both data models are
 * little-endian. */
#include "model.h"

unsigned short htons(unsigned short host) {
  return (unsigned short)(host << 8 | host >> 8);
}

unsigned short ntohs(unsigned short net) {
  return htons(net);
}

unsigned htonl(unsigned host) {
  return host << 24 | (host & 0xff00) << 8 | (host >> 8 & 0xff00) | host >> 24;
}

unsigned ntohl(unsigned net) {
  return htonl(net);
}
