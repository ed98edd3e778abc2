// All of them hold.
// Twenty specification patterns (Dwyer, Avrunin, Corbett, ICSE 1999), one run each: absence, existence and universality of p
// in five scopes, s precedes p, s responds to p. A digit is a state: bits p, q, r, s; the last one stays.
// args: --ap 'p = (e & 1) != 0' --ltl '<> p'
// expect: true
// run: --ap 'p = (e & 1) != 0' --ltl '[] !p' -- -DFIRST=2 -DSCRIPT=14,12 => true states=5
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ltl '<> r -> (!p U r)' -- -DFIRST=12 -DSCRIPT=3,2,3 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ltl '[] (q -> [] !p)' -- -DFIRST=1 -DSCRIPT=10,2 => true states=5
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] ((q && !r && <> r) -> (!p U r))' -- -DFIRST=9 -DSCRIPT=15,2 => true states=5
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (!p W r))' -- -DFIRST=9 -DSCRIPT=15,10,2 => true states=6
// run: --ap 'p = (e & 1) != 0' --ltl '<> p' -- -DFIRST=1 -DSCRIPT=15,7,1,6 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ltl '!r W (p && !r)' -- -DFIRST=9 -DSCRIPT=5,10 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ltl '[] !q || <> (q && <> p)' -- -DFIRST=11 -DSCRIPT=5,10,3 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (!r W (p && !r)))' -- -DFIRST=7 -DSCRIPT=1,15,12,11 => true states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (!r U (p && !r)))' -- -DFIRST=3 -DSCRIPT=8,12 => true states=5
// run: --ap 'p = (e & 1) != 0' --ltl '[] p' -- -DFIRST=5 -DSCRIPT=11,13 => true states=5
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ltl '<> r -> (p U r)' -- -DFIRST=12 -DSCRIPT=5,12 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ltl '[] (q -> [] p)' -- -DFIRST=13 -DSCRIPT=3,1,11,9 => true states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] ((q && !r && <> r) -> (p U r))' -- -DFIRST=6 -DSCRIPT=5,2,10,2 => true states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (p W r))' -- -DFIRST=6 -DSCRIPT=5,12,9,11 => true states=7
// run: --ap 'p = (e & 1) != 0' --ap 's = (e & 8) != 0' --ltl '!p W s' -- -DFIRST=15 -DSCRIPT=4,12,3,7 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ap 's = (e & 8) != 0' --ltl '<> r -> (!p U (s || r))' -- -DFIRST=7 -DSCRIPT=1,11,14,12 => true states=2
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 's = (e & 8) != 0' --ltl '[] !q || <> (q && (!p W s))' -- -DFIRST=6 -DSCRIPT=12,9,4 => true states=4
// run: --ap 'p = (e & 1) != 0' --ap 's = (e & 8) != 0' --ltl '[] (p -> <> s)' -- -DFIRST=8 -DSCRIPT=6,5,10 => true states=6
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ap 's = (e & 8) != 0' --ltl '<> r -> ((p -> (!r U (s && !r))) U r)' -- -DFIRST=11 -DSCRIPT=15,6,7 => true states=4
#ifndef SCRIPT
#define FIRST 0
#define SCRIPT 2, 3, 1, 4
#endif
static const unsigned char script[] = {SCRIPT};
int e = FIRST;

int main(void) {
  for (unsigned i = 0; i < sizeof script; i++)
    e = script[i];
  return 0;
}
