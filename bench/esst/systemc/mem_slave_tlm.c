/* mem_slave_tlm: a master writes N words to a slave's memory through a channel of requests and responses, and
 * reads them back. BUG: the slave forgets to store the last word.
 * The threaded form of mem_slave_tlm.N of SV-COMP (systemc). */
#include <sysc.h>
#ifndef N
#  define N 1
#endif
extern void reach_error(void);

enum { READ, WRITE };
static int memory[N];
static int locked;
static int request_type, request_a, request_d, response_d, has_request, has_response;
static sysc_event unlocked, request_read, request_written, response_read, response_written;

static int transport(int type, int a, int d) {
  while (locked) sysc_wait_event(unlocked);
  locked = 1;
  while (has_request) sysc_wait_event(request_read);
  request_type = type;
  request_a = a;
  request_d = d;
  has_request = 1;
  sysc_notify_now(request_written);
  while (!has_response) sysc_wait_event(response_written);
  int result = response_d;
  has_response = 0;
  sysc_notify_now(response_read);
  if (!locked) reach_error();
  locked = 0;
  sysc_notify_now(unlocked);
  return result;
}
static void master(void *unused) {
  (void)unused;
  for (int a = 0; a < N; a++) transport(WRITE, a, a + 50);
  for (int a = 0; a < N; a++)
    if (transport(READ, a, 0) != a + 50) reach_error();
}
static void slave(void *unused) {
  (void)unused;
  for (;;) {
    while (!has_request) sysc_wait_event(request_written);
    int type = request_type, a = request_a, d = request_d;
    has_request = 0;
    sysc_notify_now(request_read);
    if (a < 0 || a >= N) reach_error();
#ifdef BUG
    if (type == WRITE && a < N - 1) memory[a] = d;
#else
    if (type == WRITE) memory[a] = d;
#endif
    while (has_response) sysc_wait_event(response_read);
    response_d = memory[a];
    has_response = 1;
    sysc_notify_now(response_written);
  }
}
int main(void) {
  unlocked = sysc_event_new();
  request_read = sysc_event_new();
  request_written = sysc_event_new();
  response_read = sysc_event_new();
  response_written = sysc_event_new();
  sysc_thread(master, 0);
  sysc_thread(slave, 0);
  sysc_start_all();
  return 0;
}
