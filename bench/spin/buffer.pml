/* N producers and N consumers share a buffer of SLOTS places; semaphores as bytes */
#ifndef N
#define N 3
#endif
#ifndef SLOTS
#define SLOTS 3
#endif
byte places = SLOTS, items = 0, mutex = 1, count = 0;
inline P(s) { atomic { s > 0 -> s-- } }
inline V(s) { s++ }
proctype Producer() {
  do
  :: P(places);
     P(mutex);
     count++;
     assert(count <= SLOTS);
     V(mutex);
     V(items)
  od
}
proctype Consumer() {
  do
  :: P(items);
     P(mutex);
     count--;
     V(mutex);
     V(places)
  od
}
init {
  byte i = 0;
  atomic {
    do :: i < N -> run Producer(); i++ :: else -> break od;
    i = 1;
    do :: i < N -> run Consumer(); i++ :: else -> break od;
    run Consumer()
  }
}
