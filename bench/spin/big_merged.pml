/* The producers and consumers of big.pml without steps that touch nothing shared, and without
 * values that nobody will read any more (0 there); ended processes stay. The states of big.c. */
#ifndef NPR
#define NPR 3
#endif
#ifndef NCO
#define NCO 3
#endif
#ifndef SZ
#define SZ 3
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
int buf[SZ]; int head, tail, count; byte mtx; int sum;
byte ended;

proctype Prod(int id) {
  int i; int t;
lock:
  atomic { mtx == 0 -> mtx = 1 };
  if
  :: atomic { count == SZ -> goto retry }
  :: atomic { count != SZ -> goto put }
  fi;
retry:
  atomic { mtx = 0; goto lock };
put:
  t = tail;
  buf[t] = id*16 + i;
  d_step { tail = (t + 1) % SZ; t = 0 };
  count++;
  atomic {
    mtx = 0;
    i++;
    if
    :: i < ITEMS -> goto lock
    :: else -> i = 0; goto leave
    fi
  };
leave:
  ended++;
end:
  false
}

proctype Cons() {
  int i; int v; int h; int acc;
lock:
  atomic { mtx == 0 -> mtx = 1 };
  if
  :: atomic { count == 0 -> goto retry }
  :: atomic { count != 0 -> goto get }
  fi;
retry:
  atomic { mtx = 0; goto lock };
get:
  h = head;
  v = buf[h];
  d_step { head = (h + 1) % SZ; h = 0 };
  count--;
  assert(count >= 0 && count < SZ);
  atomic {
    mtx = 0;
    acc = acc + v;
    v = 0;
    i++;
    if
    :: i < (ITEMS*NPR)/NCO -> goto lock
    :: else -> i = 0; goto add
    fi
  };
add:
  atomic { sum = sum + acc; acc = 0 };
  ended++;
end:
  false
}

init {
  int i;
  atomic {
    do :: i < NPR -> run Prod(i); i++ :: else -> break od; i = 0;
    do :: i < NCO -> run Cons(); i++ :: else -> break od
  }
}
