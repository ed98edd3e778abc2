// All of them fail.
// Twenty specification patterns (Dwyer, Avrunin, Corbett, ICSE 1999), one run each: absence, existence and universality of p
// in five scopes, s precedes p, s responds to p. A digit is a state: bits p, q, r, s; the last one stays.
// args: --ap 'p = (e & 1) != 0' --ltl '[] !p'
// expect: false(ltl)
// run: --ap 'p = (e & 1) != 0' --ltl '[] !p' -- -DFIRST=9 -DSCRIPT=12,7 => false(ltl) states=5
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ltl '<> r -> (!p U r)' -- -DFIRST=11 -DSCRIPT=7,5,0 => false(ltl) states=6
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ltl '[] (q -> [] !p)' -- -DFIRST=11 -DSCRIPT=0,4,13,4 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] ((q && !r && <> r) -> (!p U r))' -- -DFIRST=5 -DSCRIPT=6,3,15 => false(ltl) states=6
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (!p W r))' -- -DFIRST=10 -DSCRIPT=15,11,2,5 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ltl '<> p' -- -DFIRST=0 -DSCRIPT=6,8,14,10 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ltl '!r W (p && !r)' -- -DFIRST=10 -DSCRIPT=6,15,9 => false(ltl) states=6
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ltl '[] !q || <> (q && <> p)' -- -DFIRST=1 -DSCRIPT=12,2,6 => false(ltl) states=6
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (!r W (p && !r)))' -- -DFIRST=2 -DSCRIPT=9,0,2,14 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (!r U (p && !r)))' -- -DFIRST=5 -DSCRIPT=15,10,6 => false(ltl) states=6
// run: --ap 'p = (e & 1) != 0' --ltl '[] p' -- -DFIRST=14 -DSCRIPT=11,10,2,14 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ltl '<> r -> (p U r)' -- -DFIRST=8 -DSCRIPT=13,3,12,13 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ltl '[] (q -> [] p)' -- -DFIRST=14 -DSCRIPT=3,9 => false(ltl) states=5
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] ((q && !r && <> r) -> (p U r))' -- -DFIRST=1 -DSCRIPT=14,2,15,13 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 'r = (e & 4) != 0' --ltl '[] (q && !r -> (p W r))' -- -DFIRST=14 -DSCRIPT=3,5,3,2 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 's = (e & 8) != 0' --ltl '!p W s' -- -DFIRST=7 -DSCRIPT=15,0,4 => false(ltl) states=6
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ap 's = (e & 8) != 0' --ltl '<> r -> (!p U (s || r))' -- -DFIRST=3 -DSCRIPT=15,9 => false(ltl) states=5
// run: --ap 'p = (e & 1) != 0' --ap 'q = (e & 2) != 0' --ap 's = (e & 8) != 0' --ltl '[] !q || <> (q && (!p W s))' -- -DFIRST=3 -DSCRIPT=8,12 => false(ltl) states=5
// run: --ap 'p = (e & 1) != 0' --ap 's = (e & 8) != 0' --ltl '[] (p -> <> s)' -- -DFIRST=11 -DSCRIPT=10,4,13,7 => false(ltl) states=7
// run: --ap 'p = (e & 1) != 0' --ap 'r = (e & 4) != 0' --ap 's = (e & 8) != 0' --ltl '<> r -> ((p -> (!r U (s && !r))) U r)' -- -DFIRST=3 -DSCRIPT=4,11,5 => false(ltl) states=6
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
