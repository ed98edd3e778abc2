// Bursts of unknown length of a text that begins anew at its end, through a fifo of two characters; a destructor prints
// statistics. The pointer into the text has more places than are tracked as values: bounds are found instead. Pointers
// that are only set (`this`, parameters) are tracked from the beginning, as are the variables of the library.
//
// expect: true
// run: --engine esst --property unreach-call => true states=1437
// run: --engine esst --property unreach-call -- -DBUG => false(unreach-call)
#include <systemc.h>
extern "C" void reach_error(void);
extern "C" int __VERIFIER_nondet_int(void);
struct fifo : sc_module {
  char data[2];
  int count = 0, first = 0, most = 0;
  unsigned total = 0;
  sc_event was_read, was_written;
  fifo(sc_module_name name) : sc_module(name) {}
  ~fifo() {
    cout << "Number of characters: " << total << ", at most: " << most << endl;
  }
  void write(char c) {
    if (count == 2) wait(was_read);
    data[(first + count) % 2] = c;
    ++count;
    was_written.notify();
  }
  void read(char &c) {
    if (count == 0) wait(was_written);
    if (count > most) most = count;
    ++total;
    c = data[first];
    --count;
    first = (first + 1) % 2;
    was_read.notify();
  }
};
struct producer : sc_module {
  fifo &out;
  SC_HAS_PROCESS(producer);
  producer(sc_module_name name, fifo &f) : sc_module(name), out(f) {
    SC_THREAD(run);
  }
  void run() {
    const char *text = "A longer text. ";
    const char *p = text;
    int rest = 1000;
    while (true) {
      int i = __VERIFIER_nondet_int() % 4;
      while (--i >= 0) {
        if (!*p) reach_error();
        out.write(*p++);
#ifdef BUG
        if (i && !*p) p = text;
#else
        if (!*p) p = text;
#endif
        --rest;
      }
      if (rest <= 0) break;
      wait(10, SC_NS);
    }
  }
};
struct consumer : sc_module {
  fifo &in;
  SC_HAS_PROCESS(consumer);
  consumer(sc_module_name name, fifo &f) : sc_module(name), in(f) {
    SC_THREAD(run);
  }
  void run() {
    char c;
    while (true) {
      in.read(c);
      wait(1, SC_NS);
    }
  }
};
int sc_main(int, char **) {
  fifo f("fifo");
  producer p("producer", f);
  consumer c("consumer", f);
  sc_start();
  return 0;
}
